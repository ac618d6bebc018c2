export { ConflictsDialog } from './conflicts.tsx';
export { DropUploadArea } from './drop-upload.tsx';
export { openConflicts } from './conflicts-store.ts';
export { startDownload, startUpload, type TransferPlace, type TransferServices } from './start.ts';
