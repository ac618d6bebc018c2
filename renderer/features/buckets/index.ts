export { BucketDialogs } from './dialogs/bucket-dialogs.tsx';
export type { BucketDialogServices } from './dialogs/bucket-dialog-store.ts';
export { openBucketDialog } from './dialogs/bucket-dialog-store.ts';
