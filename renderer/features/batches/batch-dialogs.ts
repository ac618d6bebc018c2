import { defineDialog } from '../../ui/dialog/define-dialog.tsx';
import type { ChosenForBatch } from './batch-props.ts';

/** The dialog for a batch job on the selected objects. */
export const { open: openBatch, Mounted: BatchDialogs } = defineDialog<
  ChosenForBatch,
  { readonly onShowJob: (jobId: string) => void }
>(async () => (await import('./batch-dialog.tsx')).BatchDialog);
