import { AbortDialog } from './dialogs/abort-dialog.tsx';
import { CompleteDialog } from './dialogs/complete-dialog.tsx';
import type { OpenUploads, UploadDialog } from './model/upload-dialog-store.ts';
import { OldDialog } from './dialogs/old-dialog.tsx';
import { ResumeDialog } from './resume/resume-dialog.tsx';
import { ResumeFolderDialog } from './resume/resume-folder-dialog.tsx';
import { TypedDialog } from './dialogs/typed-dialog.tsx';
import { UploadDrawer } from './detail/upload-drawer.tsx';

interface Props {
  readonly detail: OpenUploads['detail'];
  readonly dialog: UploadDialog | null;
  /** A new number for each dialog opened. */
  readonly serial: number;
}

/** Renders the open upload, and the dialog over it. */
export function OpenedDialogs({ detail, dialog, serial }: Props) {
  return (
    <>
      {detail === null ? null : <UploadDrawer upload={detail} covered={dialog !== null} />}
      {dialog === null ? null : <Dialog key={serial} dialog={dialog} />}
    </>
  );
}

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
