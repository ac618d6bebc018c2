import { expect, it } from 'vitest';
import { uploadAgeOf, summaryOf, type CountedRow } from '../../../../electron/core/stalled/upload-rows.ts';
import type { PartsSummary } from '../../../../shared/models/stalled.ts';

const nowMs = Date.parse('2026-11-24T12:00:00Z');
const daysAgo = (days: number): string => new Date(nowMs - days * 86_400_000).toISOString();
const parts = (storedBytes: number): PartsSummary => ({
  partCount: 1,
  storedBytes,
  highestPartNumber: 1,
  gapCount: 0,
  smallCount: 0,
  partSizeBytes: null,
  lastPartIsFull: false,
  lastPartAt: null,
});
const row = (over: Partial<CountedRow>): CountedRow => ({
  bucket: 'photos',
  initiator: 'anna',
  initiatedAt: daysAgo(2),
  storageClass: null,
  parts: null,
  error: null,
  ...over,
});

it('a summary groups uploads by bucket, client and age with their bytes and byte days', () => {
  const summary = summaryOf(
    [
      row({ parts: parts(1000), initiatedAt: daysAgo(10) }),
      row({ bucket: 'logs', initiator: null, parts: parts(5000), storageClass: 'COLD' }),
      row({ bucket: 'logs', initiatedAt: null }),
    ],
    nowMs,
  );
  expect(summary.all).toEqual({
    name: '',
    uploads: 3,
    storedBytes: 6000,
    unread: 1,
    oldestAt: daysAgo(10),
    stored: [
      { storageClass: 'STANDARD', sizeBytes: 1000, byteDays: 10_000 },
      { storageClass: 'COLD', sizeBytes: 5000, byteDays: 10_000 },
    ],
  });
  expect(summary.byBucket.map(({ name, uploads }) => [name, uploads])).toEqual([
    ['logs', 2],
    ['photos', 1],
  ]);
  expect(summary.byInitiator.map(({ name, uploads }) => [name, uploads])).toEqual([
    ['', 1],
    ['anna', 2],
  ]);
  expect(summary.byAge.map(({ name }) => name)).toEqual(['week', 'month', 'unknown']);
});

it('a summary classifies an upload by age, and as unknown without a valid date', () => {
  const ages = [0, 1, 7, 30, 90, 365].map((days) => uploadAgeOf(daysAgo(days), nowMs));
  expect(ages).toEqual(['day', 'week', 'month', 'quarter', 'year', 'older']);
  expect([uploadAgeOf(null, nowMs), uploadAgeOf('soon', nowMs)]).toEqual(['unknown', 'unknown']);
});

it('a summary does not count an upload that failed to be read as still unread', () => {
  const error = { code: 'access-denied', message: '', retry: 'never', outcome: 'not-applied' } as const;
  expect(summaryOf([row({ error })], nowMs).all.unread).toBe(0);
});
