import type { UploadRef } from '../../../../shared/models/stalled.ts';
import { openUpload, openUploadDialog } from './upload-dialog-store.ts';
import type { Loss, Selected } from './upload-selection.ts';

export const uploadActions = ['open', 'resume', 'complete', 'abort'] as const;
export type UploadAction = (typeof uploadActions)[number];

/** Returns true if the action can be used with this number of selected uploads. */
export function isAllowed(action: UploadAction, count: number): boolean {
  return action === 'open' ? count === 1 : count > 0;
}

/** Returns the key for the label of the button. One upload is resumed from a file, several from a folder. */
export function uploadActionLabel(action: UploadAction, count: number): UploadAction | 'resumeFolder' {
  return action === 'resume' && count > 1 ? 'resumeFolder' : action;
}

export function runAction(action: UploadAction, uploads: readonly Selected[], loss: Loss): void {
  const refs: readonly UploadRef[] = uploads.map(({ ref }) => ref);
  const [first] = refs;
  if (first === undefined) return;
  switch (action) {
    case 'open':
      openUpload(first);
      return;
    case 'resume':
      openUploadDialog(refs.length === 1 ? { kind: 'resume', ref: first } : { kind: 'resume-folder', refs });
      return;
    case 'complete':
      openUploadDialog({ kind: 'complete', refs });
      return;
    default:
      openUploadDialog({ kind: 'abort', uploads, loss });
  }
}
