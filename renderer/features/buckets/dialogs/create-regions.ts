import type { Connection } from '../../../../shared/models/connection.ts';
import { presetById } from '../../../../shared/providers/providers.ts';

interface Regions {
  readonly offered: readonly string[];
  /** The field's initial value; '' leaves it to the service. */
  readonly first: string;
}

// https://developers.cloudflare.com/r2/reference/data-location/ and https://cloud.google.com/storage/docs/locations
const r2Hints = ['wnam', 'enam', 'weur', 'eeur', 'apac', 'oc'];
const gcsLocations = [
  'US',
  'EU',
  'ASIA',
  'us-east1',
  'us-central1',
  'europe-west1',
  'europe-west3',
  'asia-east1',
];

/**
 * Returns the regions in which a connection's buckets can be created, as far as known; the field accepts any text. If the
 * endpoint decides the region (Wasabi, B2, DigitalOcean, Ceph, MinIO), none is needed.
 */
export function createRegions(connection: Connection | undefined): Regions {
  const preset = presetById(connection?.provider ?? 'custom');
  switch (preset.id) {
    case 'aws':
      return { offered: preset.regions, first: connection?.region ?? preset.defaultRegion ?? '' };
    case 'r2':
      return { offered: r2Hints, first: '' };
    case 'gcs':
      return { offered: gcsLocations, first: '' };
    default:
      return { offered: [], first: '' };
  }
}
