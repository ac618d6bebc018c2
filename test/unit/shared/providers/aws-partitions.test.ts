import { expect, test } from 'vitest';
import { awsEndpoint } from '../../../../shared/providers/aws-partitions.ts';
import { fillEndpoint, presetById, providerById, quirksFor } from '../../../../shared/providers/providers.ts';
import { readServiceAddress } from '../../../../shared/providers/service-address.ts';

// The expected values, as produced by botocore 1.43 from its endpoint rules for s3.
const regions = [
  ['eu-west-1', 'amazonaws.com'],
  ['mx-central-1', 'amazonaws.com'],
  ['us-gov-west-1', 'amazonaws.com'],
  ['cn-north-1', 'amazonaws.com.cn'],
  ['cn-northwest-1', 'amazonaws.com.cn'],
  ['eusc-de-east-1', 'amazonaws.eu'],
  ['us-iso-east-1', 'c2s.ic.gov'],
  ['us-isob-east-1', 'sc2s.sgov.gov'],
  ['eu-isoe-west-1', 'cloud.adc-e.uk'],
  ['us-isof-south-1', 'csp.hci.ic.gov'],
] as const;
const forms = ['s3', 's3.dualstack', 's3-fips', 's3-fips.dualstack'] as const;
const cases = regions.flatMap(([region, suffix]) => forms.map((form) => [form, region, suffix] as const));

test.each(regions)('the endpoint of region %s is in the domain %s', (region, suffix) => {
  expect(awsEndpoint(region)).toBe(`https://s3.${region}.${suffix}`);
  expect(fillEndpoint(presetById('aws'), { region, account: null })).toBe(`https://s3.${region}.${suffix}`);
});

test.each(cases)("the host %s.%s.%s is recognised as Amazon's in its region", (form, region, suffix) => {
  const hostname = `${form}.${region}.${suffix}`;
  const quirks = quirksFor('custom', hostname);
  expect(quirks).toBe(providerById('aws').quirks);
  for (const host of [hostname, `photos.${hostname}`]) {
    expect(quirks.providerHosts?.test(host)).toBe(true);
    expect(quirks.regionInHost?.exec(host)?.[1]).toBe(region);
  }
  expect(readServiceAddress(`https://photos.2024.${hostname}`)?.bucket).toBe('photos.2024');
  expect(readServiceAddress(`https://${hostname}`)).toMatchObject({ kind: 'endpoint', bucket: null });
});

test.each(cases)('switching the region keeps the host form of %s.%s.%s', (form, region, suffix) => {
  const { regionHost } = providerById('aws').quirks;
  expect(regionHost?.(region, `${form}.us-east-1.amazonaws.com`)).toBe(`${form}.${region}.${suffix}`);
  expect(regionHost?.('us-east-1', `${form}.${region}.${suffix}`)).toBe(`${form}.us-east-1.amazonaws.com`);
});

test.each([
  's3.cn-north-1.amazonaws.com.cn.evil.example',
  's3.evil.gov',
  's3.us-iso-east-1.ic.gov',
  'ec2.us-iso-east-1.c2s.ic.gov',
])('the host %s is not recognised as an S3 host', (hostname) => {
  expect(providerById('aws').quirks.providerHosts?.test(hostname)).toBe(false);
});
