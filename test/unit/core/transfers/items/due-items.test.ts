import { expect, test } from 'vitest';
import { DueItems, ListGate, Settling } from '../../../../../electron/core/transfers/items/due-items.ts';
import { newDownloadItem, type Item } from '../../../../../electron/core/transfers/items/transfer-item.ts';
import * as fc from 'fast-check';

/** Keys that are often prefixes of one another, in the order of a service. */
const keys = fc
  .uniqueArray(fc.array(fc.constantFrom('a', 'b', '/', '!', '0', '.'), { minLength: 1, maxLength: 5 }), {
    selector: (parts) => parts.join(''),
    maxLength: 30,
  })
  .map((all) => all.map((parts) => parts.join('')).toSorted());

test('the list gate opens for a file only when no key below its name can follow', () => {
  fc.assert(
    fc.property(keys, (all) => {
      const settling = new Settling();
      for (const [seq, key] of all.entries()) {
        settling.add({ seq, key, isFile: !key.endsWith('/'), isPlain: true });
        for (let early = 0; early <= settling.settledSeq; early += 1) {
          const name = all[early] ?? '';
          if (name.endsWith('/')) continue;
          expect(all.slice(seq + 1).filter((later) => later.startsWith(`${name}/`))).toEqual([]);
        }
        // Only files whose name is a prefix of the last key stay unsettled.
        const firstOpen = all.findIndex(
          (other, at) => at <= seq && !other.endsWith('/') && key.startsWith(other),
        );
        expect(settling.settledSeq).toBeGreaterThanOrEqual(firstOpen === -1 ? seq : firstOpen - 1);
      }
    }),
  );
});

test('the list gate opens for nothing after an item whose name differs from its key', () => {
  const settling = new Settling();
  settling.add({ seq: 0, key: 'a', isFile: true, isPlain: true });
  settling.add({ seq: 1, key: 'b', isFile: true, isPlain: true });
  settling.add({ seq: 2, key: 'c\\', isFile: true, isPlain: false });
  settling.add({ seq: 3, key: 'd', isFile: true, isPlain: true });
  expect(settling.settledSeq).toBe(0);
});

const gatedItem = (seq: number): Item =>
  newDownloadItem({ seq, key: `k${seq}`, localName: `k${seq}`, kind: 'file', sizeBytes: 1 });

const settled = async (): Promise<void> => {
  for (let tick = 0; tick < 30; tick += 1) await Promise.resolve();
};

test('items are handed out as the gate opens and end with the list', async () => {
  const gate = new ListGate();
  const items = Array.from({ length: 10 }, (_, seq) => gatedItem(seq));
  const due = new DueItems(
    (after) => items.filter(({ seq }) => seq > after).slice(0, 4),
    () => false,
    new AbortController().signal,
    gate,
  );
  const passed: number[] = [];
  const take = async (): Promise<void> => {
    for (let item = await due.next('small'); item !== undefined; item = await due.next('small'))
      passed.push(item.seq);
  };
  const workers = [take(), take()];
  await settled();
  expect(passed).toEqual([]);
  gate.settle(2);
  await settled();
  expect(passed).toEqual([0, 1, 2]);
  gate.settle(5);
  await settled();
  expect(passed).toEqual([0, 1, 2, 3, 4, 5]);
  gate.complete();
  await Promise.all(workers);
  expect(passed).toEqual(items.map(({ seq }) => seq));
});

test('a waiting request at the list gate ends when the pass is aborted', async () => {
  const gate = new ListGate();
  const stop = new AbortController();
  const due = new DueItems(
    () => [],
    () => false,
    stop.signal,
    gate,
  );
  const next = [due.next('small'), due.next('large')];
  stop.abort();
  await expect(Promise.all(next)).resolves.toEqual([undefined, undefined]);
});

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
