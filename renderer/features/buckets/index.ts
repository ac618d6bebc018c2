export { BucketDialogs } from './bucket-dialogs.tsx';
export type { BucketDialogServices } from './dialog-store.ts';
export { openBucketDialog } from './dialog-store.ts';
