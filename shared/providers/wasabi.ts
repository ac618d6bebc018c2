import { bucketBefore, deliveredFrom, ordinary, type Provider } from './provider.ts';

/** https://docs.wasabi.com/ */
export const wasabi: Provider<'wasabi'> = {
  preset: {
    id: 'wasabi',
    name: 'Wasabi',
    endpointTemplate: 'https://s3.{region}.wasabisys.com',
    regions: [
      'us-east-1',
      'us-east-2',
      'us-central-1',
      'us-west-1',
      'ca-central-1',
      'eu-central-1',
      'eu-central-2',
      'eu-west-1',
      'eu-west-2',
      'eu-west-3',
      'eu-south-1',
      'ap-northeast-1',
      'ap-northeast-2',
      'ap-southeast-1',
      'ap-southeast-2',
    ],
    defaultRegion: 'us-east-1',
    addressing: 'path',
  },
  quirks: {
    ...ordinary,
    providerHosts: /(?:^|\.)s3(?:\.[a-z0-9-]+)?\.wasabisys\.com$/,
    regionInHost: /(?:^|\.)s3\.([a-z0-9-]+)\.wasabisys\.com$/,
    regionHost: (region) => `s3.${region}.wasabisys.com`,
    storageClasses: ['STANDARD'],
  },
  hostForms: [
    bucketBefore(String.raw`s3\.(?:[a-z0-9-]+\.)?wasabisys\.com`),
    deliveredFrom(/^console\.wasabisys\.com$/, 'console'),
  ],
};
