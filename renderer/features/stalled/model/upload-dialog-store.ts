import { create } from 'zustand';
import type { UploadRef } from '../../../../shared/models/stalled.ts';
import type { DropOutcome } from '../../../ui/drop/file-drop.ts';
import type { UploadsWhere } from './list-query.ts';
import type { Loss, Selected } from './upload-selection.ts';

export type UploadDialog =
  | { readonly kind: 'complete'; readonly refs: readonly UploadRef[] }
  /** `dropped` contains the files dropped on the upload, if the drop opened the dialog. */
  | { readonly kind: 'resume'; readonly ref: UploadRef; readonly dropped?: DropOutcome }
  | { readonly kind: 'resume-folder'; readonly refs: readonly UploadRef[] }
  | { readonly kind: 'abort'; readonly uploads: readonly Selected[]; readonly loss: Loss }
  | { readonly kind: 'old'; readonly scanId: string; readonly connectionId: string }
  | { readonly kind: 'typed'; readonly where: UploadsWhere };

export interface OpenUploads {
  /** The upload shown in the drawer, which stays below a dialog. */
  readonly detail: UploadRef | null;
  readonly dialog: UploadDialog | null;
  /** A number that grows with each opening, so that a dialog starts with fresh state. */
  readonly serial: number;
}

/** The open upload and dialog. */
export const useOpenUploads = create<OpenUploads>()(() => ({ detail: null, dialog: null, serial: 0 }));

export function openUpload(ref: UploadRef): void {
  useOpenUploads.setState(({ serial }) => ({ detail: ref, dialog: null, serial: serial + 1 }));
}

export function closeUpload(): void {
  useOpenUploads.setState({ detail: null });
}

/** Opens a dialog about uploads, which `UploadDialogs` renders. */
export function openUploadDialog(dialog: UploadDialog): void {
  useOpenUploads.setState(({ serial }) => ({ dialog, serial: serial + 1 }));
}

export function closeUploadDialog(): void {
  useOpenUploads.setState({ dialog: null });
}
