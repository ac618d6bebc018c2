import type { Addressing } from './connection.ts';

/** What the form needs to know of a provider. Differences in behaviour are in electron/core/s3/http/quirks.ts. */
export interface Preset {
  readonly id: string;
  readonly name: string;
  /** The origin, with {region} and {account} to be filled in; '' where the user has to type it. */
  readonly endpointTemplate: string;
  /** Suggestions; the field stays free. */
  readonly regions: readonly string[];
  readonly defaultRegion: string | null;
  readonly needsRegion: boolean;
  readonly needsAccount: boolean;
  readonly addressing: Addressing;
}

const custom = {
  id: 'custom',
  name: 'Other S3-compatible service',
  endpointTemplate: '',
  regions: [],
  defaultRegion: null,
  needsRegion: false,
  needsAccount: false,
  addressing: 'auto',
} as const satisfies Preset;

const presetList = [
  {
    id: 'aws',
    name: 'Amazon S3',
    endpointTemplate: 'https://s3.{region}.amazonaws.com',
    regions: [
      'us-east-1',
      'us-east-2',
      'us-west-1',
      'us-west-2',
      'ca-central-1',
      'sa-east-1',
      'eu-central-1',
      'eu-central-2',
      'eu-north-1',
      'eu-south-1',
      'eu-south-2',
      'eu-west-1',
      'eu-west-2',
      'eu-west-3',
      'af-south-1',
      'il-central-1',
      'me-central-1',
      'me-south-1',
      'ap-east-1',
      'ap-northeast-1',
      'ap-northeast-2',
      'ap-northeast-3',
      'ap-south-1',
      'ap-south-2',
      'ap-southeast-1',
      'ap-southeast-2',
      'ap-southeast-3',
      'ap-southeast-4',
    ],
    defaultRegion: 'us-east-1',
    needsRegion: true,
    needsAccount: false,
    addressing: 'auto',
  },
  {
    id: 'yandex',
    name: 'Yandex Object Storage',
    endpointTemplate: 'https://storage.yandexcloud.net',
    regions: ['ru-central1'],
    defaultRegion: 'ru-central1',
    needsRegion: false,
    needsAccount: false,
    addressing: 'auto',
  },
  {
    id: 'ceph',
    name: 'Ceph',
    endpointTemplate: '',
    regions: ['us-east-1', 'default'],
    defaultRegion: 'us-east-1',
    needsRegion: false,
    needsAccount: false,
    addressing: 'path',
  },
  {
    id: 'minio',
    name: 'MinIO',
    endpointTemplate: '',
    regions: ['us-east-1'],
    defaultRegion: 'us-east-1',
    needsRegion: false,
    needsAccount: false,
    addressing: 'path',
  },
  {
    id: 'r2',
    name: 'Cloudflare R2',
    endpointTemplate: 'https://{account}.r2.cloudflarestorage.com',
    regions: ['auto'],
    defaultRegion: 'auto',
    needsRegion: false,
    needsAccount: true,
    addressing: 'path',
  },
  {
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
  {
    id: 'wasabi',
    name: 'Wasabi',
    endpointTemplate: 'https://s3.{region}.wasabisys.com',
    regions: [
      'us-east-1',
      'us-east-2',
      'us-central-1',
      'us-west-1',
      'ca-central-1',
      'eu-central-1',
      'eu-central-2',
      'eu-west-1',
      'eu-west-2',
      'eu-west-3',
      'eu-south-1',
      'ap-northeast-1',
      'ap-northeast-2',
      'ap-southeast-1',
      'ap-southeast-2',
    ],
    defaultRegion: 'us-east-1',
    needsRegion: true,
    needsAccount: false,
    addressing: 'path',
  },
  {
    id: 'digitalocean',
    name: 'DigitalOcean Spaces',
    endpointTemplate: 'https://{region}.digitaloceanspaces.com',
    regions: ['nyc3', 'ams3', 'sfo2', 'sfo3', 'sgp1', 'fra1', 'blr1', 'syd1', 'lon1', 'tor1', 'atl1', 'ric1'],
    defaultRegion: 'nyc3',
    needsRegion: true,
    needsAccount: false,
    addressing: 'path',
  },
  {
    id: 'gcs',
    name: 'Google Cloud Storage',
    endpointTemplate: 'https://storage.googleapis.com',
    regions: ['auto'],
    defaultRegion: 'auto',
    needsRegion: false,
    needsAccount: false,
    addressing: 'path',
  },
  custom,
] as const satisfies readonly Preset[];

export const presets: readonly Preset[] = presetList;

export type ProviderId = (typeof presetList)[number]['id'];

/** The preset with this id; an unknown id (an older or a newer version's) is treated as custom. */
export function presetById(id: string): Preset {
  return presetList.find((preset) => preset.id === id) ?? custom;
}

/** Fills a preset's template in; null while something needed is missing. */
export function fillEndpoint(
  preset: Preset,
  values: { readonly region: string | null; readonly account: string | null },
): string | null {
  if (preset.endpointTemplate === '') return null;
  const region = values.region ?? preset.defaultRegion;
  if (preset.endpointTemplate.includes('{region}') && !region) return null;
  if (preset.endpointTemplate.includes('{account}') && !values.account) return null;
  return preset.endpointTemplate.replace('{region}', region ?? '').replace('{account}', values.account ?? '');
}
