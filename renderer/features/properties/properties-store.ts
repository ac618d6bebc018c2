import { useSyncExternalStore } from 'react';

/** What was chosen: objects, and folders with all that is in them. */
export interface PropertiesOf {
  readonly connectionId: string;
  readonly bucket: string;
  readonly keys: readonly string[];
  readonly prefixes: readonly string[];
}

let current: { readonly of: PropertiesOf | null; readonly serial: number } = { of: null, serial: 0 };
const listeners = new Set<() => void>();

function set(of: PropertiesOf | null): void {
  current = { of, serial: current.serial + 1 };
  for (const listener of listeners) listener();
}

/** Shows the properties of objects, to be changed; drawn by PropertiesDialogs. */
export function openProperties(of: PropertiesOf): void {
  if (of.keys.length + of.prefixes.length > 0) set(of);
}

export function closeProperties(): void {
  set(null);
}

export function useOpenProperties() {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
