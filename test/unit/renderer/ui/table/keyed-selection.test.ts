import { expect, test, vi } from 'vitest';
import {
  KeyedSelection,
  refreshed,
  removeRows,
  type KeyedRow,
  type RowSource,
} from '../../../../../renderer/ui/table/keyed-selection.ts';
import { plain } from '../../../../../renderer/ui/table/selection.ts';

const row = (index: number, item = index): KeyedRow<number> => [`r${String(index)}`, item];
const rows = (first: number, last: number): readonly KeyedRow<number>[] =>
  Array.from({ length: last - first + 1 }, (_, at) => row(first + at));
const keep = { range: false, keep: true };
const range = { range: true, keep: false };
const more = { range: true, keep: true };

/** A list whose first ten rows are loaded; ranges load when the test orders it. */
function list() {
  const asked: { readonly signal: AbortSignal; readonly answer: () => void; readonly fail: () => void }[] =
    [];
  const onError = vi.fn<RowSource<number>['onError']>();
  const source: RowSource<number> = {
    rowAt: (index) => (index < 10 ? row(index) : null),
    range: (first, last, signal) =>
      new Promise((resolve, reject) => {
        const fail = (): void => reject(new Error('no'));
        asked.push({ signal, answer: () => resolve(rows(first, last)), fail });
      }),
    onError,
  };
  const selection = new KeyedSelection<number>();
  const ids = (): string => [...selection.store.getState().selected.keys()].join(' ');
  return { selection, source, asked, onError, ids, settled: () => new Promise(setImmediate) };
}

test('a click selects one row, and Ctrl+click toggles another', () => {
  const { selection, source, ids } = list();
  selection.activate(1, plain, source);
  selection.activate(3, keep, source);
  expect([ids(), selection.store.getState().active]).toEqual(['r1 r3', 3]);
  selection.activate(1, keep, source);
  expect(ids()).toBe('r3');
  selection.activate(5, plain, source);
  expect(ids()).toBe('r5');
});

test('a range extends from the last clicked row through rows never loaded', async () => {
  const { selection, source, asked, ids, settled } = list();
  selection.activate(9, plain, source);
  selection.activate(12, range, source);
  expect(ids()).toBe('r9');
  asked[0]?.answer();
  await settled();
  expect(ids()).toBe('r9 r10 r11 r12');
  selection.activate(7, range, source);
  asked[1]?.answer();
  await settled();
  expect(ids()).toBe('r7 r8 r9');
  selection.activate(2, keep, source);
  selection.activate(1, more, source);
  asked[2]?.answer();
  await settled();
  expect(ids()).toBe('r7 r8 r9 r2 r1');
});

test('a row that is not loaded yet is read and then selected', async () => {
  const { selection, source, asked, ids, settled } = list();
  selection.activate(20, plain, source);
  asked[0]?.answer();
  await settled();
  expect(ids()).toBe('r20');
});

test('a response that arrives after another selection is dropped, and so is its failure', async () => {
  const { selection, source, asked, onError, ids, settled } = list();
  selection.activate(12, range, source);
  selection.activate(2, plain, source);
  asked[0]?.answer();
  selection.activate(14, range, source);
  selection.choose(() => new Map([row(4)]));
  asked[1]?.fail();
  await settled();
  expect(ids()).toBe('r4');
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  expect(onError).not.toHaveBeenCalled();
});

test('a range that cannot be read is reported and leaves the selection unchanged', async () => {
  const { selection, source, asked, onError, ids, settled } = list();
  selection.activate(2, plain, source);
  selection.activate(12, range, source);
  asked[0]?.fail();
  await settled();
  expect(ids()).toBe('r2');
  expect(onError).toHaveBeenCalledOnce();
});

test('a new order keeps the selected rows and resets keyboard focus', async () => {
  const { selection, source, asked, ids, settled } = list();
  selection.activate(5, plain, source);
  selection.reordered();
  expect([ids(), selection.store.getState().active]).toEqual(['r5', -1]);
  selection.activate(1, range, source);
  asked[0]?.answer();
  await settled();
  expect(ids()).toBe('r0 r1');
});

test('new facts about rows update the selected ones and select nothing', () => {
  const { selection, ids } = list();
  selection.choose(() => new Map([row(1), row(2)]));
  const before = selection.store.getState().selected;
  selection.learn(refreshed([row(3, 30)]));
  selection.learn(removeRows(new Set(['r9'])));
  // Nothing changed, so the state is the same object, and nothing renders again.
  expect(selection.store.getState().selected).toBe(before);
  selection.learn(refreshed([row(2, 20), row(3, 30)]));
  expect([...selection.store.getState().selected]).toEqual([row(1), row(2, 20)]);
  selection.learn(removeRows(new Set(['r1'])));
  expect(ids()).toBe('r2');
});
