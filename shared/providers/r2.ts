import { bucketBefore, deliveredFrom, ordinary, type Provider } from './provider.ts';

/** https://developers.cloudflare.com/r2/api/s3/api/ */
export const r2: Provider<'r2'> = {
  preset: {
    id: 'r2',
    name: 'Cloudflare R2',
    endpointTemplate: 'https://{account}.r2.cloudflarestorage.com',
    regions: ['auto'],
    defaultRegion: 'auto',
    addressing: 'path',
  },
  quirks: {
    ...ordinary,
    fallbackRegion: 'auto',
    providerHosts: /(?:^|\.)r2\.cloudflarestorage\.com$/,
    storageClasses: ['STANDARD', 'STANDARD_IA'],
    equalPartSizes: true,
    // "Unimplemented bucket-level operations" of the page above, read in its source at cloudflare-docs 0ad0725d.
    unsupportedSettings: [
      'versioning',
      'policy',
      'tags',
      'public-access',
      'access',
      'ownership',
      'payment',
      'object-lock',
      'website',
      'logging',
      'replication',
      'notifications',
      'intelligent-tiering',
      'inventory',
    ],
  },
  hostForms: [
    bucketBefore(String.raw`[0-9a-f]{32}\.(?:eu\.|fedramp\.)?r2\.cloudflarestorage\.com`),
    deliveredFrom(/(?:^|\.)r2\.dev$/),
    deliveredFrom(/^dash\.cloudflare\.com$/, 'console'),
  ],
};
