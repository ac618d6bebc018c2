import { isSameBucket, isSamePlace, type Chosen, type OperationPlace } from './chosen.ts';

/** Things that go from one folder to another. */
export interface Transfer {
  readonly from: OperationPlace;
  readonly rows: readonly Chosen[];
  readonly to: OperationPlace;
  readonly isMove: boolean;
}

export type Verdict =
  | { readonly kind: 'go' }
  /** A folder goes to another place, which can be much; or things go to another service, which takes not all that belongs to them. */
  | { readonly kind: 'ask' }
  /** A copy into the folder that it comes from: it needs another name. */
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'refused'; readonly why: 'into-itself' | 'already-here' };

/** The result of a paste or drop. */
export function dropVerdict({ from, rows, to, isMove }: Transfer): Verdict {
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

/** As file managers have it: a drag moves within a bucket and copies out of it, unless a key says otherwise. */
export function movesByDrag(keys: Keys, isSame: boolean, mac: boolean): boolean {
  if (mac ? keys.altKey : keys.ctrlKey) return false;
  if (mac ? keys.metaKey : keys.shiftKey) return true;
  return isSame;
}
