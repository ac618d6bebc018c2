import { isSameBucket, isSamePlace, type Chosen, type OperationPlace } from './chosen.ts';

/** Items to copy or move from one folder to another. */
export interface Transfer {
  readonly from: OperationPlace;
  readonly rows: readonly Chosen[];
  readonly to: OperationPlace;
  readonly isMove: boolean;
}

export type DropVerdict =
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
