/** A partition of AWS, with separate accounts, regions and a separate domain. */
interface Partition {
  readonly id: string;
  /** A pattern for the start of its region names. */
  readonly regionStart: string;
  readonly dnsSuffix: string;
}

/** Source: partitions.json of botocore 1.43. The first is the default for regions that match no other partition. */
const partitions: readonly [Partition, ...Partition[]] = [
  { id: 'aws', regionStart: '', dnsSuffix: 'amazonaws.com' },
  { id: 'aws-us-gov', regionStart: 'us-gov-', dnsSuffix: 'amazonaws.com' },
  { id: 'aws-cn', regionStart: 'cn-', dnsSuffix: 'amazonaws.com.cn' },
  { id: 'aws-eusc', regionStart: 'eusc-', dnsSuffix: 'amazonaws.eu' },
  { id: 'aws-iso', regionStart: 'us-iso-', dnsSuffix: 'c2s.ic.gov' },
  { id: 'aws-iso-b', regionStart: 'us-isob-', dnsSuffix: 'sc2s.sgov.gov' },
  { id: 'aws-iso-e', regionStart: 'eu-isoe-', dnsSuffix: 'cloud.adc-e.uk' },
  { id: 'aws-iso-f', regionStart: 'us-isof-', dnsSuffix: 'csp.hci.ic.gov' },
];

/** Returns the domain of S3's hosts in a region, such as `amazonaws.com.cn`. */
export function awsDnsSuffix(region: string): string {
  const [usual, ...others] = partitions;
  return (others.find(({ regionStart }) => region.startsWith(regionStart)) ?? usual).dnsSuffix;
}

/** Returns the endpoint of S3 in a region. */
export function awsEndpoint(region: string): string {
  return `https://s3.${region}.${awsDnsSuffix(region)}`;
}

const suffixes = new Set(partitions.map(({ dnsSuffix }) => dnsSuffix.replaceAll('.', '\\.')));

/** The domains of all partitions, as part of a regular expression. */
export const anyAwsSuffix = `(?:${[...suffixes].join('|')})`;
