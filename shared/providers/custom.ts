import { ordinary, type Provider } from './provider.ts';

/** Any other service. Where its host is a known provider's, that one's quirks hold. */
export const custom: Provider<'custom'> = {
  preset: {
    id: 'custom',
    name: 'Other S3-compatible service',
    endpointTemplate: '',
    regions: [],
    defaultRegion: null,
    needsRegion: false,
    needsAccount: false,
    addressing: 'auto',
  },
  quirks: ordinary,
  bucketInHost: null,
};
