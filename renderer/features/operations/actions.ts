import { clipboardLine } from '../../ui/clipboard/shell-quote.ts';
import { showNotice, type NoticeMessage } from '../../ui/notices/notices.tsx';
import type { TFunction } from 'i18next';
import { countText, type Chosen, type OperationPlace } from './chosen.ts';
import { forgetCut, mark, markedNow } from './clipboard.ts';
import type { OperationServices } from './operation-services.ts';
import { beginTransfer } from './start-operation.ts';
import { dropVerdict } from './transfer-plan.ts';

function markRows(isCut: boolean, from: OperationPlace, rows: readonly Chosen[]): void {
  if (rows.length === 0) return;
  mark(isCut, from, rows);
  const sentence: NoticeMessage = (say) =>
    say(isCut ? 'operations.clipboard.cut' : 'operations.clipboard.copied', {
      things: countText(rows, say),
    });
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
  const isTaken = beginTransfer(transfer, services, t);
  // Folders need a confirmation first, whose dialog clears the mark.
  if (isCut && isTaken && dropVerdict(transfer).kind === 'go') forgetCut();
}
