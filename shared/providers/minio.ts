import { ordinary, type Provider } from './provider.ts';

/** https://github.com/minio/minio */
export const minio: Provider<'minio'> = {
  preset: {
    id: 'minio',
    name: 'MinIO',
    endpointTemplate: '',
    regions: ['us-east-1'],
    defaultRegion: 'us-east-1',
    addressing: 'path',
  },
  quirks: {
    ...ordinary,
    storageClasses: ['STANDARD', 'REDUCED_REDUNDANCY'],
    // https://min.io/docs/minio/linux/reference/s3-api-compatibility.html, "Unsupported API Bucket Operations".
    unsupportedSettings: [
      'cors',
      'public-access',
      'ownership',
      'payment',
      'website',
      'logging',
      'intelligent-tiering',
      'inventory',
    ],
  },
  hostForms: [],
};
