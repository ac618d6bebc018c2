export { BatchDialogs, openBatch } from './batch-dialogs.ts';
export type { ChosenForBatch } from './batch-props.ts';
/** Loads the list of providers that run batch jobs, since the window's first render does not need it. */
export const loadBatchOffers = () => import('./offers-batches.ts');
