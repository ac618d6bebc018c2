export { openUpload } from './dialog-store.ts';
export type { UploadsWhere } from './list-query.ts';
export type { UploadServices } from './services.ts';
export { reloadUploads } from './reload-signal.ts';
export { UploadDialogs } from './upload-dialogs.tsx';
export { UploadsView } from './uploads-view.tsx';
export { useUploadCount } from './use-upload-count.ts';
