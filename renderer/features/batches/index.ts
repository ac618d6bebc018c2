export { BatchDialogs } from './batch-dialogs.tsx';
export type { BatchServices, ChosenForBatch } from './batch-props.ts';
export { openBatch } from './batch-store.ts';
export { offersBatches } from './offers-batches.ts';
