import path from 'node:path';
import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  nat,
  oneof,
  property,
  string,
  tuple,
} from 'fast-check';
import { expect, test } from 'vitest';
import { ChildSums } from '../../../../electron/core/walks/walk-sums.ts';
import { WalkTable } from '../../../../electron/core/walks/tables/table.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const name = oneof(
  constantFrom('a/', 'b/', 'A/', '\u{1f600}/', '\u{ff5e}/'),
  string({ unit: 'binary', minLength: 1, maxLength: 3 }).map((text) => `${text}/`),
);
const page = array(tuple(name, integer({ min: 1, max: 3 }), integer({ min: 0, max: 5 })), { maxLength: 8 });

test('sums held in memory are read in the same order and with the same values as from the table', () => {
  const dir = tempDir();
  let number = 0;
  assert(
    property(
      array(page, { maxLength: 6 }),
      constantFrom('prefix', 'size', 'keys'),
      boolean(),
      nat(10),
      (pages, by, descending, offset) => {
        const sums = new ChildSums();
        const table = new WalkTable(path.join(dir, `${(number += 1)}.db`));
        for (const children of pages) {
          sums.add(children);
          table.add({ rows: null, children });
        }
        const sort = { by, descending } as const;
        expect(sums.read(offset, 5, sort)).toEqual(table.children({ offset, limit: 5, sort }));
        table.drop();
      },
    ),
    { numRuns: 100 },
  );
});

test('sums above the memory limit are returned for storing, each once', () => {
  const sums = new ChildSums();
  const folders = Array.from({ length: 2001 }, (_, index) => `folder-${index}/`);
  sums.add(folders.slice(0, 2000).map((prefix) => [prefix, 1, 10]));
  sums.add([['folder-0/', 2, 5]]);
  expect(sums.isFull).toBe(false);
  sums.add([['folder-2000/', 1, 10]]);
  expect(sums.isFull).toBe(true);
  const drained = sums.take();
  expect(drained).toHaveLength(2001);
  expect(drained[0]).toEqual(['folder-0/', 3, 15]);
  expect(sums.isFull).toBe(false);
  expect(sums.take()).toEqual([]);
});
