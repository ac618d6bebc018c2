import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Job, JobState } from '../../../../shared/models/jobs.ts';
import { failure, toAppError } from '../../../../shared/errors.ts';
import { JobEngine } from '../../../../electron/core/jobs/engine.ts';
import {
  jobNamesInOrder,
  jobsByNames,
  jobsInOrder,
  jobTables,
} from '../../../../electron/core/store/migrations.ts';
import { JobStore } from '../../../../electron/core/jobs/job-store.ts';
import type {
  BaseJob,
  Driver,
  EffectContext,
  EngineEvent,
  Step,
  StopEffect,
} from '../../../../electron/core/jobs/job.ts';
import type { Clock } from '../../../../electron/core/ports.ts';
import { completeJob } from '../../../../electron/core/multipart/new-jobs.ts';
import { silentLogger } from '../../../support/servers/s3-client.ts';
import { assertNothingSleeps } from '../../../support/nothing-sleeps.ts';

/** The ways in which an effect may end, or a driver may fail to decide on its result. */
const ends = ['done', 'later', 'now', 'attention', 'throws', 'nowhere', 'defect', 'again', 'quiet'] as const;
type End = (typeof ends)[number];
interface Ended {
  readonly kind: 'ended';
  readonly end: End;
}
type Event = EngineEvent | Ended;

/** A kind of job whose effects end as the test orders. */
class ScriptedDriver implements Driver<BaseJob, Ended, { readonly kind: 'work' }> {
  readonly kinds = ['complete'] as const;
  readonly working = new Map<string, (end: End) => void>();
  /** Jobs whose next start is delayed, refused, or throws. */
  readonly starts = new Map<string, 'put-off' | 'refuses' | 'throws'>();

  parse(data: unknown): BaseJob {
    return data as BaseJob;
  }

  transition(
    job: BaseJob,
    event: Event,
    moment: { readonly nowMs: number },
  ): Step<BaseJob, { readonly kind: 'work' } | StopEffect> {
    const to = (state: JobState, change: Partial<BaseJob> = {}): Step<BaseJob, never> => ({
      job: { ...job, state, dueMs: null, ...change },
      effects: [],
    });
    if (job.state === 'done' || job.state === 'cancelled') return { job, effects: [] };
    const rests = job.state === 'paused' || job.state === 'needs-attention';
    switch (event.kind) {
      case 'started': {
        const how = this.starts.get(job.id);
        this.starts.delete(job.id);
        if (how === 'throws') throw new Error('A defect of the driver.');
        if (how === 'refuses') return { job: { ...job }, effects: [] };
        if (how === 'put-off') return to('retry-scheduled', { dueMs: moment.nowMs + 700 });
        return { job: to('listing-parts', { run: job.run + 1 }).job, effects: [{ kind: 'work' }] };
      }
      case 'ended':
        return this.#ended(job, event.end, moment.nowMs, to);
      case 'failed':
        return to('retry-scheduled', { dueMs: moment.nowMs + 300 });
      case 'cancel':
        return { job: to('cancelled', { run: job.run + 1 }).job, effects: [{ kind: 'stop' }] };
      case 'pause':
        return { job: to('paused', { run: job.run + 1 }).job, effects: [{ kind: 'stop' }] };
      case 'restarted':
        return to('waiting');
      case 'resume':
      case 'keys-changed':
        return rests ? to('waiting') : { job, effects: [] };
      case 'retry-now':
        return rests || job.dueMs !== null ? to('waiting') : { job, effects: [] };
      default:
        return event satisfies never;
    }
  }

  #ended(
    job: BaseJob,
    end: End,
    nowMs: number,
    to: (state: JobState, change?: Partial<BaseJob>) => Step<BaseJob, never>,
  ): Step<BaseJob, { readonly kind: 'work' }> {
    switch (end) {
      case 'done':
        return to('done');
      case 'later':
        return to('retry-scheduled', { dueMs: nowMs + 1000 });
      case 'now':
        return to('retry-scheduled', { dueMs: nowMs });
      case 'quiet':
        return to('verifying-outcome', { dueMs: nowMs + 90_000 });
      case 'attention':
        return to('needs-attention', { run: job.run + 1 });
      case 'again':
        return { job: to('sending-parts', { run: job.run + 1 }).job, effects: [{ kind: 'work' }] };
      case 'defect':
        throw new Error('A defect of the driver.');
      default:
        return { job, effects: [] };
    }
  }

  async perform(_effect: unknown, job: BaseJob, context: EffectContext<Ended>): Promise<Ended> {
    const { promise, resolve, reject } = Promise.withResolvers<End>();
    this.working.set(job.id, resolve);
    const onAbort = (): void => reject(context.signal.reason as Error);
    context.signal.addEventListener('abort', onAbort);
    const end = await promise;
    if (end === 'throws') throw failure('network', 'Broken.', { retry: 'backoff' });
    return { kind: 'ended', end };
  }

  toModel(job: BaseJob): Job {
    const rests = job.state === 'paused' || job.state === 'needs-attention';
    return { ...(job as unknown as Job), reason: rests ? 'by-user' : null };
  }
}

/** A clock that advances by scripted steps at each reading, and wakes sleepers early, late, or several at once. */
class CrookedClock implements Clock {
  wallMs = 1_000_000;
  steadyMs = 0;
  readonly #stepsMs: readonly number[];
  #reading = 0;
  #sleepers: { readonly atMs: number; readonly wake: () => void }[] = [];

  constructor(stepsMs: readonly number[]) {
    this.#stepsMs = stepsMs;
  }

  nowMs(): number {
    this.#reading += 1;
    this.pass(this.#stepsMs[this.#reading % Math.max(1, this.#stepsMs.length)] ?? 0);
    return this.wallMs;
  }

  monotonicMs(): number {
    return this.steadyMs;
  }

  pass(byMs: number): void {
    this.wallMs += byMs;
    this.steadyMs += byMs;
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { atMs: this.steadyMs + delayMs, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal.reason as Error);
      });
    });
  }

  /** Wakes the sleepers that are due within this time. With a time other than 0, this is early. */
  fire(earlyMs: number): void {
    const due = this.#sleepers.filter(({ atMs }) => atMs <= this.steadyMs + earlyMs);
    this.#sleepers = this.#sleepers.filter((sleeper) => !due.includes(sleeper));
    for (const { wake } of due) wake();
  }
}

async function turn(): Promise<void> {
  for (let round = 0; round < 4; round += 1)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}

type UserStep =
  | { readonly do: 'submit'; readonly lock: number; readonly start: 'put-off' | 'refuses' | 'throws' | null }
  | {
      readonly do: 'tell';
      readonly which: number;
      readonly event: 'pause' | 'resume' | 'retry-now' | 'cancel';
    }
  | { readonly do: 'tell-all'; readonly event: 'pause' | 'resume' | 'retry-now' }
  | { readonly do: 'end'; readonly which: number; readonly end: End }
  | { readonly do: 'pass'; readonly byMs: number; readonly fires: boolean }
  | { readonly do: 'early'; readonly earlyMs: number }
  | { readonly do: 'set-clock'; readonly byMs: number }
  | { readonly do: 'break-disk'; readonly writes: number }
  | { readonly do: 'slots'; readonly jobsAtOnce: number }
  | { readonly do: 'restart' };

const steps = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      lock: fc.nat(3),
      start: fc.constantFrom(null, null, null, 'put-off' as const, 'refuses' as const, 'throws' as const),
    }),
  },
  fc.record({
    do: fc.constant('tell' as const),
    which: fc.nat(9),
    event: fc.constantFrom('pause' as const, 'resume' as const, 'retry-now' as const, 'cancel' as const),
  }),
  fc.record({
    do: fc.constant('tell-all' as const),
    event: fc.constantFrom('pause' as const, 'resume' as const, 'retry-now' as const),
  }),
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      which: fc.nat(9),
      end: fc.constantFrom(...ends),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      byMs: fc.constantFrom(1, 299, 300, 999, 1000, 5000, 60_000),
      fires: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('early' as const), earlyMs: fc.constantFrom(1, 300, 1000) }),
  fc.record({
    do: fc.constant('set-clock' as const),
    byMs: fc.constantFrom(-86_400_000, -90_000, -500, 500, 86_400_000),
  }),
  fc.record({ do: fc.constant('break-disk' as const), writes: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('slots' as const), jobsAtOnce: fc.integer({ min: 1, max: 4 }) }),
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);

/** Runs a user's request. The engine may reject it with AppError('storage') while the disk fails. */
async function asUser(ask: () => unknown): Promise<void> {
  try {
    await ask();
  } catch (thrown) {
    if (toAppError(thrown).code !== 'storage') throw thrown;
  }
}

async function play(script: readonly UserStep[], stepsMs: readonly number[]): Promise<void> {
  const clock = new CrookedClock(stepsMs);
  const database = new DatabaseSync(':memory:');
  database.exec(jobTables + jobsInOrder + jobsByNames + jobNamesInOrder);
  let failing = 0;
  const driver = new ScriptedDriver();
  const make = (): JobEngine => {
    const store = new JobStore(database, {
      onTransaction: (when) => {
        if (when !== 'before' || failing === 0) return;
        failing -= 1;
        throw failure('storage', 'The disk is full.', { reason: 'disk-full' });
      },
    });
    const random = { fraction: () => 0.5, id: () => '' };
    return new JobEngine({ store, drivers: [driver], clock, random, logger: silentLogger });
  };
  let engine = make();
  engine.start();
  let count = 0;
  const nth = (which: number): string => `j${count === 0 ? 0 : which % count}`;
  for (const step of script) {
    switch (step.do) {
      case 'submit': {
        const id = `j${count}`;
        count += 1;
        const ref = { connectionId: 'c', bucket: 'b', key: 'k', uploadId: `u${step.lock}` };
        const seed = { id, nowMs: clock.wallMs, ref, quietUntilMs: 0 };
        if (step.start !== null) driver.starts.set(id, step.start);
        await asUser(() => engine.submit(completeJob({ fingerprint: '', acceptGaps: false }, seed)));
        break;
      }
      case 'tell':
        await asUser(() => engine.send(nth(step.which), { kind: step.event }));
        break;
      case 'tell-all':
        await asUser(() => engine.sendMany(null, { states: null, connectionId: null }, { kind: step.event }));
        break;
      case 'end':
        driver.working.get(nth(step.which))?.(step.end);
        break;
      case 'pass':
        clock.pass(step.byMs);
        if (step.fires) clock.fire(0);
        break;
      case 'early':
        clock.fire(step.earlyMs);
        break;
      case 'set-clock':
        clock.wallMs += step.byMs;
        break;
      case 'break-disk':
        failing = step.writes;
        break;
      case 'slots':
        await asUser(() => engine.updateSettings({ jobsAtOnce: step.jobsAtOnce }));
        break;
      case 'restart':
        await engine.stop();
        driver.starts.clear();
        engine = make();
        engine.start();
        break;
      default:
        step satisfies never;
    }
    await turn();
    assertNothingSleeps(engine);
  }
  await bringToEnd(engine, driver, clock, () => {
    failing = 0;
  });
  database.close();
}

/** Brings every job to its end: time passes, and the user retries each job that is paused or needs attention. */
async function bringToEnd(
  engine: JobEngine,
  driver: ScriptedDriver,
  clock: CrookedClock,
  mend: () => void,
): Promise<void> {
  mend();
  const jobs = async () => (await engine.list({ states: null, connectionId: null }, 0, 1000)).jobs;
  const isOver = async (): Promise<boolean> =>
    (await jobs()).every(({ state }) => state === 'done' || state === 'cancelled');
  for (let round = 0; round < 200 && !(await isOver()); round += 1) {
    for (const { id, state } of await jobs())
      if (state === 'paused' || state === 'needs-attention') engine.send(id, { kind: 'retry-now' });
    for (const end of driver.working.values()) end('done');
    clock.pass(10_000);
    clock.fire(0);
    await turn();
    assertNothingSleeps(engine);
  }
  expect(await isOver()).toBe(true);
  await engine.stop();
}

test('every job ends without stalling, whatever the clock, the disk, its driver and the user do', async () => {
  const held = fc.assert(
    fc.asyncProperty(
      fc.array(steps, { minLength: 1, maxLength: 30 }),
      // Milliseconds between two readings of the clock.
      fc.array(fc.constantFrom(0, 0, 1, 300, 999), { minLength: 1, maxLength: 7 }),
      play,
    ),
    {
      numRuns: 500,
      examples: [
        // The disk fails at the moment the engine notices that the clock was set back.
        [
          [
            { do: 'submit', lock: 0, start: 'put-off' },
            { do: 'break-disk', writes: 1 },
            { do: 'set-clock', byMs: -86_400_000 },
            { do: 'tell', which: 0, event: 'resume' },
            { do: 'early', earlyMs: 1 },
          ],
          [0],
        ],
      ],
    },
  );
  await expect(held).resolves.toBeUndefined();
}, 120_000);
