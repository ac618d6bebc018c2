import { describe, expect, it } from 'vitest';
import { quirksFor } from '../../../../../electron/core/s3/http/provider-quirks.ts';
import { fillEndpoint, presetById, presets } from '../../../../../shared/providers/providers.ts';

describe('presets', () => {
  it('are the providers that a connection can be made for, each with quirks of its own', () => {
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
    for (const { id } of presets) expect(quirksFor(id, 'h.example').listVersion).toBe(2);
  });

  it('fill their template in, or say that something is missing', () => {
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

  it('have endpoints that their own quirks recognise, in every region', () => {
    for (const preset of presets.filter(({ endpointTemplate }) => endpointTemplate !== '')) {
      for (const region of preset.regions) {
        const endpoint = fillEndpoint(preset, { region, account: 'acct' }) ?? '';
        const { hostname } = new URL(endpoint);
        const quirks = quirksFor(preset.id, hostname);
        expect(hostname).toMatch(quirks.ownHosts ?? /never^/);
        expect(quirksFor('custom', hostname)).toBe(quirks);
        const found = quirks.regionInHost?.exec(hostname)?.[1] ?? region;
        expect(found).toBe(region);
      }
    }
  });

  it('that nobody knows are custom', () => {
    expect(presetById('from-the-future').id).toBe('custom');
  });
});

describe('what a provider can do', () => {
  it('offers the storage classes that the provider has', () => {
    expect(quirksFor('yandex', 'storage.test').storageClasses).toEqual(
      expect.arrayContaining(['STANDARD', 'COLD']),
    );
    expect(quirksFor('minio', 'storage.test').listsAllUploads).toBe(false);
    expect(quirksFor('r2', 'storage.test').equalPartSizes).toBe(true);
    expect(quirksFor('custom', 'storage.test').multiDelete).toBe(true);
  });
});
