import { defineDialog } from '../../ui/dialog/define-dialog.tsx';
import type { ChosenForBatch } from './batch-props.ts';

/** The dialog for a batch job on the selected objects. */
export const { open: openBatch, Mounted: BatchDialogs } = defineDialog<ChosenForBatch>(
  async () => (await import('./batch-dialog.tsx')).BatchDialog,
);
