import { expect, test } from 'vitest';
import { noticesFor } from '../../../../../renderer/features/transfers/queue/settled.ts';
import { jobOf } from './fixtures.ts';

test('the notices count all jobs that ended together, however many, without those that the user ended', () => {
  const jobs = Array.from({ length: 400 }, (_, at) =>
    jobOf({
      id: String(at),
      ...(
        [
          { state: 'done' },
          { state: 'needs-attention' },
          { state: 'cancelled' },
          { state: 'paused', reason: 'by-user' },
        ] as const
      )[at % 4],
    }),
  );
  expect(
    noticesFor(jobs).map((notice) => ('count' in notice ? [notice.kind, notice.count] : notice)),
  ).toEqual([
    ['many-attention', 100],
    ['many-done', 100],
  ]);
});
