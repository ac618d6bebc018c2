import { bucketBefore, bucketPath, ordinary, type Provider } from './provider.ts';

/** https://cloud.google.com/storage/docs/interoperability */
export const gcs: Provider<'gcs'> = {
  preset: {
    id: 'gcs',
    name: 'Google Cloud Storage',
    endpointTemplate: 'https://storage.googleapis.com',
    regions: ['auto'],
    defaultRegion: 'auto',
    addressing: 'path',
  },
  quirks: {
    ...ordinary,
    fallbackRegion: 'auto',
    providerHosts: /(?:^|\.)storage\.googleapis\.com$/,
    storageClasses: ['STANDARD', 'NEARLINE', 'COLDLINE', 'ARCHIVE'],
    // https://cloud.google.com/storage/docs/transcoding
    decompresses: true,
  },
  hostForms: [
    bucketBefore(String.raw`storage\.googleapis\.com`),
    // Downloads for people who are signed in with a browser.
    {
      kind: 'cdn',
      host: /^storage\.cloud\.google\.com$/,
      endpointHost: () => 'storage.googleapis.com',
      path: bucketPath,
    },
    { kind: 'console', host: /^console\.cloud\.google\.com$/, endpointHost: () => 'storage.googleapis.com' },
  ],
};
