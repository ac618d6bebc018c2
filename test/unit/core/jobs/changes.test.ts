import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { JobChanges } from '../../../../electron/core/jobs/changes.ts';
import { JobStore } from '../../../../electron/core/jobs/job-store.ts';
import type { JobsEvent, SettledJob } from '../../../../shared/models/jobs.ts';
import { jobTables } from '../../../../electron/core/store/migrations.ts';
import { manualClock } from '../../../support/core/fake-ports.ts';

test('one event names all jobs that settled in it, however many, with the bucket and the state of each', async () => {
  const clock = manualClock();
  const database = new DatabaseSync(':memory:');
  database.exec(jobTables);
  const changes = new JobChanges(clock, new JobStore(database), () => null);
  const stop = new AbortController();
  const events = changes.watch(stop.signal);
  await events.next();
  const jobs = Array.from({ length: 1000 }, (_, at): SettledJob => ({
    id: String(at),
    kind: 'delete',
    state: at % 2 === 0 ? 'done' : 'cancelled',
    reason: null,
    connectionId: 'c',
    bucket: `b-${String(at)}`,
  }));
  const next = events.next();
  for (const job of jobs) {
    changes.touch(job.id);
    changes.settled(job);
  }
  await clock.advance(1000);
  const { settled } = (await next).value as JobsEvent;
  expect(settled).toEqual(jobs);
  stop.abort();
  database.close();
});
