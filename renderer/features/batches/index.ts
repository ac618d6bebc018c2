import { defineDialog } from '../../ui/dialog/define-dialog.tsx';
import type { ChosenForBatch } from './batch-form.ts';

export type { ChosenForBatch } from './batch-form.ts';

/** The dialog for a batch job on the selected objects. */
export const { open: openBatch, Mounted: BatchDialogs } = defineDialog<ChosenForBatch>(
  async () => (await import('./batch-dialog.tsx')).BatchDialog,
);

/** Loads the list of providers that run batch jobs, since the window's first render does not need it. */
export const loadBatchOffers = () => import('./offers-batches.ts');
