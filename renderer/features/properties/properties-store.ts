import type { BilledObject } from '../../../shared/pricing/holdings.ts';
import { dialogStore } from '../../ui/dialog/dialog-store.ts';

/** The chosen objects, and folders with their contents. */
export interface PropertiesOf {
  readonly connectionId: string;
  readonly bucket: string;
  readonly keys: readonly string[];
  readonly prefixes: readonly string[];
  /** The chosen objects, for what a change of them costs; those in the folders come from a catalogue. */
  readonly objects: readonly BilledObject[];
}

const properties = dialogStore<PropertiesOf>();

/** Opens the properties of objects for editing; PropertiesDialogs renders it. */
export function openProperties(of: PropertiesOf): void {
  if (of.keys.length + of.prefixes.length > 0) properties.open(of);
}

export const closeProperties = properties.close;
export const useOpenProperties = properties.useOpened;
