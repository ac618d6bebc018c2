import { otherHostForms } from './other-hosts.ts';
import { ordinary, type Provider } from './provider.ts';

/** Any other service. If its host belongs to a known provider, that provider's quirks apply. */
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
  hostForms: otherHostForms,
};
