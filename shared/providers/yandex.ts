import { bucketBefore, ordinary, type Provider } from './provider.ts';

/** https://yandex.cloud/en/docs/storage/s3/ */
export const yandex: Provider<'yandex'> = {
  preset: {
    id: 'yandex',
    name: 'Yandex Object Storage',
    endpointTemplate: 'https://storage.yandexcloud.net',
    regions: ['ru-central1'],
    defaultRegion: 'ru-central1',
    addressing: 'auto',
  },
  quirks: {
    ...ordinary,
    fallbackRegion: 'ru-central1',
    providerHosts: /(?:^|\.)(?:storage|s3)\.yandexcloud\.net$/,
    // "one of STANDARD, COLD" (specification, section 2). ICE is the provider's third class.
    storageClasses: ['STANDARD', 'COLD', 'ICE'],
  },
  hostForms: [
    bucketBefore(String.raw`(?:storage|s3)\.yandexcloud\.net`),
    // https://yandex.cloud/en/docs/storage/concepts/hosting
    {
      kind: 'website',
      host: /^(?:(?<bucket>.+)\.)?website\.yandexcloud\.net$/,
      endpointHost: () => 'storage.yandexcloud.net',
    },
    {
      kind: 'console',
      host: /^console\.(?:yandex\.cloud|cloud\.yandex\.(?:com|ru))$/,
      endpointHost: () => 'storage.yandexcloud.net',
    },
  ],
};
