import { memo } from 'react';
import { AbortDialog } from './abort-dialog.tsx';
import { CompleteDialog } from './complete-dialog.tsx';
import { useOpenUploads, type UploadDialog } from './dialog-store.ts';
import { OldDialog } from './old-dialog.tsx';
import { ResumeDialog } from './resume-dialog.tsx';
import { ResumeFolderDialog } from './resume-folder-dialog.tsx';
import { UploadServicesProvider, type UploadServices } from './services.ts';
import { TypedDialog } from './typed-dialog.tsx';
import { UploadDrawer } from './upload-drawer.tsx';

/** Draws the open upload and whatever openUploadDialog asked for. Mounted once, by the application. */
export const UploadDialogs = memo(function UploadDialogs({
  services,
}: {
  readonly services: UploadServices;
}) {
  const { detail, dialog, serial } = useOpenUploads();
  return (
    <UploadServicesProvider value={services}>
      {detail === null ? null : <UploadDrawer upload={detail} covered={dialog !== null} />}
      {dialog === null ? null : <Dialog key={serial} dialog={dialog} />}
    </UploadServicesProvider>
  );
});

function Dialog({ dialog }: { readonly dialog: UploadDialog }) {
  switch (dialog.kind) {
    case 'complete':
      return <CompleteDialog refs={dialog.refs} />;
    case 'resume':
      return <ResumeDialog upload={dialog.ref} dropped={dialog.dropped ?? null} />;
    case 'resume-folder':
      return <ResumeFolderDialog refs={dialog.refs} />;
    case 'abort':
      return <AbortDialog uploads={dialog.uploads} loss={dialog.loss} />;
    case 'old':
      return <OldDialog scanId={dialog.scanId} connectionId={dialog.connectionId} />;
    default:
      return <TypedDialog where={dialog.where} />;
  }
}
