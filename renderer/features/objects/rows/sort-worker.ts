import { sortedRows, type SortHead, type SortPiece } from './sort.ts';

/** Rows arrive in pieces, so that no single message blocks the window; the last one requests the result. */
export type SortMessage =
  { readonly kind: 'rows'; readonly piece: SortPiece } | { readonly kind: 'sort'; readonly head: SortHead };

const isFolder: number[] = [];
const names: string[] = [];
const numbers: number[] = [];
const texts: string[] = [];

self.addEventListener('message', (event: MessageEvent<SortMessage>) => {
  const message = event.data;
  if (message.kind === 'rows') {
    for (const value of message.piece.isFolder) isFolder.push(value);
    for (const value of message.piece.names) names.push(value);
    for (const value of message.piece.numbers) numbers.push(value);
    for (const value of message.piece.texts) texts.push(value);
  } else {
    const rows = sortedRows({ ...message.head, isFolder, names, numbers, texts });
    self.postMessage(rows, { transfer: [rows.buffer] });
  }
});
