export interface DelayBounds {
  readonly baseMs: number;
  readonly maxMs: number;
}

/** The base, doubled by each step from 0 on, up to the most. */
export function exponentialMs({ baseMs, maxMs }: DelayBounds, step: number): number {
  return Math.min(maxMs, baseMs * 2 ** Math.min(Math.max(step, 0), 30));
}

/** Full jitter: a random share of the exponential delay, and never sooner than Retry-After says. `fraction`: uniform in [0, 1). */
export function jitteredMs(
  bounds: DelayBounds,
  step: number,
  fraction: number,
  retryAfterMs: number | undefined,
): number {
  return Math.max(Math.floor(exponentialMs(bounds, step) * fraction), retryAfterMs ?? 0);
}
