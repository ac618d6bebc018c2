import { settingsSchema, type Settings } from '../../../shared/models/settings.ts';
import { defaultSettings } from '../../../shared/models/default-settings.ts';
import type { Values } from '../store/values.ts';
import type { EventHub } from './events.ts';

type SettingsChange = { readonly [Name in keyof Settings]?: Settings[Name] | undefined };

export interface SettingsStore {
  get(): Settings;
  update(change: SettingsChange): Settings;
}

const storedSchema = settingsSchema.partial().catch({});

/** Creates the settings. `onChanged` runs after each change, for the parts of the core that follow them. */
export function createSettings(
  values: Values,
  events: EventHub,
  onChanged: () => void = () => undefined,
): SettingsStore {
  // An unreadable value falls back to its default and does not affect the others.
  const get = (): Settings => {
    const stored = values.get('settings');
    if (typeof stored !== 'object' || stored === null) return defaultSettings;
    const entries = Object.entries(stored).flatMap(([name, value]) =>
      Object.entries(storedSchema.parse({ [name]: value as unknown })),
    );
    return settingsSchema.parse({ ...defaultSettings, ...Object.fromEntries(entries) });
  };
  return {
    get,
    update: (change) => {
      const next = settingsSchema.parse({ ...get(), ...withoutUndefined(change) });
      values.set('settings', next);
      events.emit({ kind: 'settings-changed' });
      onChanged();
      return next;
    },
  };
}

function withoutUndefined(change: SettingsChange): object {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
