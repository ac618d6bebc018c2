import { lazyPart } from '../../ui/lazy-part.tsx';
export { openUpload } from './model/upload-dialog-store.ts';
export type { UploadsWhere } from './model/list-query.ts';
export { reloadUploads } from './model/reload-signal.ts';
export { UploadDialogs } from './lazy-upload-dialogs.tsx';
export { useUploadCount } from './model/use-upload-count.ts';

/** The page of stalled uploads. */
export const LazyStalledView = lazyPart(async () => (await import('./list/uploads-view.tsx')).StalledView);
