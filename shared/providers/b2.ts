import { bucketBefore, deliveredFrom, ordinary, type Provider } from './provider.ts';

/** The region of a cluster, without its number; us-west for clusters not listed. Source: Backblaze, "Data regions". */
const clusterRegions: Readonly<Record<string, string>> = {
  '003': 'eu-central',
  '005': 'us-east',
  '006': 'ca-east',
};

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
    addressing: 'path',
  },
  quirks: {
    ...ordinary,
    fallbackRegion: 'us-west-004',
    providerHosts: /(?:^|\.)s3\.[a-z0-9-]+\.backblazeb2\.com$/,
    regionInHost: /(?:^|\.)s3\.([a-z0-9-]+)\.backblazeb2\.com$/,
    regionHost: (region) => `s3.${region}.backblazeb2.com`,
    storageClasses: ['STANDARD'],
  },
  hostForms: [
    bucketBefore(String.raw`s3\.[a-z0-9-]+\.backblazeb2\.com`),
    // The "friendly URL" of a file: https://f004.backblazeb2.com/file/photos/2024/a.jpg
    {
      kind: 'cdn',
      host: /^f(?<cluster>\d{3})\.backblazeb2\.com$/,
      endpointHost: ({ cluster = '' }) =>
        `s3.${clusterRegions[cluster] ?? 'us-west'}-${cluster}.backblazeb2.com`,
      path: /^\/file\/(?<bucket>[^/]+)(?:\/(?<key>.*))?$/su,
    },
    deliveredFrom(/^(?:secure|www|api\d*)\.backblaze(?:b2)?\.com$/, 'console'),
  ],
};
