import { expect, test } from 'vitest';
import { placesChangedBy } from '../../../../../renderer/app/services/changed-places.ts';
import type { SettledJob } from '../../../../../shared/models/jobs.ts';

const job = (id: number, changes: Partial<SettledJob> = {}): SettledJob => ({
  id: String(id),
  kind: 'delete',
  state: 'done',
  reason: null,
  connectionId: 'c',
  bucket: 'b',
  ...changes,
});

test('every bucket that one of many settled jobs changed is listed again, each once', () => {
  const jobs = Array.from({ length: 500 }, (_, at) => job(at, { bucket: `b-${String(at % 100)}` }));
  const { buckets, isDisk } = placesChangedBy(jobs);
  expect(buckets.map(({ bucket }) => bucket)).toEqual(
    Array.from({ length: 100 }, (_, at) => `b-${String(at)}`),
  );
  expect(isDisk).toBe(false);
});

test('a job that was cancelled or paused halfway has changed its buckets too', () => {
  const target = { connectionId: 'd', bucket: 'target', prefix: 'p/' };
  const jobs = [
    job(1, { kind: 'move', state: 'cancelled', target }),
    job(2, { state: 'paused', bucket: 'p' }),
  ];
  expect(placesChangedBy(jobs).buckets).toMatchObject([
    { connectionId: 'c', bucket: 'b' },
    { connectionId: 'd', bucket: 'target' },
    { connectionId: 'c', bucket: 'p' },
  ]);
});

test('a download changes files of this computer and no bucket', () => {
  expect(placesChangedBy([job(1, { kind: 'download' })])).toEqual({ buckets: [], isDisk: true });
});
