export const backoffBaseMs = 1000;
export const backoffMaxMs = 60_000;

/** Full jitter: a random share of the exponential delay, and never sooner than Retry-After says. */
export function backoffMs(failures: number, fraction: number, retryAfterMs: number | undefined): number {
  const ceiling = Math.min(backoffMaxMs, backoffBaseMs * 2 ** Math.min(Math.max(failures - 1, 0), 10));
  return Math.max(Math.floor(ceiling * fraction), retryAfterMs ?? 0);
}
