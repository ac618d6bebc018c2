import { describe, expect, it } from 'vitest';
import {
  bucketTotals,
  toBucketSort,
  knownColumns,
  shownBuckets,
  type BucketSort,
} from '../../../../../renderer/features/connections/model/bucket-filter.ts';
import type { BucketItem } from '../../../../../shared/models/objects.ts';
import type { WalkStatus } from '../../../../../shared/models/walks.ts';

const bucket = (name: string, change: Partial<BucketItem> = {}): BucketItem => ({
  name,
  createdAt: null,
  region: null,
  source: 'listed',
  startPrefix: '',
  ...change,
});

const walk = (name: string, change: Partial<WalkStatus> = {}): WalkStatus => ({
  walkId: name,
  connectionId: 'lab',
  bucket: name,
  prefix: '',
  query: null,
  state: 'done',
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1,
  keys: 1,
  sizeBytes: 10,
  byStorageClass: [],
  matches: 0,
  matchedBytes: 0,
  foreign: { count: 0, example: null },
  requests: 1,
  pieces: 0,
  isSequential: false,
  onlyBelow: null,
  takenAt: null,
  changes: 0,
  isOutdated: false,
  error: null,
  ...change,
});

const between = '2026-01-02T00:00:00.000Z';
const later = '2026-01-03T00:00:00.000Z';

const counted = (name: string) => ({ bucket: name, objects: 7, sizeBytes: 70, takenAt: between });

describe('the bucket table', () => {
  const buckets = [
    bucket('b', { createdAt: '2026-01-02T00:00:00.000Z', region: 'eu-west-1' }),
    bucket('a'),
    bucket('c', { createdAt: '2026-01-01T00:00:00.000Z', region: 'us-east-1' }),
  ];
  const totals = new Map([
    ['a', { objects: 5, sizeBytes: 1, takenAt: between }],
    ['c', { objects: 1, sizeBytes: 9, takenAt: between }],
  ]);
  const namesBy = (by: BucketSort['by'], descending: boolean): readonly string[] =>
    shownBuckets(buckets, '', { by, descending }, totals).map(({ name }) => name);

  it('sorts by each column, with unknown values last in both directions', () => {
    expect(namesBy('name', false)).toEqual(['a', 'b', 'c']);
    expect(namesBy('objects', true)).toEqual(['a', 'c', 'b']);
    expect(namesBy('size', true)).toEqual(['c', 'a', 'b']);
    expect(namesBy('size', false)).toEqual(['a', 'c', 'b']);
    expect(namesBy('region', false)).toEqual(['b', 'c', 'a']);
    expect(namesBy('created', true)).toEqual(['b', 'c', 'a']);
  });

  it('shows totals only from a complete count of the whole bucket, the newest of several', () => {
    const known = bucketTotals(
      [
        walk('whole', { keys: 1 }),
        walk('whole', { keys: 2, startedAt: later }),
        walk('part', { prefix: 'a/' }),
        walk('stopped', { state: 'stopped' }),
        walk('running', { state: 'running' }),
        walk('elsewhere', { connectionId: 'other' }),
      ],
      [],
      'lab',
    );
    expect([...known]).toEqual([['whole', { objects: 2, sizeBytes: 10, takenAt: later }]]);
  });

  it('shows the totals of a map unless a later walk counted the bucket', () => {
    const known = bucketTotals(
      [walk('walked before'), walk('walked since', { startedAt: later })],
      ['mapped', 'walked before', 'walked since'].map(counted),
      'lab',
    );
    expect([...known].map(([name, { objects }]) => [name, objects])).toEqual([
      ['mapped', 7],
      ['walked before', 7],
      ['walked since', 1],
    ]);
  });

  it('hides columns without any known value', () => {
    const ids = (known: typeof totals) => knownColumns(buckets, known).map(({ id }) => id);
    expect(ids(totals)).toEqual(['name', 'objects', 'size', 'region', 'created']);
    expect(ids(new Map())).toEqual(['name', 'region', 'created']);
    expect(knownColumns([bucket('a')], new Map()).map(({ id }) => id)).toEqual(['name', 'created']);
  });

  it('restores the stored order if its column still exists', () => {
    expect(toBucketSort(null)).toEqual({ by: 'name', descending: false });
    expect(toBucketSort({ by: 'created', descending: true })).toEqual({ by: 'created', descending: true });
    expect(toBucketSort({ by: 'of a later version', descending: true }).by).toBe('name');
  });
});
