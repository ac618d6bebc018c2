import { providerById, providers } from '../../../../shared/providers/providers.ts';
import { ordinary, type Quirks } from '../../../../shared/providers/provider.ts';

/** The quirks of a connection: of its preset, or, for a custom one, of the provider that its host belongs to. */
export function quirksFor(provider: string, hostname: string): Quirks {
  const { preset, quirks } = providerById(provider);
  if (preset.id !== 'custom') return quirks;
  return providers.find((known) => known.quirks.ownHosts?.test(hostname))?.quirks ?? ordinary;
}
