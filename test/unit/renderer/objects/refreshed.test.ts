import { describe, expect, it } from 'vitest';
import { transferredSelection } from '../../../../renderer/features/objects/views/use-selection.ts';
import { FolderModel } from '../../../../renderer/features/objects/folder/folder-model.ts';
import {
  beginRefresh,
  endRefresh,
  takeRefreshed,
} from '../../../../renderer/features/objects/folder/refresh-folder.ts';
import { PackedRows } from '../../../../renderer/features/objects/rows/packed-rows.ts';
import { rowName, type FolderRow } from '../../../../renderer/features/objects/rows/row.ts';
import { sortedRows } from '../../../../renderer/features/objects/rows/sort.ts';
import type { Sorter } from '../../../../renderer/features/objects/rows/sorter.ts';

const row = (key: string): FolderRow => ({
  kind: key.endsWith('/') ? 'folder' : 'object',
  key,
  sizeBytes: key.length,
  modifiedMs: 0,
  storageClass: null,
  etag: null,
});
const sorter: Sorter = ({ rows: asked, folder, sort, foldersFirst }) => {
  const rows = Array.from({ length: asked.count }, (_, at) => asked.row(at) ?? []).flat();
  return Promise.resolve(
    sortedRows({
      sort,
      foldersFirst,
      locale: 'en',
      isFolder: Uint8Array.from(rows, ({ kind }) => (kind === 'folder' ? 1 : 0)),
      names: () => rows.map((row) => rowName(row, folder)),
      numbers: Float64Array.from(rows, ({ sizeBytes }) => sizeBytes),
      texts: [],
    }),
  );
};

function modelOf(keys: readonly string[], before: FolderModel | null = null): FolderModel {
  const model = new FolderModel('', sorter, before);
  model.addPages([
    {
      rows: PackedRows.of(keys.map((key) => row(key))),
      listedAtMs: 0,
      nextPageToken: null,
      hasPlaceholder: false,
      unreadable: [],
      foreign: { count: 0, example: null },
    },
  ]);
  return model;
}

describe('a relisted folder', () => {
  it('keeps the same rows selected at their new positions', () => {
    const from = modelOf(['b', 'c', 'd/', 'e']);
    const to = modelOf(['a', 'c', 'd/', 'f'], from);
    const carried = transferredSelection({ rows: new Set([1, 2, 3]), focus: 2, anchor: 1 }, from, to);
    expect([...carried.rows].map((number) => to.row(number)?.key)).toEqual(['c', 'd/']);
    expect(to.row(carried.focus ?? -1)?.key).toBe('d/');
    expect(to.row(carried.anchor ?? -1)?.key).toBe('c');
  });

  it('moves focus to the position of a deleted row and selects nothing instead', () => {
    const from = modelOf(['a', 'b', 'c']);
    const to = modelOf(['a', 'c'], from);
    const carried = transferredSelection({ rows: new Set([1]), focus: 1, anchor: 1 }, from, to);
    expect(carried).toEqual({ rows: new Set(), focus: 1, anchor: null });
    const empty = modelOf([], from);
    expect(transferredSelection({ rows: new Set([1]), focus: 1, anchor: 1 }, from, empty).focus).toBeNull();
  });

  it('is ready only once its rows are in the previous order', async () => {
    const from = modelOf(['a', 'bbb', 'cc']);
    expect(from.isReady).toBe(true);
    const arranged = new Promise<void>((resolve) => {
      from.changes.subscribe(() => {
        if (from.busy === null) resolve();
      });
    });
    from.setSort({ column: 'size', descending: true }, false);
    await arranged;
    const to = new FolderModel('', sorter, from);
    const ready = new Promise<void>((resolve) => {
      to.changes.subscribe(() => {
        if (to.isReady) resolve();
      });
    });
    to.addPages([
      {
        rows: PackedRows.of(['a', 'bbb', 'cc', 'dddd'].map((key) => row(key))),
        listedAtMs: 0,
        nextPageToken: null,
        hasPlaceholder: false,
        unreadable: [],
        foreign: { count: 0, example: null },
      },
    ]);
    expect(to.isReady).toBe(false);
    await ready;
    expect([0, 1, 2, 3].map((position) => to.row(to.rowAt(position))?.key)).toEqual([
      'dddd',
      'bbb',
      'cc',
      'a',
    ]);
  });

  it('retains only the model before it', () => {
    const first = modelOf(['a']);
    const second = modelOf(['a'], first);
    const third = modelOf(['a'], second);
    expect(third.before).toBe(second);
    expect(second.before).toBeNull();
  });
});

describe('a long folder', () => {
  it('is not relisted automatically while shown, and is truncated while hidden', () => {
    const model = modelOf(['a']);
    expect(beginRefresh('short', 10, true, () => model)).toBe('again');
    expect(beginRefresh('long', 11, true, () => model)).toBe('say-so');
    expect(beginRefresh('hidden', 11, false, () => model)).toBe('cut-short');
    expect(takeRefreshed('short')).toBe(model);
    expect(takeRefreshed('short')).toBeNull();
    expect(takeRefreshed('long')).toBeNull();
  });

  it('carries no selection over a reload', () => {
    beginRefresh('reloaded', 1, true, () => modelOf(['a']));
    endRefresh('reloaded');
    expect(takeRefreshed('reloaded')).toBeNull();
  });
});
