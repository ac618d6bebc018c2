import { anyAwsSuffix, awsDnsSuffix, awsEndpoint } from './aws-partitions.ts';
import { deliveredFrom, ordinary, type ControlPlace, type Provider } from './provider.ts';

const anyRegion = String.raw`[a-z]{2,4}(?:-[a-z]+)+-\d+`;

// Matches hosts of S3 only: other names under amazonaws.com belong to customers.
const awsHosts = new RegExp(
  String.raw`(?:^|\.)s3(?:[.-](?:dualstack|fips|accelerate|external-1|${anyRegion}))*\.${anyAwsSuffix}$`,
);

// An interface endpoint (PrivateLink) has one host name for each service, with the service's name in front.
const vpceHost = new RegExp(
  String.raw`(?:^|\.)(?:bucket|accesspoint|control)\.(vpce-.+\.vpce\.${anyAwsSuffix})$`,
);

/** Returns the host of S3 Control, or null for hosts outside AWS. Source: endpoint rules of botocore, s3control 2018-08-20. */
function controlHost({ hostname, accountId, region }: ControlPlace): string | null {
  const privateHost = vpceHost.exec(hostname)?.[1];
  if (privateHost !== undefined) return `${accountId}.control.${privateHost}`;
  if (!awsHosts.test(hostname)) return null;
  return `${accountId}.s3-control${variantOf(hostname)}.${region}.${awsDnsSuffix(region)}`;
}

/** Returns the host of another region, keeping FIPS and dual-stack. Source: endpoint rules of botocore, s3 2006-03-01. */
function regionHost(region: string, hostname: string): string {
  return `s3${variantOf(hostname)}.${region}.${awsDnsSuffix(region)}`;
}

function variantOf(hostname: string): string {
  const fips = /(?:^|\.)s3[.-]fips[.-]/.test(hostname) ? '-fips' : '';
  return /[.-]dualstack\./.test(hostname) ? `${fips}.dualstack` : fips;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/Welcome.html */
export const aws: Provider<'aws'> = {
  preset: {
    id: 'aws',
    name: 'Amazon S3',
    endpointTemplate: 'https://s3.{region}.amazonaws.com',
    endpointOf: awsEndpoint,
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
    addressing: 'auto',
  },
  quirks: {
    ...ordinary,
    autoAddressing: 'virtual-host',
    namesRegionOnCreate: true,
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html
    checksum: 'crc64nvme',
    providerHosts: awsHosts,
    regionInHost: new RegExp(
      String.raw`(?:^|\.)s3[.-](?:fips[.-])?(?:dualstack\.)?(${anyRegion})\.${anyAwsSuffix}$`,
    ),
    regionHost,
    controlHost,
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
  hostForms: [
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/WebsiteEndpoints.html
    {
      kind: 'website',
      host: new RegExp(
        String.raw`^(?:(?<bucket>.+)\.)?s3-website[.-](?:dualstack\.)?(?<region>${anyRegion})\.${anyAwsSuffix}$`,
      ),
      endpointHost: hostOfRegion,
    },
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-naming.html, and those of Object Lambda and Outposts.
    {
      kind: 'access-point',
      host: new RegExp(
        String.raw`^.+\.s3-(?:accesspoint|object-lambda|outposts)(?:-fips)?(?:\.dualstack)?\.(?<region>${anyRegion})\.${anyAwsSuffix}$`,
      ),
      endpointHost: hostOfRegion,
    },
    {
      kind: 'access-point',
      host: /^.+\.accesspoint\.s3-global\.amazonaws\.com$/,
      endpointHost: () => 's3.us-east-1.amazonaws.com',
    },
    deliveredFrom(/(?:^|\.)cloudfront\.(?:net|cn)$/),
    deliveredFrom(/(?:^|\.)console\.(?:aws\.amazon\.com|amazonaws\.cn|amazonaws-us-gov\.com)$/, 'console'),
    // Hosts of interface endpoints (PrivateLink) look as if they contained a bucket, but do not.
    {
      kind: 'bucket',
      host: new RegExp(
        String.raw`^(?!(?:.*\.)?(?:bucket|accesspoint|control)\.vpce-)(?<bucket>.+)\.(?<rest>s3[.-](?:[a-z0-9-]+\.)*${anyAwsSuffix})$`,
      ),
    },
  ],
};

function hostOfRegion({ region = '' }: Readonly<Record<string, string | undefined>>): string {
  return `s3.${region}.${awsDnsSuffix(region)}`;
}
