/** The interval between readings of the clock. */
export const wakeCheckMs = 15_000;

/** A reading that differs from the expected time by more means that the computer slept or its clock was set. */
const sleptMs = 30_000;

/** Returns true if the computer slept between two readings of the wall clock, or its clock was set. */
function wasAsleep(lastLookMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - lastLookMs - wakeCheckMs) > sleptMs;
}

/** Calls `onWake` after each sleep of this computer. Does not keep the process alive. Returns a function that stops it. */
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
