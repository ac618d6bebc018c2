import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { JobChanges } from '../../../../electron/core/jobs/changes.ts';
import { JobStore } from '../../../../electron/core/jobs/job-store.ts';
import type { Job, JobsEvent, SettledJob } from '../../../../shared/models/jobs.ts';
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

test('bytes of settled jobs leave the total, also if more settle than one event names, and if no window watches', async () => {
  const clock = manualClock();
  const database = new DatabaseSync(':memory:');
  database.exec(jobTables);
  const states = new Map<string, Job['state']>();
  const changes = new JobChanges(clock, new JobStore(database), (id) => {
    const job = { id, kind: 'upload', state: states.get(id), reason: null, connectionId: 'c', bucket: 'b' };
    return { ...job, bytesTotal: 10, bytesDone: 1 } as Job;
  });
  const move = (ids: readonly string[], state: 'transferring' | 'paused'): void => {
    for (const id of ids) {
      states.set(id, state);
      changes.touch(id);
      if (state === 'paused')
        changes.settled({ id, kind: 'upload', state, reason: 'by-user', connectionId: 'c', bucket: 'b' });
    }
  };
  const stop = new AbortController();
  const events = changes.watch(stop.signal);
  await events.next();
  const report = async (): Promise<JobsEvent> => {
    const next = events.next();
    await clock.advance(1000);
    return (await next).value as JobsEvent;
  };
  const ids = Array.from({ length: 300 }, (_, at) => String(at));
  for (const half of [ids.slice(0, 150), ids.slice(150)]) {
    move(half, 'transferring');
    await report();
  }
  expect(changes.counts()).toMatchObject({ bytesTotal: 3000, bytesDone: 300 });
  move(ids.slice(1), 'paused');
  expect((await report()).counts).toMatchObject({ bytesTotal: 10, bytesDone: 1 });
  stop.abort();
  await events.next();
  move(ids, 'paused');
  expect(changes.counts()).toMatchObject({ bytesTotal: 0, bytesDone: 0 });
  database.close();
});
