import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SortColumn } from '../../../../../renderer/features/objects/rows/folder-columns.ts';
import { folderColumns } from '../../../../../renderer/features/objects/rows/folder-columns.ts';
import { PackedRows } from '../../../../../renderer/features/objects/rows/packed-rows.ts';
import { rowName, type FolderRow } from '../../../../../renderer/features/objects/rows/row.ts';
import { isTextColumn, sortedRows } from '../../../../../renderer/features/objects/rows/sort.ts';
import { workerSorter } from '../../../../../renderer/features/objects/rows/sorter.ts';
import { nextTask } from '../../../../../renderer/ui/next-task.ts';

const folder = 'a/';
const rowOf = fc.record({
  kind: fc.constantFrom('folder' as const, 'object' as const),
  name: fc.string({ minLength: 1, unit: 'binary' }),
  sizeBytes: fc.nat(),
  modifiedMs: fc.oneof(fc.constant(Number.NaN), fc.nat()),
  storageClass: fc.constantFrom(null, 'STANDARD', 'GLACIER'),
  etag: fc.constantFrom(null, '"d41d8cd98f00b204e9800998ecf8427e"', 'other'),
});

function rowsOf(values: readonly (typeof rowOf extends fc.Arbitrary<infer T> ? T : never)[]): FolderRow[] {
  return values.map(({ name, kind, ...rest }) => ({
    ...rest,
    kind,
    key: kind === 'folder' ? `${folder}${name}/` : `${folder}${name}`,
  }));
}

function requestOf(pages: readonly (readonly FolderRow[])[], column: SortColumn, read: { rows: number }) {
  const rows = pages.flat();
  return {
    rows: {
      count: rows.length,
      pages: pages.map((page) => PackedRows.of(page)),
      row: (number: number) => {
        read.rows += 1;
        return rows[number];
      },
    },
    folder,
    sort: { column, descending: false },
    foldersFirst: true,
    signal: new AbortController().signal,
  };
}

const columns = ['name', 'size', 'modified', 'storageClass', 'type', 'etag'] as const;

describe('the order of a folder', () => {
  it('is the same from packed pages as from whole rows', async () => {
    const pagesOf = fc.array(fc.array(rowOf, { maxLength: 40 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(pagesOf, fc.constantFrom(...columns), async (values, column) => {
        const pages = values.map(rowsOf);
        const rows = pages.flat();
        const text = folderColumns.find(({ id }) => id === column)?.text ?? (() => '');
        const numbers = rows.map(({ kind, sizeBytes, modifiedMs }) =>
          column === 'modified' ? modifiedMs : kind === 'folder' ? Number.NaN : sizeBytes,
        );
        const wanted = sortedRows({
          sort: { column, descending: false },
          foldersFirst: true,
          locale: undefined,
          isFolder: rows.map(({ kind }) => (kind === 'folder' ? 1 : 0)),
          names: () => rows.map((row) => rowName(row, folder)),
          numbers: column === 'name' || isTextColumn(column) ? [] : numbers,
          texts: isTextColumn(column) ? rows.map((row) => text(row)) : [],
        });
        expect(await workerSorter(requestOf(pages, column, { rows: 0 }))).toEqual(wanted);
      }),
    );
  });

  it('by name, size or time unpacks no whole row', async () => {
    const rows = Array.from({ length: 100 }, (_, at): FolderRow => ({
      kind: 'object',
      key: `${folder}${String(at)}`,
      sizeBytes: at,
      modifiedMs: at,
      storageClass: null,
      etag: null,
    }));
    for (const column of ['name', 'size', 'modified'] as const) {
      const read = { rows: 0 };
      await workerSorter(requestOf([rows], column, read));
      expect(read.rows).toBe(0);
    }
  });
});

describe('yielding to the window', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('uses no timer, because browsers delay nested timers', async () => {
    vi.useFakeTimers();
    for (let turn = 0; turn < 1000; turn += 1) await nextTask();
    expect(vi.getTimerCount()).toBe(0);
  });
});
