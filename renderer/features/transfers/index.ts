export { ConflictsDialog } from './start/conflicts.tsx';
export { DropUploadArea } from './start/drop-upload.tsx';
export { openConflicts } from './start/conflicts-store.ts';
export { UploadOptionsDialog } from './start/upload-options.tsx';
export { openUploadOptions } from './start/upload-options-store.ts';
export {
  downloadInBrowser,
  downloadInto,
  startDownload,
  startUpload,
  uploadFiles,
  type TransferPlace,
  type TransferServices,
} from './start/start-transfer.ts';
export { JobsButton } from './queue/jobs-button.tsx';
export { LazyJobsPanel } from './queue/lazy-panel.tsx';
export { onJobsEvent, useJobsNow } from './queue/jobs-store.ts';
export type { JobServices } from './queue/job-services.ts';
export { useJobsWatch } from './queue/use-jobs-watch.tsx';
/** Loaded with the settings. */
export const loadJobSettings = async () => (await import('./queue/settings-section.tsx')).JobSettingsSection;
