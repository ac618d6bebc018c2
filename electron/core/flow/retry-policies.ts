/** The delays between retries: they grow from `baseMs` up to `maxMs`. */
export interface Waits {
  readonly baseMs: number;
  readonly maxMs: number;
  /** If absent, each step doubles the delay. */
  readonly growth?: 'linear';
}

/** Retry counts and delays, by kind of work. */
export const retryPolicies = {
  /** One request of the client; a call may allow fewer tries. */
  request: {
    maxTries: 6,
    baseMs: 100,
    maxMs: 20_000,
    /** Time in which the last try must start, including earlier tries and delays. */
    budgetMs: 120_000,
    /** The longest Retry-After for which a request waits without reporting the wait. */
    patienceMs: 3000,
  },
  /** A request of "Test connection": the user is waiting for it. */
  connectionTest: { maxTries: 2 },
  /** A job; counts its consecutive failures. */
  job: {
    baseMs: 1000,
    maxMs: 60_000,
    /** After this many failures the job stops and asks the user. */
    maxFailures: 30,
    /** Failures caused by a proxy or a clock: they pass soon or never. */
    maxOddFailures: 5,
    /** Damaged results in a row. More tries are unlikely to help. */
    maxDamages: 3,
  },
  /** One item of a transfer. After this many damaged results in a row the user decides. */
  item: { baseMs: 1000, maxMs: 60_000, maxFailures: 12, maxDamages: 3 },
  /** One part of an upload, within one run of its job. */
  part: { baseMs: 1000, maxMs: 60_000, maxTries: 5 },
  /** Parts in flight during an abort may be stored after it, so the upload is aborted again. */
  abort: { baseMs: 500, maxMs: 5000, growth: 'linear', maxTries: 10 },
  /** Checks after a CompleteMultipartUpload with unknown outcome. */
  outcome: {
    baseMs: 1000,
    maxMs: 30_000,
    maxUnclearAsks: 12,
    /** Checks of an object that HEAD describes but that cannot be read: some two minutes. */
    maxUnreadAsks: 8,
    /** Complete requests that fail with "no such upload" although its parts are listed: some three minutes. */
    maxGoneAnswers: 10,
    /** Complete requests that report success but create no object, ten minutes apart. */
    maxIdleAnswers: 3,
  },
  /** Checks of the key while no byte of the response to CompleteMultipartUpload arrives. */
  silentComplete: { baseMs: 60_000, maxMs: 10 * 60_000 },
  /** Reads of a bucket's configuration after a save, while the service still returns the previous one. */
  bucketSettings: { baseMs: 500, maxMs: 4000, maxTries: 4 },
  /** Polls of a job that the service runs: often after a change, then every minute. */
  batch: { baseMs: 2000, maxMs: 60_000 },
  /** Writes that the disk refused. */
  jobStore: { baseMs: 5000, maxMs: 5000 },
} as const satisfies Readonly<Record<string, Partial<Waits> & Readonly<Record<string, unknown>>>>;

/** Returns the delay of a step, counted from 0, in milliseconds. */
export function waitMs({ baseMs, maxMs, growth }: Waits, step: number): number {
  const steps = Math.min(Math.max(step, 0), 30);
  return Math.min(maxMs, growth === 'linear' ? baseMs * (steps + 1) : baseMs * 2 ** steps);
}

/** Returns a delay with full jitter, but at least Retry-After. `fraction`: uniform in [0, 1). */
function jitteredMs(waits: Waits, step: number, fraction: number, retryAfterMs: number | undefined): number {
  return Math.max(Math.floor(waitMs(waits, step) * fraction), retryAfterMs ?? 0);
}

/** Returns the delay after this many consecutive failures, the last one included. */
export function backoffMs(
  waits: Waits,
  failures: number,
  fraction: number,
  retryAfterMs: number | undefined,
): number {
  return jitteredMs(waits, failures - 1, fraction, retryAfterMs);
}
