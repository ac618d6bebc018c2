import { defineDialog } from '../../ui/dialog/define-dialog.tsx';
import { picker, type PickRequest } from './pick-store.ts';
export { pickLocal, pickManyLocal } from './pick-store.ts';
export { LocalSidebar } from './local-sidebar.tsx';

/** The picker for files and folders on this computer. */
export const { Mounted: FilePicker } = defineDialog<PickRequest>(
  async () => (await import('./picker-dialog.tsx')).Picker,
  picker,
);
