import { defineDialogs } from '../../ui/dialog/define-dialog.tsx';
import { bucketDialogs, type BucketDialog } from './dialogs/bucket-dialog-store.ts';
export { openBucketDialog } from './dialogs/bucket-dialog-store.ts';

/** The dialogs about buckets. */
export const BucketDialogs = defineDialogs<BucketDialog>(
  {
    create: async () => (await import('./dialogs/create-dialog.tsx')).CreateDialog,
    settings: async () => (await import('./dialogs/bucket-settings-dialog.tsx')).BucketSettingsDialog,
    remove: async () => (await import('./dialogs/remove-bucket-dialog.tsx')).RemoveBucketDialog,
  },
  { store: bucketDialogs },
);
