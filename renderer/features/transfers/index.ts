export { ConflictsDialog } from './conflicts.tsx';
export { DropUploadArea } from './drop-upload.tsx';
export { openConflicts } from './conflicts-store.ts';
export { UploadOptionsDialog } from './upload-options.tsx';
export { openUploadOptions } from './upload-options-store.ts';
export {
  downloadInBrowser,
  downloadInto,
  startDownload,
  startUpload,
  uploadFiles,
  type TransferPlace,
  type TransferServices,
} from './start-transfer.ts';
