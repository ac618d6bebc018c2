import { clipboardLine } from '../../ui/clipboard/shell-quote.ts';
import { showNotice, type Say } from '../../ui/notices/notices.tsx';
import type { TFunction } from 'i18next';
import { thingsText, type Chosen, type OperationPlace } from './chosen.ts';
import { forgetCut, mark, markedNow } from './clipboard.ts';
import type { OperationServices } from './operation-services.ts';
import { beginTransfer } from './start-operation.ts';
import { dropVerdict } from './transfer-plan.ts';

function markRows(isCut: boolean, from: OperationPlace, rows: readonly Chosen[]): void {
  if (rows.length === 0) return;
  mark(isCut, from, rows);
  const sentence: Say = (say) =>
    say(isCut ? 'operations.clipboard.cut' : 'operations.clipboard.copied', {
      things: thingsText(rows, say),
    });
  navigator.clipboard.writeText(rows.map(({ key }) => clipboardLine(key)).join('\n')).then(
    () => showNotice({ message: sentence, staysMs: 2500 }),
    // The rows are marked anyway; only their keys could not be written as text.
    () => showNotice({ message: sentence, title: (say) => say('common.copyFailed') }),
  );
}

/** Marks rows for pasting, and copies their keys to the system's clipboard as text. */
export function copyMarked(from: OperationPlace, rows: readonly Chosen[]): void {
  markRows(false, from, rows);
}

/** Does the same, and pasting moves the rows. */
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
  const isTaken = beginTransfer(transfer, services, t);
  // Folders need a confirmation first; the dialog clears the mark when it moves them.
  if (isCut && isTaken && dropVerdict(transfer).kind === 'go') forgetCut();
}
