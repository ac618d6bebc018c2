import { ordinary, type Provider } from './provider.ts';

/** https://www.backblaze.com/docs/cloud-storage-s3-compatible-api */
export const b2: Provider<'b2'> = {
  preset: {
    id: 'b2',
    name: 'Backblaze B2',
    endpointTemplate: 'https://s3.{region}.backblazeb2.com',
    regions: [
      'us-west-000',
      'us-west-001',
      'us-west-002',
      'us-west-004',
      'us-east-005',
      'eu-central-003',
      'ca-east-006',
    ],
    defaultRegion: 'us-west-004',
    needsRegion: true,
    needsAccount: false,
    addressing: 'path',
  },
  quirks: {
    ...ordinary,
    fallbackRegion: 'us-west-004',
    ownHosts: /(?:^|\.)s3\.[a-z0-9-]+\.backblazeb2\.com$/,
    regionInHost: /(?:^|\.)s3\.([a-z0-9-]+)\.backblazeb2\.com$/,
    regionHost: (region) => `s3.${region}.backblazeb2.com`,
    storageClasses: ['STANDARD'],
  },
  bucketInHost: /^(.+)\.s3\.[a-z0-9-]+\.backblazeb2\.com$/,
};
