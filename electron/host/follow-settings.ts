import type { Core } from '../core/core.ts';
import type { Settings } from '../../shared/models/settings.ts';

/** Calls `apply` with the settings now and after each change, until the signal aborts. */
export async function followSettings(
  core: Pick<Core, 'events' | 'settings'>,
  signal: AbortSignal,
  apply: (settings: Settings) => void,
): Promise<void> {
  const events = core.events.watch(signal);
  apply(core.settings.get());
  for await (const event of events) if (event.kind === 'settings-changed') apply(core.settings.get());
}
