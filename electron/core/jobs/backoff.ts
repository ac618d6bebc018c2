import { jitteredMs } from '../flow/backoff-delay.ts';

export const backoffBaseMs = 1000;
export const backoffMaxMs = 60_000;

/** How long a job waits after so many failures in a row. */
export function backoffMs(failures: number, fraction: number, retryAfterMs: number | undefined): number {
  return jitteredMs({ baseMs: backoffBaseMs, maxMs: backoffMaxMs }, failures - 1, fraction, retryAfterMs);
}
