import { ordinary, type Provider } from './provider.ts';

/** https://docs.ceph.com/en/latest/radosgw/s3/ */
export const ceph: Provider<'ceph'> = {
  preset: {
    id: 'ceph',
    name: 'Ceph',
    endpointTemplate: '',
    regions: ['us-east-1', 'default'],
    defaultRegion: 'us-east-1',
    addressing: 'path',
  },
  quirks: { ...ordinary, completesSubset: false },
  hostForms: [],
};
