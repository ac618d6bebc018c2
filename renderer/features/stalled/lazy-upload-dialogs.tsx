import { lazyPart } from '../../ui/lazy-part.tsx';
import { useOpenUploads } from './model/upload-dialog-store.ts';

const LazyDialogs = lazyPart(async () => (await import('./upload-dialogs.tsx')).OpenedDialogs);

/** Renders the open upload, and the dialog that openUploadDialog requested. Mounted once, by the application. */
export function UploadDialogs() {
  const { detail, dialog, serial } = useOpenUploads();
  return detail === null && dialog === null ? null : (
    <LazyDialogs detail={detail} dialog={dialog} serial={serial} />
  );
}
