export { BatchDialogs, openBatch } from './batch-dialogs.ts';
export type { ChosenForBatch } from './batch-props.ts';
/** Loads what the first rendering does not need: the list of providers. */
export const loadBatchOffers = () => import('./offers-batches.ts');
