import type { ChosenForBatch } from './batch-props.ts';
import { dialogStore } from '../../ui/dialog/dialog-store.ts';

const batches = dialogStore<ChosenForBatch>();

/** Asks what AWS is to do with the chosen objects; the dialog is drawn by BatchDialogs. */
export const openBatch = batches.open;
export const closeBatch = batches.close;
export const useOpenBatch = batches.useOpened;
