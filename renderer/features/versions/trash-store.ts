import type { Place } from '../../../shared/models/objects.ts';
import { dialogStore } from '../../ui/dialog/dialog-store.ts';

export interface TrashWhere extends Place {
  /** '' for the whole bucket; a folder ends in `/`. */
  readonly prefix: string;
}

const trash = dialogStore<TrashWhere>();

/** Opens the deleted objects of a bucket or folder; VersionsDialogs renders them. */
export const openTrash = trash.open;
export const closeTrash = trash.close;
export const useOpenTrash = trash.useOpened;
