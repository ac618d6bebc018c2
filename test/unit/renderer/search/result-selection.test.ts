import { expect, test } from 'vitest';
import type { ObjectEntry } from '../../../../shared/models/objects.ts';
import { selectionSchema } from '../../../../shared/models/operations.ts';
import {
  disabledReasonOf,
  isRowSelected,
  selectedResults,
  resultRow,
  sumOfSelection,
  type ResultSelection,
} from '../../../../renderer/features/search/result-selection.ts';
import { maxSelectedItems } from '../../../../shared/models/selection-limit.ts';

const row = (key: string, sizeBytes = 1): ObjectEntry => ({
  key,
  sizeBytes,
  lastModified: null,
  etag: null,
  storageClass: null,
});
const all = { kind: 'all' } as const;
const some = (...rows: readonly ObjectEntry[]): ResultSelection => ({
  kind: 'some',
  rows: new Map(rows.map(resultRow)),
});

test("selecting all results is stored as the walk's id, whatever their number", () => {
  expect(selectedResults(all, 'w')).toEqual([{ kind: 'walk', walkId: 'w' }]);
  expect(isRowSelected(all, row('never visible'))).toBe(true);
  expect(sumOfSelection(all, { count: 5e6, sizeBytes: 7 })).toEqual({ count: 5e6, sizeBytes: 7 });
});

test('selected results are stored by key', () => {
  const two = some(row('a', 2), row('b', 3), row('a', 2));
  expect(selectedResults(two, 'w')).toEqual([
    { kind: 'key', key: 'a' },
    { kind: 'key', key: 'b' },
  ]);
  expect(isRowSelected(two, row('b'))).toBe(true);
  expect(isRowSelected(two, row('c'))).toBe(false);
  expect(sumOfSelection(two, { count: 0, sizeBytes: 0 })).toEqual({ count: 2, sizeBytes: 5 });
});

test('an operation is refused for an empty, a growing or a too large selection of results', () => {
  expect(disabledReasonOf(some(), 5, false)).toBe('none');
  expect(disabledReasonOf(all, 0, false)).toBe('none');
  expect(disabledReasonOf(all, 5, true)).toBe('running');
  expect(disabledReasonOf(all, 5, false)).toBeNull();
  const largest = some(...Array.from({ length: maxSelectedItems }, (_, at) => row(String(at))));
  expect(disabledReasonOf(largest, maxSelectedItems, true)).toBeNull();
  expect(selectionSchema.safeParse(selectedResults(largest, 'w')).success).toBe(true);
  expect(
    disabledReasonOf(
      some(...Array.from({ length: maxSelectedItems + 1 }, (_, at) => row(String(at)))),
      maxSelectedItems,
      false,
    ),
  ).toBe('too-many');
});
