import { sortedRows, type SortInput } from './sort.ts';

/** Rows come in pieces, so that no single message holds up the window; the last one asks for the result. */
export type SortMessage =
  | { readonly kind: 'begin'; readonly input: Omit<SortInput, 'names' | 'texts'> }
  | { readonly kind: 'rows'; readonly names: readonly string[]; readonly texts: readonly string[] }
  | { readonly kind: 'sort' };

let head: Omit<SortInput, 'names' | 'texts'> | null = null;
const names: string[] = [];
const texts: string[] = [];

self.addEventListener('message', (event: MessageEvent<SortMessage>) => {
  const message = event.data;
  if (message.kind === 'begin') {
    head = message.input;
  } else if (message.kind === 'rows') {
    for (const name of message.names) names.push(name);
    for (const text of message.texts) texts.push(text);
  } else if (head !== null) {
    const rows = sortedRows({ ...head, names, texts });
    self.postMessage(rows, { transfer: [rows.buffer] });
  }
});
