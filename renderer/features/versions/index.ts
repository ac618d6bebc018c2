import type { QueryClient } from '@tanstack/react-query';
import type { ObjectRef, Place } from '../../../shared/models/objects.ts';
import { defineDialog } from '../../ui/dialog/define-dialog.tsx';
import { passKeysToNextField } from '../../ui/keyboard/early-keys.ts';
import type { TrashWhere } from './use-trash.ts';

export { VersionPreviews } from './version-preview.tsx';
export { VersionsFolder } from './versions-folder.tsx';

/** The dialog that lists all versions of one object. */
export const { open: openVersions, Mounted: VersionsDialogs } = defineDialog<ObjectRef>(
  async () => (await import('./versions-dialog.tsx')).VersionsDialog,
);

const trash = defineDialog<TrashWhere>(async () => (await import('./trash-dialog.tsx')).TrashDialog);

export const TrashDialogs = trash.Mounted;

/** Opens the deleted objects of a bucket or folder. Focus starts in a field. */
export function openTrash(where: TrashWhere): void {
  passKeysToNextField('dialog');
  trash.open(where);
}

/** Restarts the version lists of a bucket at their first page after a change. */
export function refreshVersions(queries: QueryClient, { connectionId, bucket }: Place): void {
  void queries.resetQueries({ queryKey: ['versions', connectionId, bucket] });
}
