import { describe, expect, it } from 'vitest';
import { quirksFor } from '../../../../shared/providers/providers.ts';
import { fillEndpoint, presetById, presets, providerById } from '../../../../shared/providers/providers.ts';

describe('provider presets', () => {
  it('include every supported provider with its quirks', () => {
    expect(presets.map(({ id }) => id)).toEqual([
      'aws',
      'yandex',
      'ceph',
      'minio',
      'r2',
      'b2',
      'wasabi',
      'digitalocean',
      'gcs',
      'custom',
    ]);
    for (const { id } of presets) expect(quirksFor(id, 'h.example')).toBe(providerById(id).quirks);
  });

  it('fill their endpoint template or report a missing value', () => {
    const none = { region: null, account: null };
    expect(fillEndpoint(presetById('aws'), { ...none, region: 'eu-west-1' })).toBe(
      'https://s3.eu-west-1.amazonaws.com',
    );
    expect(fillEndpoint(presetById('aws'), none)).toBe('https://s3.us-east-1.amazonaws.com');
    expect(fillEndpoint(presetById('r2'), { ...none, account: 'abc' })).toBe(
      'https://abc.r2.cloudflarestorage.com',
    );
    expect(fillEndpoint(presetById('r2'), none)).toBeNull();
    expect(fillEndpoint(presetById('ceph'), none)).toBeNull();
  });

  it('have endpoints that their quirks recognise in every region', () => {
    for (const preset of presets.filter(({ endpointTemplate }) => endpointTemplate !== '')) {
      for (const region of preset.regions) {
        const endpoint = fillEndpoint(preset, { region, account: 'acct' }) ?? '';
        const { hostname } = new URL(endpoint);
        const quirks = quirksFor(preset.id, hostname);
        expect(hostname).toMatch(quirks.providerHosts ?? /never^/);
        expect(quirksFor('custom', hostname)).toBe(quirks);
        const found = quirks.regionInHost?.exec(hostname)?.[1] ?? region;
        expect(found).toBe(region);
      }
    }
  });

  it('fall back to custom for an unknown id', () => {
    expect(presetById('from-the-future').id).toBe('custom');
  });
});

describe('provider quirks', () => {
  it('list the storage classes and features of the provider', () => {
    expect(quirksFor('yandex', 'storage.test').storageClasses).toEqual(
      expect.arrayContaining(['STANDARD', 'COLD']),
    );
    expect(quirksFor('r2', 'storage.test').equalPartSizes).toBe(true);
  });

  it.each([
    // The expected values, as produced by botocore 1.43 from its endpoint rules for s3control.
    ['s3.eu-west-1.amazonaws.com', 'eu-west-1', '1.s3-control.eu-west-1.amazonaws.com'],
    ['s3.us-east-1.amazonaws.com', 'eu-west-1', '1.s3-control.eu-west-1.amazonaws.com'],
    ['s3.amazonaws.com', 'us-east-1', '1.s3-control.us-east-1.amazonaws.com'],
    ['s3-fips.us-east-1.amazonaws.com', 'us-east-1', '1.s3-control-fips.us-east-1.amazonaws.com'],
    ['s3.dualstack.eu-west-1.amazonaws.com', 'eu-west-1', '1.s3-control.dualstack.eu-west-1.amazonaws.com'],
    [
      's3-fips.dualstack.us-east-1.amazonaws.com',
      'us-east-1',
      '1.s3-control-fips.dualstack.us-east-1.amazonaws.com',
    ],
    ['s3.cn-north-1.amazonaws.com.cn', 'cn-north-1', '1.s3-control.cn-north-1.amazonaws.com.cn'],
    [
      'bucket.vpce-1a-2b.s3.us-east-1.vpce.amazonaws.com',
      'us-east-1',
      '1.control.vpce-1a-2b.s3.us-east-1.vpce.amazonaws.com',
    ],
    ['gateway.example', 'us-east-1', null],
    ['s3.amazonaws.com.evil.example', 'us-east-1', null],
  ])('derive the S3 Control host of %s in %s', (hostname, region, expected) => {
    expect(quirksFor('aws', hostname).controlHost?.({ hostname, accountId: '1', region })).toBe(expected);
  });

  it('offer S3 Batch jobs only for Amazon, by preset or host', () => {
    const others = presets.filter(({ id }) => id !== 'aws');
    for (const { id } of others) expect(quirksFor(id, 'storage.test').controlHost).toBeNull();
    expect(quirksFor('custom', 's3.eu-west-1.amazonaws.com').controlHost).not.toBeNull();
  });
});
