export { BatchDialogs } from './batch-dialogs.tsx';
export type { ChosenForBatch } from './batch-props.ts';
export { openBatch } from './batch-store.ts';
/** Loads what the first rendering does not need: the list of providers. */
export const loadBatchOffers = () => import('./offers-batches.ts');
