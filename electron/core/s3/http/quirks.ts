import { presetById, type ProviderId } from '../../../../shared/models/presets.ts';

/** Where providers differ from what the specification promises. This file alone knows them (rclone's setQuirks). */
export interface Quirks {
  /** What 'auto' addressing means. */
  readonly autoAddressing: 'path' | 'virtual-host';
  /** Signed for when the connection names no region and the host does not tell. */
  readonly fallbackRegion: string;
  /** Hosts that belong to the provider: a redirect may lead there, and nowhere else. Null: the endpoint's very host. */
  readonly ownHosts: RegExp | null;
  /** Finds the region inside a host name; its first group is the region. */
  readonly regionInHost: RegExp | null;
  /** The host for another region; null where all regions share one host. */
  readonly regionHost: ((region: string) => string) | null;
  /** 2, unless the service is known to have only ListObjects V1. */
  readonly listVersion: 1 | 2;
  /** Storage classes worth offering. */
  readonly storageClasses: readonly string[];
  /** Whether ListMultipartUploads shows every upload (MinIO: only for an exact key, minio#11686). */
  readonly listsAllUploads: boolean;
  /** All parts but the last must have one size (opendal#2904). */
  readonly equalPartSizes: boolean;
  /** A Complete may name fewer parts than are stored. Ceph answers InvalidPart (seen in 16.2.15). */
  readonly completesSubset: boolean;
  /** DeleteObjects is there. */
  readonly multiDelete: boolean;
  /** CreateBucket names the region even when the caller does not: a regional endpoint insists (AWS). */
  readonly namesRegionOnCreate: boolean;
  /** Headers that go along, unsigned, when an object is read. */
  readonly objectReadHeaders: Readonly<Record<string, string>>;
}

const ordinary: Quirks = {
  autoAddressing: 'path',
  fallbackRegion: 'us-east-1',
  ownHosts: null,
  regionInHost: null,
  regionHost: null,
  listVersion: 2,
  storageClasses: [],
  listsAllUploads: true,
  equalPartSizes: false,
  completesSubset: true,
  multiDelete: true,
  namesRegionOnCreate: false,
  objectReadHeaders: {},
};

// Only hosts of S3 itself: other names under amazonaws.com belong to customers.
const awsHosts =
  /(?:^|\.)s3(?:[.-](?:dualstack|fips|accelerate|external-1|[a-z]{2,3}(?:-[a-z]+)+-\d+))*\.amazonaws\.com(?:\.cn)?$/;

const byProvider: Readonly<Record<ProviderId, Quirks>> = {
  aws: {
    ...ordinary,
    autoAddressing: 'virtual-host',
    namesRegionOnCreate: true,
    ownHosts: awsHosts,
    regionInHost:
      /(?:^|\.)s3[.-](?:dualstack\.|fips\.)?([a-z]{2,3}(?:-[a-z]+)+-\d+)\.amazonaws\.com(?:\.cn)?$/,
    regionHost: (region) => `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`,
    storageClasses: [
      'STANDARD',
      'INTELLIGENT_TIERING',
      'STANDARD_IA',
      'ONEZONE_IA',
      'GLACIER_IR',
      'GLACIER',
      'DEEP_ARCHIVE',
    ],
  },
  yandex: {
    ...ordinary,
    fallbackRegion: 'ru-central1',
    ownHosts: /(?:^|\.)(?:storage|s3)\.yandexcloud\.net$/,
    // "one of STANDARD, COLD" (specification, section 2); ICE is the provider's third.
    storageClasses: ['STANDARD', 'COLD', 'ICE'],
  },
  ceph: { ...ordinary, completesSubset: false },
  minio: { ...ordinary, listsAllUploads: false, storageClasses: ['STANDARD', 'REDUCED_REDUNDANCY'] },
  r2: {
    ...ordinary,
    fallbackRegion: 'auto',
    ownHosts: /(?:^|\.)r2\.cloudflarestorage\.com$/,
    storageClasses: ['STANDARD', 'STANDARD_IA'],
    equalPartSizes: true,
  },
  b2: {
    ...ordinary,
    fallbackRegion: 'us-west-004',
    ownHosts: /(?:^|\.)s3\.[a-z0-9-]+\.backblazeb2\.com$/,
    regionInHost: /(?:^|\.)s3\.([a-z0-9-]+)\.backblazeb2\.com$/,
    regionHost: (region) => `s3.${region}.backblazeb2.com`,
    storageClasses: ['STANDARD'],
  },
  wasabi: {
    ...ordinary,
    ownHosts: /(?:^|\.)s3(?:\.[a-z0-9-]+)?\.wasabisys\.com$/,
    regionInHost: /(?:^|\.)s3\.([a-z0-9-]+)\.wasabisys\.com$/,
    regionHost: (region) => `s3.${region}.wasabisys.com`,
    storageClasses: ['STANDARD'],
  },
  digitalocean: {
    ...ordinary,
    ownHosts: /\.digitaloceanspaces\.com$/,
    regionInHost: /(?:^|\.)([a-z]{3}\d)\.digitaloceanspaces\.com$/,
    regionHost: (region) => `${region}.digitaloceanspaces.com`,
    storageClasses: ['STANDARD'],
  },
  gcs: {
    ...ordinary,
    fallbackRegion: 'auto',
    ownHosts: /(?:^|\.)storage\.googleapis\.com$/,
    storageClasses: ['STANDARD', 'NEARLINE', 'COLDLINE', 'ARCHIVE'],
    // Without it objects stored as gzip come back unpacked, and no byte count holds.
    objectReadHeaders: { 'accept-encoding': 'gzip' },
  },
  custom: ordinary,
};

/** The quirks of a connection: of its preset, or, for a custom one, of the provider that its host belongs to. */
export function quirksFor(provider: string, hostname: string): Quirks {
  const id = presetById(provider).id as ProviderId;
  if (id !== 'custom') return byProvider[id];
  const known = Object.values(byProvider).find((quirks) => quirks.ownHosts?.test(hostname));
  return known ?? ordinary;
}
