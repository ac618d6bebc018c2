import { bucketBefore, deliveredFrom, ordinary, type Provider } from './provider.ts';

/** https://docs.digitalocean.com/products/spaces/ */
export const digitalocean: Provider<'digitalocean'> = {
  preset: {
    id: 'digitalocean',
    name: 'DigitalOcean Spaces',
    endpointTemplate: 'https://{region}.digitaloceanspaces.com',
    regions: ['nyc3', 'ams3', 'sfo2', 'sfo3', 'sgp1', 'fra1', 'blr1', 'syd1', 'lon1', 'tor1', 'atl1', 'ric1'],
    defaultRegion: 'nyc3',
    addressing: 'path',
  },
  quirks: {
    ...ordinary,
    // https://docs.digitalocean.com/products/spaces/reference/s3-compatibility, and …/spaces/details/limits for tags.
    unsupportedSettings: ['encryption', 'tags'],
    providerHosts: /\.digitaloceanspaces\.com$/,
    regionInHost: /(?:^|\.)([a-z]{3}\d)\.digitaloceanspaces\.com$/,
    regionHost: (region) => `${region}.digitaloceanspaces.com`,
    storageClasses: ['STANDARD'],
  },
  hostForms: [
    {
      kind: 'cdn',
      host: /^(?<bucket>.+)\.(?<region>[a-z]{3}\d)\.cdn\.digitaloceanspaces\.com$/,
      endpointHost: ({ region = '' }) => `${region}.digitaloceanspaces.com`,
    },
    bucketBefore(String.raw`[a-z]{3}\d\.digitaloceanspaces\.com`),
    deliveredFrom(/^cloud\.digitalocean\.com$/, 'console'),
  ],
};
