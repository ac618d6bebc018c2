import { SortRows, type SortHead, type SortPiece } from './sort.ts';

/** Messages to the worker. Rows are sent in pieces, so that no single message blocks the window. `sort` requests the result. */
export type SortMessage =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'rows'; readonly piece: SortPiece }
  | { readonly kind: 'sort'; readonly head: SortHead };

let rows = new SortRows('');

self.addEventListener('message', ({ data: message }: MessageEvent<SortMessage>) => {
  if (message.kind === 'folder') rows = new SortRows(message.folder);
  else if (message.kind === 'rows') rows.add(message.piece);
  else {
    const sorted = rows.sorted(message.head);
    self.postMessage(sorted, { transfer: [sorted.buffer] });
  }
});
