import type { ChosenForBatch } from './batch-props.ts';
import { dialogStore } from '../../ui/dialog/dialog-store.ts';

const batches = dialogStore<ChosenForBatch>();

/** Opens the dialog for a batch job on the selected objects; BatchDialogs renders it. */
export const openBatch = batches.open;
export const closeBatch = batches.close;
export const useOpenBatch = batches.useOpened;
