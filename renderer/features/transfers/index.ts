import { lazyPart } from '../../ui/lazy-part.tsx';
export {
  ConflictsDialog,
  openConflicts,
  openUploadOptions,
  UploadOptionsDialog,
} from './start/start-dialogs.ts';
export { DropUploadArea } from './start/drop-upload.tsx';
export {
  downloadInBrowser,
  downloadInto,
  fetchForDrag,
  openTransfers,
  showStartedJob,
  startDownload,
  startUpload,
  uploadFiles,
  useShownJob,
  type TransferPlace,
} from './start/start-transfer.ts';
export { beginPriced, downloadObject } from './start/priced-download.ts';
export { JobsButton } from './queue/jobs-button.tsx';
export { onJobsEvent, useJobsNow } from './queue/jobs-store.ts';
export { useJobsWatch } from './queue/use-jobs-watch.tsx';
/** The transfers' section of the settings dialog. */
export const loadJobSettings = async () => (await import('./queue/job-settings.tsx')).JobSettingsSection;

/** The panel of transfers. */
export const LazyJobsPanel = lazyPart(async () => (await import('./queue/jobs-panel.tsx')).JobsPanel);
