export { openUpload } from './dialog-store.ts';
export type { UploadsWhere } from './list-query.ts';
export type { UploadServices } from './services.ts';
export { reloadUploads } from './reload-signal.ts';
export { UploadDialogs } from './lazy-dialogs.tsx';
export { UploadsView } from './lazy-view.tsx';
export { useUploadCount } from './use-upload-count.ts';
