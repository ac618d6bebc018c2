import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createStore } from 'zustand/vanilla';
import type { UploadRef } from '../../../../shared/models/stalled.ts';
import { orpc } from '../../../rpc/client.ts';
import { dialogStore, type DialogProps } from '../../../ui/dialog/define-dialog.tsx';
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

/** The props of one kind of dialog about uploads. */
export type UploadDialogProps<Kind extends UploadDialog['kind']> = DialogProps<
  Extract<UploadDialog, { kind: Kind }>
>;

/** The upload shown in the drawer, which stays below a dialog. */
export const uploadDrawer = dialogStore<UploadRef>();
export const uploadDialogs = dialogStore<UploadDialog>();

export function openUpload(ref: UploadRef): void {
  uploadDialogs.close();
  uploadDrawer.open(ref);
}

export const closeUpload = uploadDrawer.close;

/** Opens a dialog about uploads, which `UploadDialogs` renders. */
export const openUploadDialog = uploadDialogs.open;
export const closeUploadDialog = uploadDialogs.close;

const reloads = createStore<{ readonly reloadCount: number }>()(() => ({ reloadCount: 0 }));

/** Lists the visible stalled uploads again, for the window's Reload command. */
export function reloadUploads(): void {
  reloads.setState(({ reloadCount }) => ({ reloadCount: reloadCount + 1 }));
}

/** Calls the listener on each reload until the returned function is called. */
export function onReloadUploads(listener: () => void): () => void {
  return reloads.subscribe(listener);
}

/** Returns the number of stalled uploads for the sidebar. Null while it is unknown, or if it cannot be counted. */
export function useUploadCount(where: UploadsWhere, refreshSignal: number) {
  const client = useQueryClient();
  const input = { connectionId: where.connectionId, bucket: where.bucket, prefix: where.prefix };
  const count = useQuery(orpc.stalled.count.queryOptions({ input, staleTime: 60_000 }));
  useEffect(() => {
    if (refreshSignal > 0) void client.invalidateQueries({ queryKey: orpc.stalled.count.key() });
  }, [client, refreshSignal]);
  return count.data ?? null;
}
