import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Job, JobFilter, JobState } from '../../../../shared/models/jobs.ts';
import { JobEngine } from '../../../../electron/core/jobs/engine.ts';
import { lastOf } from '../../../../electron/core/flow/loops.ts';
import {
  jobNamesInOrder,
  jobsByNames,
  jobsInOrder,
  jobTables,
} from '../../../../electron/core/store/migrations.ts';
import { JobStore, rowsPerSlice } from '../../../../electron/core/jobs/job-store.ts';
import type {
  BaseJob,
  Driver,
  EffectContext,
  EngineEvent,
  Step,
  StopEffect,
} from '../../../../electron/core/jobs/job.ts';
import { backoffMs, retryPolicies } from '../../../../electron/core/flow/retry-policies.ts';
import { completeJob } from '../../../../electron/core/multipart/new-jobs.ts';
import { manualClock, recordingLogger, type ManualClock } from '../../../support/core/fake-ports.ts';

interface Effect {
  readonly kind: 'work';
}
interface Worked {
  readonly kind: 'worked';
}
type Event = EngineEvent | Worked;

/** A minimal kind of job with one effect, to test the engine independently of the decisions of uploads. */
class PlainDriver implements Driver<BaseJob, Worked, Effect> {
  readonly kinds = ['complete'] as const;
  readonly begun: string[] = [];
  readonly working = new Map<string, { finish: () => void; signal: AbortSignal }>();
  stateWhenBegun: (jobId: string) => string = () => '';

  parse(data: unknown): BaseJob {
    if (typeof data !== 'object' || data === null || !('id' in data)) throw new Error('broken');
    return data as BaseJob;
  }

  transition(job: BaseJob, event: Event, moment: { nowMs: number }): Step<BaseJob, Effect | StopEffect> {
    const to = (state: JobState, change: Partial<BaseJob> = {}): BaseJob => ({ ...job, state, ...change });
    switch (event.kind) {
      case 'started':
        return { job: to('listing-parts', { run: job.run + 1, dueMs: null }), effects: [{ kind: 'work' }] };
      case 'worked':
        return { job: to('done'), effects: [] };
      case 'failed':
        return { job: to('retry-scheduled', { dueMs: moment.nowMs + 5000 }), effects: [] };
      case 'cancel':
        return { job: to('cancelled', { run: job.run + 1 }), effects: [{ kind: 'stop' }] };
      case 'pause':
        return { job: to('paused', { run: job.run + 1, dueMs: null }), effects: [{ kind: 'stop' }] };
      case 'resume':
      case 'restarted':
      case 'retry-now':
        return { job: to('waiting', { dueMs: null }), effects: [] };
      case 'keys-changed':
        return { job, effects: [] };
      default:
        return event satisfies never;
    }
  }

  async perform(_effect: Effect, job: BaseJob, context: EffectContext<Worked>): Promise<Worked> {
    this.begun.push(`${job.id} stored as ${this.stateWhenBegun(job.id)}`);
    const { promise, resolve, reject } = Promise.withResolvers<null>();
    this.working.set(job.id, { finish: () => resolve(null), signal: context.signal });
    context.signal.addEventListener('abort', () => reject(context.signal.reason as Error));
    await promise;
    return { kind: 'worked' };
  }

  toModel(job: BaseJob): Job {
    return { ...(job as unknown as Job), reason: null };
  }
}

let clock: ManualClock;
let database: DatabaseSync;
let driver: PlainDriver;
let store: JobStore;
let engine: JobEngine;

function make(): void {
  store = new JobStore(database);
  driver = new PlainDriver();
  driver.stateWhenBegun = (id) => store.load(id)?.state ?? 'nothing';
  engine = new JobEngine({
    store,
    drivers: [driver],
    clock,
    random: { fraction: () => 0.5, id: () => '' },
    logger: recordingLogger(),
  });
}

beforeEach(() => {
  clock = manualClock();
  database = new DatabaseSync(':memory:');
  database.exec(jobTables + jobsInOrder + jobsByNames + jobNamesInOrder);
  make();
});

function jobOf(id: string, uploadId = id): BaseJob {
  const ref = { connectionId: 'c', bucket: 'b', key: 'k', uploadId };
  return completeJob({ fingerprint: '', acceptGaps: false }, { id, nowMs: 0, ref, quietUntilMs: 0 });
}

function named(id: string, key: string): BaseJob {
  const job = { ...jobOf(id), key };
  return job;
}

async function turn(): Promise<void> {
  for (let round = 0; round < 5; round += 1)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}

describe('the job engine', () => {
  test('persists the decision before performing it', () => {
    engine.start();
    engine.submit(jobOf('a'));
    expect(driver.begun).toEqual(['a stored as listing-parts']);
  });

  test('runs at most the allowed number of jobs, oldest first', async () => {
    engine.updateSettings({ jobsAtOnce: 2 });
    engine.start();
    for (const id of ['a', 'b', 'c', 'd']) engine.submit(jobOf(id));
    expect([...driver.working.keys()]).toEqual(['a', 'b']);
    driver.working.get('a')?.finish();
    await turn();
    expect([...driver.working.keys()]).toEqual(['a', 'b', 'c']);
  });

  test('moves queued jobs to the front or the end and reports that the order changed', async () => {
    engine.updateSettings({ jobsAtOnce: 1 });
    engine.start();
    for (const id of ['a', 'b', 'c', 'd', 'e']) engine.submit(jobOf(id));
    const stop = new AbortController();
    const events = engine.changes.watch(stop.signal);
    await events.next();
    expect(engine.reorder('d', 'first')).toBe(true);
    const next = events.next();
    await clock.advance(1000);
    expect((await next).value).toMatchObject({ reload: true });
    stop.abort();
    expect(engine.reorder('b', 'last')).toBe(true);
    // A running job is not moved, and a missing one changes nothing.
    expect(engine.reorder('a', 'last')).toBe(false);
    expect(engine.reorder('nobody', 'first')).toBe(false);
    const all = { states: null, connectionId: null };
    expect((await engine.list(all, 0, 10)).jobs.map(({ id }) => id)).toEqual(['b', 'e', 'c', 'd', 'a']);
    make();
    engine.updateSettings({ jobsAtOnce: 1 });
    for (const id of ['d', 'c', 'e', 'b']) {
      engine.start();
      for (const work of driver.working.values()) work.finish();
      await turn();
      expect(driver.begun.at(-1)).toContain(`${id} stored`);
    }
  });

  test('lists read indexes instead of the records, but for the rows of their page', () => {
    const statements: string[] = [];
    class Recording extends DatabaseSync {
      override prepare(sql: string): StatementSync {
        statements.push(sql);
        return super.prepare(sql);
      }
    }
    const recording = new Recording(':memory:');
    recording.exec(jobTables + jobsInOrder + jobsByNames + jobNamesInOrder);
    const ofDone: JobFilter = { states: ['done'], connectionId: 'c' };
    const recorded = new JobStore(recording);
    recorded.insert({ ...named('a', 'summer'), state: 'done' });
    for (const filter of [{ states: null, connectionId: null }, ofDone])
      for (const text of ['summer', ''])
        expect(recorded.list({ ...filter, text }, 0, 1).next().done).toBe(true);
    const plans = statements.slice(1).flatMap((sql) => recording.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
    const reads = plans.map(({ detail }) => String(detail)).filter((detail) => /\bjobs\b/u.test(detail));
    const page = 'SEARCH jobs USING INTEGER PRIMARY KEY (rowid=?)';
    const [names, order] = ['jobs_by_names', 'jobs_in_order'].map(
      (index) => `SEARCH jobs USING COVERING INDEX ${index} (seq>? AND seq<?)`,
    );
    const ends = 'SEARCH jobs USING COVERING INDEX jobs_in_order (seq<?)';
    expect(new Set(reads)).toEqual(new Set([ends, names, order, page]));
    recording.close();
  });

  test('a search examines at most as many rows at a time as a slice has, and lets other work run between', async () => {
    let examined = 0;
    const names = new DatabaseSync(':memory:');
    names.exec(jobTables + jobsInOrder + jobsByNames + jobNamesInOrder);
    const searched = new JobStore(names);
    names.function('searchable', { deterministic: true }, (text) => {
      examined += 1;
      return String(text).toUpperCase();
    });
    // Uses names in another alphabet, so that the counting function examines each. Row 1 was removed.
    const template = JSON.stringify({ ...named('a', 'х'), state: 'done' });
    const total = 2 * rowsPerSlice + 10;
    names.exec(`WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i <= ${String(total)})
      INSERT INTO jobs (seq, id, kind, state, connection_id, lock_key, due_ms, data)
      SELECT i, 'j' || i, 'complete', 'done', 'c', 'l' || i, NULL,
        json_set('${template}', '$.key', CASE WHEN i % 10000 = 0 THEN 'отчёт' ELSE 'х' END) FROM n`);
    const all = { states: null, connectionId: null };
    const slices: number[] = [];
    const steps = searched.list({ ...all, text: 'Отчёт' }, 1, 2);
    for (;;) {
      examined = 0;
      const step = steps.next();
      slices.push(examined);
      if (step.done !== true) continue;
      expect(step.value.total).toBe(4);
      expect(step.value.rows.map(({ seq }) => seq)).toEqual([30_000, 20_000]);
      break;
    }
    expect(slices).toHaveLength(3);
    // Counts the text of the search, the rows of the slice, and the rows that the page reads again.
    expect(Math.max(...slices)).toBeLessThanOrEqual(2 * rowsPerSlice + 2);
    for (const [offset, limit, first] of [
      [0, 3, total + 1],
      [rowsPerSlice - 1, 3, rowsPerSlice + 12],
      [total - 2, 3, 3],
      [total, 3, null],
    ] as const) {
      const { rows, total: count } = await lastOf(searched.list(all, offset, limit), undefined);
      expect(count).toBe(total);
      expect(rows.map(({ seq }) => seq)).toEqual(
        first === null ? [] : [first, first - 1, first - 2].filter((seq) => seq >= 2),
      );
    }
    const left = new AbortController();
    const aborted = lastOf(searched.list({ ...all, text: 'х' }, 0, 1), left.signal);
    left.abort(new Error('The user typed on.'));
    await expect(aborted).rejects.toThrow('The user typed on.');
    names.close();
  });

  test('every page of a search reports the number of all matches', async () => {
    for (const id of ['a', 'b', 'c']) engine.submit(named(id, 'photos/summer.jpg'));
    const pages = [
      [0, 10],
      [0, 3],
      [0, 2],
      [2, 1],
      [2, 5],
      [7, 5],
    ] as const;
    const filter = { states: null, connectionId: null };
    for (const [offset, limit] of pages) {
      expect((await engine.list({ ...filter, text: 'summer' }, offset, limit)).total).toBe(3);
      expect((await engine.list({ ...filter, text: 'winter' }, offset, limit)).total).toBe(0);
    }
  });

  test('searches jobs by literal text, whatever characters it holds', async () => {
    engine.submit(named('a', 'photos/Summer 100%.jpg'));
    engine.submit(named('b', 'photos/100 days_of.txt'));
    const found = async (text: string) =>
      (await engine.list({ states: null, connectionId: null, text }, 0, 10)).jobs.map(({ id }) => id);
    expect(await found('summer')).toEqual(['a']);
    expect(await found('100')).toEqual(['b', 'a']);
    expect(await found('100%')).toEqual(['a']);
    expect(await found('s_o')).toEqual(['b']);
    expect(await found("'; DROP")).toEqual([]);
    expect(await found('\\')).toEqual([]);
    expect(await found('')).toEqual(['b', 'a']);
  });

  test.each([
    ['ОТЧЁТ', 'отчёт за май.pdf'],
    ['отчёт', 'ОТЧЁТ.PDF'],
    ['übung', 'Übungen/1.txt'],
    ['STRASSE', 'Hauptstraße.jpg'],
    ['οδοσ', 'Οδός ΟΔΟΣ'],
    // A decomposed name, as on macOS, and the composed letter that a user types.
    ['é', 'Cafe\u0301.txt'],
  ])('finds by %s a job named %s, ignoring case in every alphabet', async (text, key) => {
    engine.submit(named('a', key));
    engine.submit(named('b', 'other.txt'));
    const { jobs } = await engine.list({ states: null, connectionId: null, text }, 0, 10);
    expect(jobs.map(({ id }) => id)).toEqual(['a']);
  });

  test('never runs two jobs of one upload at once, even while an aborted one is still ending', async () => {
    engine.updateSettings({ jobsAtOnce: 5 });
    engine.start();
    engine.submit(jobOf('a', 'same'));
    engine.submit(jobOf('b', 'same'));
    expect([...driver.working.keys()]).toEqual(['a']);
    engine.send('a', { kind: 'cancel' });
    expect(driver.working.get('a')?.signal.aborted).toBe(true);
    expect([...driver.working.keys()]).toEqual(['a']);
    await turn();
    expect([...driver.working.keys()]).toEqual(['a', 'b']);
  });

  test('ignores the result of an aborted effect', async () => {
    engine.start();
    engine.submit(jobOf('a'));
    driver.working.get('a')?.finish();
    engine.send('a', { kind: 'pause' });
    await turn();
    expect(engine.job('a')?.state).toBe('paused');
  });

  test('starts a scheduled job when it is due, and at once when woken', async () => {
    engine.start();
    engine.submit({ ...jobOf('a'), state: 'retry-scheduled', dueMs: clock.nowMs() + 5000 });
    await clock.advance(4000);
    expect(driver.begun).toEqual([]);
    await clock.advance(1100);
    expect(driver.begun).toHaveLength(1);
    engine.submit({ ...jobOf('b'), state: 'retry-scheduled', dueMs: clock.nowMs() + 3_600_000 });
    engine.wake();
    expect(driver.begun).toHaveLength(2);
  });

  test('restarts the jobs that a crash interrupted', async () => {
    engine.start();
    engine.submit(jobOf('a'));
    engine.submit({ ...jobOf('b'), state: 'done' });
    await engine.stop();
    make();
    engine.start();
    expect(driver.begun).toEqual(['a stored as listing-parts']);
    expect(engine.changes.counts()).toMatchObject({ total: 2, broken: 0 });
  });

  const damages = [
    ['record that is not JSON', `data = 'not even JSON'`],
    ['record of another id', `data = json_set(data, '$.id', 'x')`],
    ['mismatched id', `id = 'x'`],
    ['mismatched kind', `kind = 'abort'`],
    ['mismatched queue state', `state = 'transferring'`],
    ['mismatched final state', `state = 'done'`],
    ['unknown state', `state = 'xyz'`],
    ['mismatched time', `due_ms = 12`],
    ['mismatched lock', `lock_key = '[]'`],
    ['mismatched connection', `connection_id = 'x'`],
  ] as const;

  test.each(damages)('sets a row with a %s aside at the start and counts it', async (_what, change) => {
    engine.submit(jobOf('a'));
    engine.submit({ ...jobOf('b'), state: 'paused' });
    await engine.stop();
    database.exec(`UPDATE jobs SET ${change} WHERE id = 'b'`);
    const damaged = database.prepare(`SELECT data FROM jobs WHERE seq = 2`).get();
    make();
    engine.start();
    await turn();
    expect(engine.changes.counts()).toMatchObject({ total: 1, broken: 1 });
    expect(
      (await engine.list({ states: null, connectionId: null }, 0, 10)).jobs.map((job) => job.id),
    ).toEqual(['a']);
    expect(database.prepare('SELECT data FROM job_broken').get()).toEqual(damaged);
  });

  test('sets a row that was damaged while running aside when it is read', () => {
    engine.start();
    engine.submit({ ...jobOf('a'), state: 'paused' });
    database.exec(`UPDATE jobs SET state = 'waiting'`);
    expect(engine.job('a')).toBeNull();
    expect(engine.changes.counts()).toMatchObject({ broken: 1 });
  });

  test('starts no job if all were paused before the start', () => {
    engine.submit(jobOf('a'));
    engine.submit({ ...jobOf('b'), state: 'retry-scheduled', dueMs: clock.nowMs() });
    engine.submit({ ...jobOf('c'), state: 'listing-parts' });
    engine.submit({ ...jobOf('d'), state: 'done' });
    engine.pauseAll();
    engine.start();
    expect(driver.begun).toEqual([]);
    expect(engine.changes.counts().byState).toEqual({ paused: 3, done: 1 });
  });

  test('removes only settled jobs when cleared', async () => {
    engine.submit({ ...jobOf('a'), state: 'done' });
    engine.submit({ ...jobOf('b'), state: 'paused' });
    engine.submit({ ...jobOf('c'), state: 'needs-attention' });
    expect(await engine.clear(null)).toBe(1);
    expect(await engine.clear(['b', 'c', 'gone'])).toBe(1);
    expect(
      (await engine.list({ states: null, connectionId: null }, 0, 10)).jobs.map((job) => job.id),
    ).toEqual(['b']);
    expect(engine.changes.counts()).toMatchObject({ total: 1, byState: { paused: 1 } });
  });

  test('clears all finished jobs, but none that finishes while it clears', async () => {
    for (let index = 0; index < 450; index += 1) engine.submit({ ...jobOf(`j${index}`), state: 'done' });
    engine.submit({ ...jobOf('cancelled'), state: 'cancelled' });
    engine.submit({ ...jobOf('late'), state: 'paused' });
    const clearing = engine.clear(null);
    engine.send('late', { kind: 'cancel' });
    expect(await clearing).toBe(451);
    expect(
      (await engine.list({ states: null, connectionId: null }, 0, 10)).jobs.map((job) => job.id),
    ).toEqual(['late']);
    expect(engine.changes.counts()).toMatchObject({ total: 1, byState: { cancelled: 1 } });
    expect(await engine.clear(null)).toBe(1);
  });

  test('sends an event for all jobs to each of 450 jobs', async () => {
    for (let index = 0; index < 450; index += 1) engine.submit(jobOf(`j${index}`));
    const filter = { states: null, connectionId: null };
    expect(await engine.sendMany(null, filter, { kind: 'pause' })).toBe(450);
    expect(engine.changes.counts().byState).toEqual({ paused: 450 });
  });

  test('coalesces changes into one event per quarter second', async () => {
    const stop = new AbortController();
    const events: { changed: number; reload: boolean }[] = [];
    const watching = (async () => {
      for await (const event of engine.changes.watch(stop.signal))
        events.push({ changed: event.changed.length, reload: event.reload });
    })();
    await turn();
    for (let index = 0; index < 450; index += 1) engine.submit(jobOf(`j${index}`));
    await turn();
    expect(events).toHaveLength(1);
    await clock.advance(260);
    expect(events).toEqual([
      { changed: 0, reload: false },
      { changed: 200, reload: true },
    ]);
    stop.abort();
    await watching;
  });
});

test('attempts are stored with their time and listed page by page, newest first', () => {
  for (let index = 0; index < 5; index += 1)
    store.addAttempt('a', index, {
      request: `r${index}`,
      partNumber: null,
      status: 200,
      requestId: 'q',
      error: null,
      note: null,
    });
  const first = store.attempts('a', null, 3);
  expect(first.map((attempt) => attempt.request)).toEqual(['r4', 'r3', 'r2']);
  expect(store.attempts('a', first.at(-1)?.id ?? 0, 3).map((attempt) => attempt.request)).toEqual([
    'r1',
    'r0',
  ]);
  expect(first[0]?.at).toBe('1970-01-01T00:00:00.004Z');
});

test('the backoff has full jitter, grows to a minute and honours Retry-After', () => {
  expect(backoffMs(retryPolicies.job, 1, 0.5, undefined)).toBe(500);
  expect(backoffMs(retryPolicies.job, 4, 0.5, undefined)).toBe(4000);
  expect(backoffMs(retryPolicies.job, 99, 0.999, undefined)).toBeLessThan(60_000);
  expect(backoffMs(retryPolicies.job, 5, 0, undefined)).toBe(0);
  expect(backoffMs(retryPolicies.job, 1, 0.5, 120_000)).toBe(120_000);
});
