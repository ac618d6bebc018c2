export { BucketDialogs, type BucketDialogServices } from './bucket-dialogs.tsx';
export { openBucketDialog } from './dialog-store.ts';
