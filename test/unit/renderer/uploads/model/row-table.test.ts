import { describe, expect, it } from 'vitest';
import {
  emptyTable,
  pagesBetween,
  rowAt,
  rowPageSize,
  withPages,
  withRows,
} from '../../../../../renderer/features/uploads/model/row-table.ts';
import type { UploadRow, UploadRows } from '../../../../../shared/models/uploads.ts';
import { partsOf } from '../fixtures.ts';

const rowOf = (id: number): UploadRow => ({
  id,
  bucket: 'b',
  key: `k${String(id)}`,
  uploadId: 'u',
  initiatedAt: null,
  initiator: null,
  storageClass: null,
  verdict: 'unread',
  parts: null,
  error: null,
});
const answer = (first: number, count: number, total = 1000): UploadRows => ({
  rows: Array.from({ length: count }, (_, at) => rowOf(first + at)),
  total,
  unread: total,
  found: total,
  totals: { storedBytes: 0, unread: total, oldestAt: null },
});
const loaded = withPages(emptyTable, [{ page: 2, answer: answer(200, rowPageSize) }], false);

describe('the rows of a scan, read by ranges', () => {
  it('finds a row by its place, and nothing where nothing was read', () => {
    expect(rowAt(loaded, 205)?.id).toBe(205);
    expect(rowAt(loaded, 5)).toBeNull();
  });

  it('keeps what was read before, unless the order may have changed', () => {
    const more = [{ page: 3, answer: answer(300, rowPageSize) }];
    expect(rowAt(withPages(loaded, more, false), 205)?.id).toBe(205);
    expect(rowAt(withPages(loaded, more, true), 205)).toBeNull();
    expect(withPages(loaded, [], true)).toBe(loaded);
  });

  it('learns of rows without moving them, and counts what is no longer unread', () => {
    const learnt = withRows(loaded, [{ ...rowOf(205), verdict: 'no-gaps', parts: partsOf() }]);
    expect(rowAt(learnt, 205)?.verdict).toBe('no-gaps');
    expect(rowAt(learnt, 204)?.verdict).toBe('unread');
    expect(learnt.unread).toBe(loaded.unread - 1);
    expect(withRows(learnt, [{ ...rowOf(205), verdict: 'no-gaps' }]).unread).toBe(learnt.unread);
  });

  it('leaves the pages of other rows as they are', () => {
    const two = withPages(loaded, [{ page: 3, answer: answer(300, rowPageSize) }], false);
    const learnt = withRows(two, [{ ...rowOf(205), verdict: 'empty' }]);
    expect(learnt.pages.get(3)).toBe(two.pages.get(3));
  });

  it('asks for the pages of the rows', () => {
    expect(pagesBetween(0, 99)).toEqual([0]);
    expect(pagesBetween(99, 200)).toEqual([0, 1, 2]);
    expect(pagesBetween(0, -1)).toEqual([]);
  });
});
