import { defineDialog, defineDialogs } from '../../ui/dialog/define-dialog.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { UploadRef } from '../../../shared/models/stalled.ts';
import { uploadDialogs, uploadDrawer, type UploadDialog } from './model/uploads-store.ts';
export { openUpload, reloadUploads, useUploadCount } from './model/uploads-store.ts';
export type { UploadsWhere } from './model/list-query.ts';

/** The page of stalled uploads. */
export const LazyStalledView = lazyPart(async () => (await import('./list/uploads-view.tsx')).StalledView);

/** The drawer with the facts about one upload. */
export const { Mounted: UploadDrawers } = defineDialog<UploadRef>(
  async () => (await import('./detail/upload-drawer.tsx')).UploadDrawer,
  uploadDrawer,
);

/** The dialogs about uploads, which open over the drawer. */
export const UploadDialogs = defineDialogs<UploadDialog>(
  {
    complete: async () => (await import('./dialogs/complete-dialog.tsx')).CompleteDialog,
    resume: async () => (await import('./resume/resume-dialog.tsx')).ResumeDialog,
    'resume-folder': async () => (await import('./resume/resume-folder-dialog.tsx')).ResumeFolderDialog,
    abort: async () => (await import('./dialogs/abort-dialog.tsx')).AbortDialog,
    old: async () => (await import('./dialogs/old-dialog.tsx')).OldDialog,
    typed: async () => (await import('./dialogs/typed-dialog.tsx')).TypedDialog,
  },
  { store: uploadDialogs },
);
