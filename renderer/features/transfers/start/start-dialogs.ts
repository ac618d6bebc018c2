import { defineDialog } from '../../../ui/dialog/define-dialog.tsx';
import type { TransferPlace } from './start-transfer.ts';

/** The dialog with the conflicts of a transfer. Opened with the job's id. */
export const { open: openConflicts, Mounted: ConflictsDialog } = defineDialog<string>(
  async () => (await import('./conflicts-dialog.tsx')).Conflicts,
);

/** The dialog that asks what to upload into a folder, and how. */
export const { open: openUploadOptions, Mounted: UploadOptionsDialog } = defineDialog<TransferPlace>(
  async () => (await import('./upload-options-dialog.tsx')).UploadOptions,
);
