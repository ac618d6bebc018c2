/** The interval in ms between readings of the clock. */
export const wakeCheckMs = 15_000;

/** A larger deviation in ms from the expected time means that the computer slept or its clock was set. */
const sleptMs = 30_000;

/** Returns true if the computer slept, or its clock was set, between two readings of the wall clock. */
function wasAsleep(lastLookMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - lastLookMs - wakeCheckMs) > sleptMs;
}

/**
 * Calls `onWake` after each sleep of this computer. Does not keep the process alive. Returns a function that stops the checks.
 */
export function watchSleep(nowMs: () => number, onWake: () => void): () => void {
  let lastLookMs = nowMs();
  const timer = setInterval(() => {
    const slept = wasAsleep(lastLookMs, nowMs());
    lastLookMs = nowMs();
    if (slept) onWake();
  }, wakeCheckMs);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
