import { create } from 'zustand';
import type { TFunction } from 'i18next';
import { clipboardLine } from '../../ui/clipboard/shell-quote.ts';
import { type NoticeMessage, showNotice } from '../../ui/notices/notices.tsx';
import type { OperationServices } from './operation-dialog-store.ts';
import { beginTransfer } from './start-operation.ts';
import { dropVerdict, type Chosen, countText, isSamePlace, type OperationPlace } from './chosen.ts';

/** The rows copied or cut in this window, until they are pasted or other rows are marked. */
export interface Marked {
  readonly isCut: boolean;
  readonly from: OperationPlace;
  readonly rows: readonly Chosen[];
  readonly keys: ReadonlySet<string>;
}

const useMarked = create<{ readonly marked: Marked | null }>()(() => ({ marked: null }));

function markedNow(): Marked | null {
  return useMarked.getState().marked;
}

/** Clears the mark on cut rows, but not on copied rows. Returns true if rows were cut. */
export function forgetCut(): boolean {
  if (markedNow()?.isCut !== true) return false;
  useMarked.setState({ marked: null });
  return true;
}

/**
 * Returns the keys of this folder's rows that were cut, or null without cut rows. The set stays the same object until cut rows
 * change.
 */
export function useCutKeys(place: OperationPlace | null): ReadonlySet<string> | null {
  const { marked } = useMarked();
  return place !== null && marked?.isCut === true && isSamePlace(marked.from, place) ? marked.keys : null;
}

function markRows(isCut: boolean, from: OperationPlace, rows: readonly Chosen[]): void {
  if (rows.length === 0) return;
  useMarked.setState({ marked: { isCut, from, rows, keys: new Set(rows.map(({ key }) => key)) } });
  const sentence: NoticeMessage = (say) =>
    say(isCut ? 'operations.clipboard.cut' : 'operations.clipboard.copied', { things: countText(rows, say) });
  navigator.clipboard.writeText(rows.map(({ key }) => clipboardLine(key)).join('\n')).then(
    () => showNotice({ message: sentence, staysMs: 2500 }),
    // The rows are marked for pasting even if the keys could not be copied as text.
    () => showNotice({ message: sentence, title: (say) => say('common.copyFailed') }),
  );
}

/** Marks rows for pasting, and copies their keys to the system clipboard as text. */
export function copyMarked(from: OperationPlace, rows: readonly Chosen[]): void {
  markRows(false, from, rows);
}

/** Marks rows like `copyMarked`, but pasting moves them. */
export function cutMarked(from: OperationPlace, rows: readonly Chosen[]): void {
  markRows(true, from, rows);
}

/** Pastes copied or cut rows here. */
export function pasteMarked(to: OperationPlace, services: OperationServices, t: TFunction): void {
  const marked = markedNow();
  if (marked === null) {
    showNotice({ message: (say) => say('operations.clipboard.nothing') });
    return;
  }
  const { isCut, from, rows } = marked;
  const transfer = { from, rows, to, isMove: isCut };
  const isAccepted = beginTransfer(transfer, services, t);
  // Folders need a confirmation first, whose dialog clears the mark.
  if (isCut && isAccepted && dropVerdict(transfer).kind === 'go') forgetCut();
}
