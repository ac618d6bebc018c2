import { aws } from './aws.ts';
import { yandex } from './yandex.ts';
import { ceph } from './ceph.ts';
import { minio } from './minio.ts';
import { r2 } from './r2.ts';
import { b2 } from './b2.ts';
import { wasabi } from './wasabi.ts';
import { digitalocean } from './digitalocean.ts';
import { gcs } from './gcs.ts';
import { custom } from './custom.ts';
import { ordinary, type Preset, type Provider, type Quirks } from './provider.ts';

/** The providers in the order of the form's list. */
const list = [aws, yandex, ceph, minio, r2, b2, wasabi, digitalocean, gcs, custom] as const;

export const providers: readonly Provider[] = list;
export const presets: readonly Preset[] = list.map(({ preset }) => preset);

/** Returns the provider with this id. An unknown id, written by another version, counts as custom. */
export function providerById(id: string): Provider {
  return list.find(({ preset }) => preset.id === id) ?? custom;
}

export function presetById(id: string): Preset {
  return providerById(id).preset;
}

/** Returns true if the preset's endpoint depends on the region. */
export function needsRegion({ endpointTemplate }: Preset): boolean {
  return endpointTemplate.includes('{region}');
}

/** Returns true if the preset's endpoint depends on the account. */
export function needsAccount({ endpointTemplate }: Preset): boolean {
  return endpointTemplate.includes('{account}');
}

/** Fills in a preset's template. Returns null while a required value is missing. */
export function fillEndpoint(
  preset: Preset,
  values: { readonly region: string | null; readonly account: string | null },
): string | null {
  if (preset.endpointTemplate === '') return null;
  const region = values.region ?? preset.defaultRegion;
  if (needsRegion(preset) && !region) return null;
  if (needsAccount(preset) && !values.account) return null;
  if (preset.endpointOf !== undefined) return preset.endpointOf(region ?? '');
  return preset.endpointTemplate.replace('{region}', region ?? '').replace('{account}', values.account ?? '');
}

/** Returns the quirks of a connection: of its preset or, for a custom one, of the provider that owns its host. */
export function quirksFor(provider: string, hostname: string): Quirks {
  const { preset, quirks } = providerById(provider);
  if (preset.id !== 'custom') return quirks;
  return providers.find((known) => known.quirks.providerHosts?.test(hostname))?.quirks ?? ordinary;
}
