export { BucketDialogs } from './dialogs/bucket-dialogs.tsx';
export { openBucketDialog } from './dialogs/bucket-dialog-store.ts';
