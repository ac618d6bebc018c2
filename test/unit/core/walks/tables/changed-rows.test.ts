import path from 'node:path';
import { array, assert, constantFrom, oneof, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { WalkTable } from '../../../../../electron/core/walks/tables/table.ts';
import { tempDir } from '../../../../support/temp-dir.ts';

const inOrderFound = { by: 'found', descending: false } as const;

/** Creates a table with one object for each key. The size of the first is 1, of the second 2, and so on. */
function tableOf(keys: readonly string[]): WalkTable {
  const table = new WalkTable(path.join(tempDir(), 'walk.db'));
  const values = keys.flatMap((key, at) => [key, at + 1, '2026-01-01T00:00:00Z', null, null]);
  table.add({ rows: new TextEncoder().encode(JSON.stringify(values)), children: [] });
  return table;
}

const keysOf = (table: WalkTable): readonly string[] =>
  table.read({ offset: 0, limit: 100, sort: inOrderFound }).rows.map(({ key }) => key);

test('a row of a removed key leaves, and returns to its position when the removal is undone', () => {
  const table = tableOf(['a', 'b', 'c']);
  expect(table.change({ changes: [{ kind: 'removed', key: 'b' }] })).toEqual({
    rows: -1,
    sizeBytes: -2,
    unknown: 0,
  });
  expect(keysOf(table)).toEqual(['a', 'c']);
  expect(table.read({ offset: 0, limit: 1, sort: inOrderFound }).total).toBe(2);
  expect(table.change({ changes: [{ kind: 'back', key: 'b' }] })).toEqual({
    rows: 1,
    sizeBytes: 2,
    unknown: 0,
  });
  expect(keysOf(table)).toEqual(['a', 'b', 'c']);
});

test('a row of a moved key keeps its position under the new key, and the object that it replaced leaves', () => {
  const table = tableOf(['a', 'b', 'c']);
  expect(table.change({ changes: [{ kind: 'moved', key: 'a', newKey: 'c' }] })).toEqual({
    rows: -1,
    sizeBytes: -3,
    unknown: 0,
  });
  expect(keysOf(table)).toEqual(['c', 'b']);
  expect(table.present({ keys: ['a', 'b', 'c'] })).toEqual(['b', 'c']);
});

test('a change of a key without a row changes nothing, and is counted if a new object may be at its key', () => {
  const table = tableOf(['a']);
  const changes = [
    { kind: 'removed', key: 'x' },
    { kind: 'moved', key: 'y', newKey: 'a' },
    { kind: 'back', key: 'z' },
  ] as const;
  expect(table.change({ changes })).toEqual({ rows: 0, sizeBytes: 0, unknown: 2 });
  expect(keysOf(table)).toEqual(['a']);
});

const key = constantFrom('a', 'b', 'c', 'd');
const change = oneof(
  record({ kind: constantFrom('removed', 'back'), key }),
  record({ kind: constantFrom('moved'), key, newKey: key }),
);

test('after any changes, the keys and the sums are those of a list to which the same changes were applied', () => {
  assert(
    property(array(change, { maxLength: 12 }), (changes) => {
      const table = tableOf(['a', 'b', 'c']);
      let rows = [
        { key: 'a', sizeBytes: 1 },
        { key: 'b', sizeBytes: 2 },
        { key: 'c', sizeBytes: 3 },
      ];
      const removed = new Map<string, number>();
      const remove = (gone: string): void => {
        removed.delete(gone);
        for (const row of rows) if (row.key === gone) removed.set(gone, row.sizeBytes);
        rows = rows.filter((row) => row.key !== gone);
      };
      for (const made of changes)
        if (made.kind === 'removed') remove(made.key);
        else if (made.kind === 'back') {
          const sizeBytes = removed.get(made.key);
          if (sizeBytes !== undefined && !rows.some((row) => row.key === made.key))
            rows.push({ key: made.key, sizeBytes });
          removed.delete(made.key);
        } else if ('newKey' in made && rows.some((row) => row.key === made.key)) {
          const { newKey } = made;
          if (newKey !== made.key) remove(newKey);
          rows = rows.map((row) => (row.key === made.key ? { ...row, key: newKey } : row));
        }
      const sums = table.change({ changes });
      const read = table.read({ offset: 0, limit: 10, sort: { by: 'key', descending: false } });
      expect(read.rows.map((row) => [row.key, row.sizeBytes])).toEqual(
        rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map((row) => [row.key, row.sizeBytes]),
      );
      expect(read.total).toBe(rows.length);
      expect(sums.rows).toBe(rows.length - 3);
      expect(sums.sizeBytes).toBe(rows.reduce((sum, row) => sum + row.sizeBytes, 0) - 6);
      table.drop();
    }),
    { numRuns: 200 },
  );
});
