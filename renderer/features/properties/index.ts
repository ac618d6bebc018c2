import { defineDialog } from '../../ui/dialog/define-dialog.tsx';
import { passKeysToNextField } from '../../ui/keyboard/early-keys.ts';
import type { PropertiesOf } from './use-properties.ts';

export type { PropertiesOf } from './use-properties.ts';

const properties = defineDialog<PropertiesOf>(
  async () => (await import('./properties-dialog.tsx')).PropertiesDialog,
);

export const PropertiesDialogs = properties.Mounted;

/** Opens the properties of objects for editing. Focus starts in a field. */
export function openProperties(of: PropertiesOf): void {
  if (of.keys.length + of.prefixes.length === 0) return;
  passKeysToNextField('dialog');
  properties.open(of);
}
