/** The waits before another try: they grow from the base up to the most. */
export interface Waits {
  readonly baseMs: number;
  readonly maxMs: number;
  /** Absent: doubled by each step. */
  readonly growth?: 'linear';
}

/** How often each kind of work is tried again, and how long it waits in between. */
export const retryPolicies = {
  /** One request of the client; a call may ask for less. */
  request: {
    maxTries: 6,
    baseMs: 100,
    maxMs: 20_000,
    /** The time that tries and waits may take before the last try begins. */
    budgetMs: 120_000,
    /** The longest wait that a service may ask for (Retry-After) and that is not shown. */
    patienceMs: 3000,
  },
  /** A request of "Test connection": the user is waiting for it. */
  connectionTest: { maxTries: 2 },
  /** A job, by its failures in a row. */
  job: {
    baseMs: 1000,
    maxMs: 60_000,
    /** A service that keeps failing is shown after so many. */
    maxFailures: 30,
    /** Failures caused by a proxy or a clock pass soon, or never. */
    maxOddFailures: 5,
    /** Bytes that arrive damaged each time; more tries would only cost time. */
    maxDamages: 3,
  },
  /** One item of a transfer. After so many damages in a row the user decides. */
  item: { baseMs: 1000, maxMs: 60_000, maxFailures: 12, maxDamages: 3 },
  /** One part of an upload, within one run of its job. */
  part: { baseMs: 1000, maxMs: 60_000, maxTries: 5 },
  /** Parts that were on their way when the upload was aborted may arrive after it: it is aborted again. */
  abort: { baseMs: 500, maxMs: 5000, growth: 'linear', maxTries: 10 },
  /** The questions after a Complete whose outcome is not known. */
  outcome: {
    baseMs: 1000,
    maxMs: 30_000,
    maxUnclearAsks: 12,
    /** Looks at an object that is proved by HEAD and cannot be read: some two minutes. */
    maxUnreadAsks: 8,
    /** Completes that are answered with "no such upload" although its parts are listed: some three minutes. */
    maxGoneAnswers: 10,
    /** Completes that say success and make nothing, each ten minutes after the other. */
    maxIdleAnswers: 3,
  },
  /** Checks of the key while a CompleteMultipartUpload sends nothing. */
  silentComplete: { baseMs: 60_000, maxMs: 10 * 60_000 },
  /** Reads of a bucket's configuration after a save, as long as the service still answers the one before. */
  bucketSettings: { baseMs: 500, maxMs: 4000, maxTries: 4 },
  /** Polls of a job that the service runs: often after a change, then every minute. */
  batch: { baseMs: 2000, maxMs: 60_000 },
  /** Writes that the disk refused. */
  jobStore: { baseMs: 5000, maxMs: 5000 },
} as const satisfies Readonly<Record<string, Partial<Waits> & Readonly<Record<string, unknown>>>>;

/** The wait after so many steps, from 0 on. */
export function waitMs({ baseMs, maxMs, growth }: Waits, step: number): number {
  const steps = Math.min(Math.max(step, 0), 30);
  return Math.min(maxMs, growth === 'linear' ? baseMs * (steps + 1) : baseMs * 2 ** steps);
}

/** Full jitter: a random share of the wait, and never sooner than Retry-After says. `fraction`: uniform in [0, 1). */
export function jitteredMs(
  waits: Waits,
  step: number,
  fraction: number,
  retryAfterMs: number | undefined,
): number {
  return Math.max(Math.floor(waitMs(waits, step) * fraction), retryAfterMs ?? 0);
}

/** The wait after so many failures in a row, the last one included. */
export function backoffMs(
  waits: Waits,
  failures: number,
  fraction: number,
  retryAfterMs: number | undefined,
): number {
  return jitteredMs(waits, failures - 1, fraction, retryAfterMs);
}
