import { ordinary, type ControlPlace, type Provider } from './provider.ts';

// Matches hosts of S3 only: other names under amazonaws.com belong to customers.
const awsHosts =
  /(?:^|\.)s3(?:[.-](?:dualstack|fips|accelerate|external-1|[a-z]{2,3}(?:-[a-z]+)+-\d+))*\.amazonaws\.com(?:\.cn)?$/;

// An interface endpoint (PrivateLink) puts a separate name for each of its services before its own host name.
const vpceHost = /(?:^|\.)(?:bucket|accesspoint|control)\.(vpce-.+\.vpce\.amazonaws\.com(?:\.cn)?)$/;

/** As the endpoint rules of the service's SDK have it (botocore, s3control 2018-08-20). A gateway of one's own is asked itself. */
function controlHost({ hostname, accountId, region }: ControlPlace): string | null {
  const privateHost = vpceHost.exec(hostname)?.[1];
  if (privateHost !== undefined) return `${accountId}.control.${privateHost}`;
  if (!awsHosts.test(hostname)) return null;
  const variant = `${/[.-]fips[.-]/.test(hostname) ? '-fips' : ''}${/[.-]dualstack\./.test(hostname) ? '.dualstack' : ''}`;
  return `${accountId}.s3-control${variant}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/Welcome.html */
export const aws: Provider<'aws'> = {
  preset: {
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
  quirks: {
    ...ordinary,
    autoAddressing: 'virtual-host',
    namesRegionOnCreate: true,
    ownHosts: awsHosts,
    regionInHost:
      /(?:^|\.)s3[.-](?:dualstack\.|fips\.)?([a-z]{2,3}(?:-[a-z]+)+-\d+)\.amazonaws\.com(?:\.cn)?$/,
    regionHost: (region) => `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`,
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
  // Interface endpoints of a private network look like a bucket in front of the host, and are none.
  bucketInHost:
    /^(?!(?:.*\.)?(?:bucket|accesspoint|control)\.vpce-)(.+)\.s3[.-](?:[a-z0-9-]+\.)*amazonaws\.com(?:\.cn)?$/,
};
