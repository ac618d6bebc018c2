import { expect, test } from 'vitest';
import { DueItems } from '../../../../../electron/core/transfers/items/due-items.ts';
import { newDownloadItem, type Item } from '../../../../../electron/core/transfers/items/transfer-item.ts';

const never = new AbortController().signal;

function itemOf(seq: number, sizeBytes: number): Item {
  return newDownloadItem({ seq, key: `k${seq}`, localName: `k${seq}`, kind: 'file', sizeBytes });
}

function pagesOf(items: readonly Item[], pages: number[] = []): (after: number) => readonly Item[] {
  return (after) => {
    const page = items.filter(({ seq }) => seq > after).slice(0, 100);
    pages.push(page.length);
    return page;
  };
}

test('due items are complete and in order per kind, for any order of requests', async () => {
  const items = Array.from({ length: 950 }, (_, seq) => itemOf(seq, seq % 3 === 0 ? 100 : 1));
  const due = new DueItems(pagesOf(items), ({ sizeBytes }) => sizeBytes === 100, never);
  const startOrder = async (kind: 'large' | 'small'): Promise<number[]> => {
    const seqs: number[] = [];
    for (let item = await due.next(kind); item !== undefined; item = await due.next(kind))
      seqs.push(item.seq);
    return seqs;
  };
  const [large, small] = await Promise.all([startOrder('large'), startOrder('small')]);
  expect(large).toEqual(items.filter(({ seq }) => seq % 3 === 0).map(({ seq }) => seq));
  expect(small).toEqual(items.filter(({ seq }) => seq % 3 !== 0).map(({ seq }) => seq));
});

test('a bounded number of pages is held while one kind is searched for', async () => {
  const items = Array.from({ length: 5000 }, (_, seq) => itemOf(seq, seq === 4999 ? 1 : 100));
  const pages: number[] = [];
  const due = new DueItems(pagesOf(items, pages), ({ sizeBytes }) => sizeBytes === 100, never);
  const small = due.next('small');
  expect(pages.length).toBe(10);
  let large = 0;
  while ((await due.next('large')) !== undefined) large += 1;
  expect(large).toBe(4999);
  expect((await small)?.seq).toBe(4999);
});

test('a waiting request for due items ends when the pass ends', async () => {
  const ended = new AbortController();
  const items = Array.from({ length: 5000 }, (_, seq) => itemOf(seq, 100));
  const due = new DueItems(pagesOf(items), () => true, ended.signal);
  const small = due.next('small');
  ended.abort();
  expect(await small).toBeUndefined();
  expect(await due.next('large')).toBeUndefined();
});
