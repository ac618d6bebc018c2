/** The delays between retries, which grow from `baseMs` to `maxMs`. */
export interface Waits {
  readonly baseMs: number;
  readonly maxMs: number;
  /** If absent, each delay is twice the previous one. */
  readonly growth?: 'linear';
}

/** The numbers of retries and their delays, by kind of work. */
export const retryPolicies = {
  /** One request of the client. A call may allow fewer attempts. */
  request: {
    maxTries: 6,
    baseMs: 100,
    maxMs: 20_000,
    /** The time in ms, from the first attempt, within which the last attempt must start. */
    budgetMs: 120_000,
    /** The longest Retry-After in ms for which a request waits without reporting it. */
    patienceMs: 3000,
  },
  /** A request of "Test connection", for which the user is waiting. */
  connectionTest: { maxTries: 2 },
  /** A job. Counts its consecutive failures. */
  job: {
    baseMs: 1000,
    maxMs: 60_000,
    /** After this many failures, the job stops and the user must decide. */
    maxFailures: 30,
    /** The limit for failures that a proxy or a clock causes. They pass soon or never. */
    maxOddFailures: 5,
    /** The limit for consecutive damaged results. Further attempts are unlikely to help. */
    maxDamages: 3,
  },
  /** One item of a transfer. After this many consecutive damaged results, the user must decide. */
  item: { baseMs: 1000, maxMs: 60_000, maxFailures: 12, maxDamages: 3 },
  /** One part of an upload, within one run of its job. */
  part: { baseMs: 1000, maxMs: 60_000, maxTries: 5 },
  /** An abort of an upload. Parts in flight may be stored after it, so it is repeated. */
  abort: { baseMs: 500, maxMs: 5000, growth: 'linear', maxTries: 10 },
  /** Checks after a CompleteMultipartUpload with an unknown outcome. */
  outcome: {
    baseMs: 1000,
    maxMs: 30_000,
    maxUnclearAsks: 12,
    /** The limit for checks of an object that HEAD describes but GET cannot read; about two minutes. */
    maxUnreadAsks: 8,
    /** The limit for Complete requests that fail with "no such upload" although its parts are listed; about three minutes. */
    maxGoneAnswers: 10,
    /** The limit for Complete requests that report success but create no object, ten minutes apart. */
    maxIdleAnswers: 3,
  },
  /** Checks of the key while no byte of the response to CompleteMultipartUpload arrives. */
  silentComplete: { baseMs: 60_000, maxMs: 10 * 60_000 },
  /** Reads of a bucket's configuration after a save, while the service still returns the previous one. */
  bucketSettings: { baseMs: 500, maxMs: 4000, maxTries: 4 },
  /** Status requests for a job that the service runs: often after a change, then every minute. */
  batch: { baseMs: 2000, maxMs: 60_000 },
  /** Writes that the disk rejected. */
  jobStore: { baseMs: 5000, maxMs: 5000 },
} as const satisfies Readonly<Record<string, Partial<Waits> & Readonly<Record<string, unknown>>>>;

/** Returns the delay of a step in milliseconds. Steps are counted from 0. */
export function waitMs({ baseMs, maxMs, growth }: Waits, step: number): number {
  const steps = Math.min(Math.max(step, 0), 30);
  return Math.min(maxMs, growth === 'linear' ? baseMs * (steps + 1) : baseMs * 2 ** steps);
}

/**
 * Returns the delay after this many consecutive failures, with full jitter, but at least Retry-After. `fraction` is uniform in
 * [0, 1).
 */
export function backoffMs(
  waits: Waits,
  failures: number,
  fraction: number,
  retryAfterMs: number | undefined,
): number {
  return Math.max(Math.floor(waitMs(waits, failures - 1) * fraction), retryAfterMs ?? 0);
}
