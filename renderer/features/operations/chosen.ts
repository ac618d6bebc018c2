import type { TFunction } from 'i18next';
import type { Place } from '../../../shared/models/objects.ts';
import type { Renamed, SelectionItem } from '../../../shared/models/operations.ts';
import { selectionGroups } from '../../../shared/models/limits.ts';
import { formatCount } from '../../ui/words/format.ts';

/** A folder in a bucket, as the source or target of an operation. */
export interface OperationPlace extends Place {
  /** '' or ending in `/`. */
  readonly folder: string;
}

/** A selected row. */
export interface Chosen {
  readonly kind: 'folder' | 'object';
  /** The object key, or the folder's common prefix with its trailing `/`. */
  readonly key: string;
  readonly sizeBytes: number;
  /** The storage class, from which the cost of a download follows. Absent if unknown. */
  readonly storageClass?: string | null;
  readonly modifiedMs?: number;
}

/** All results of a search. */
export interface Found {
  readonly walkId: string;
  readonly keys: number;
  readonly sizeBytes: number;
}

export function isSamePlace(a: OperationPlace, b: OperationPlace): boolean {
  return isSameBucket(a, b) && a.folder === b.folder;
}

export function isSameBucket(a: Place, b: Place): boolean {
  return a.connectionId === b.connectionId && a.bucket === b.bucket;
}

export function itemOf({ kind, key }: Pick<Chosen, 'kind' | 'key'>): Renamed {
  return kind === 'folder' ? { kind: 'prefix', prefix: key } : { kind: 'key', key };
}

/** Splits the rows into groups of at most the size that the core accepts per call. */
export function itemChunks(rows: readonly Chosen[]): readonly SelectionItem[][] {
  return selectionGroups(rows).map((group) => group.map((row) => itemOf(row)));
}

/** Returns the row's name within its folder. */
export function nameOf({ kind, key }: Pick<Chosen, 'kind' | 'key'>): string {
  const end = kind === 'folder' ? key.length - 1 : key.length;
  return key.slice(key.lastIndexOf('/', end - 1) + 1, end);
}

/** Returns the place as the text `bucket/folder/`. */
export function placeText({ bucket, folder }: OperationPlace): string {
  return `${bucket}/${folder}`;
}

/** Returns a text such as "2 folders and 5 objects", with "files" instead of "objects" for local rows. */
export function countText(
  rows: readonly Pick<Chosen, 'kind'>[],
  t: TFunction,
  of: 'objects' | 'files' = 'objects',
): string {
  const folders = rows.filter(({ kind }) => kind === 'folder').length;
  const others = rows.length - folders;
  const foldersText = t('operations.things.folders', { count: folders, number: formatCount(folders) });
  if (others === 0) return foldersText;
  const othersText =
    of === 'files'
      ? t('operations.things.files', { count: others, number: formatCount(others) })
      : objectsText(others, t);
  return folders === 0
    ? othersText
    : t('operations.things.both', { folders: foldersText, objects: othersText });
}

export function objectsText(count: number, t: TFunction): string {
  return t('operations.things.objects', { count, number: formatCount(count) });
}

/** Items to copy or move from one folder to another. */
export interface Transfer {
  readonly from: OperationPlace;
  readonly rows: readonly Chosen[];
  readonly to: OperationPlace;
  readonly isMove: boolean;
}

type DropVerdict =
  | { readonly kind: 'go' }
  /** The user must confirm. Folders may contain many objects, and another service may not keep all properties of an object. */
  | { readonly kind: 'ask' }
  /** The copy goes into the same folder and needs another name. */
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'refused'; readonly why: 'into-itself' | 'already-here' };

/** Returns what a paste or drop does. */
export function dropVerdict({ from, rows, to, isMove }: Transfer): DropVerdict {
  if (isSamePlace(from, to)) return isMove ? { kind: 'refused', why: 'already-here' } : { kind: 'duplicate' };
  const folders = rows.filter(({ kind }) => kind === 'folder');
  if (isSameBucket(from, to) && folders.some(({ key }) => to.folder.startsWith(key)))
    return { kind: 'refused', why: 'into-itself' };
  const losesAcl = from.connectionId !== to.connectionId;
  return isMove && (folders.length > 0 || losesAcl) ? { kind: 'ask' } : { kind: 'go' };
}

interface Keys {
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/**
 * Returns true if a drag moves items. As in file managers, it moves within a bucket and copies elsewhere, unless a key is held.
 */
export function movesByDrag(keys: Keys, isSame: boolean, mac: boolean): boolean {
  if (mac ? keys.altKey : keys.ctrlKey) return false;
  if (mac ? keys.metaKey : keys.shiftKey) return true;
  return isSame;
}
