import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import {
  deletedId,
  matchingDeleted,
  newestDeleted,
} from '../../../../renderer/features/versions/trash-rows.ts';
import type { DeletedPage } from '../../../../shared/models/versions.ts';

const entry = (key: string, deletedAt: string | null) => ({
  key,
  versionId: `v-${key}`,
  deletedAt,
  sizeBytes: 1,
});
const page = (deleted: DeletedPage['deleted']): DeletedPage => ({
  deleted,
  scanned: 10,
  nextPageToken: 'next',
});

test('deleted objects of all pages are in the order of their deletion, the last first', () => {
  const pages = [
    page([entry('a', '2026-01-01T00:00:00Z'), entry('b', '2026-03-01T00:00:00Z')]),
    page([entry('c', '2026-02-01T00:00:00Z'), entry('d', null)]),
  ];
  expect(newestDeleted(pages.slice(0, 1)).map(({ key }) => key)).toEqual(['b', 'a']);
  expect(newestDeleted(pages).map(({ key }) => key)).toEqual(['b', 'c', 'a', 'd']);
});

test('pages that arrive one by one give the same list as all at once', () => {
  const deletion = record({ key: constantFrom('a', 'b', 'c', 'd', 'e'), day: integer({ min: 10, max: 28 }) });
  assert(
    property(array(array(deletion, { maxLength: 8 }), { minLength: 1, maxLength: 6 }), (lists) => {
      const pages = lists.map((list) =>
        page(list.map(({ key, day }) => entry(key, `2026-01-${String(day)}`))),
      );
      const again = pages.map((each) => ({ ...each }));
      for (let count = 1; count <= pages.length; count += 1) newestDeleted(pages.slice(0, count));
      expect(newestDeleted(pages)).toEqual(newestDeleted(again));
      const times = newestDeleted(pages).map(({ deletedAt }) => deletedAt ?? '');
      expect(times).toEqual(times.toSorted().toReversed());
    }),
  );
});

test('deleted objects are found by words of their keys, in any case', () => {
  const rows = [entry('2026/Report.pdf', null), entry('2025/report.pdf', null), entry('photo.jpg', null)];
  expect(matchingDeleted(rows, 'report 2026').map(({ key }) => key)).toEqual(['2026/Report.pdf']);
  expect(matchingDeleted(rows, ' ')).toHaveLength(3);
});

test('deleted objects have different ids even if all their markers are named null', () => {
  const markers = ['a', 'b', 'null a'].map((key) => ({ ...entry(key, null), versionId: 'null' }));
  expect(new Set(markers.map(deletedId)).size).toBe(3);
});
