const withinMs = 60_000;
const mostReloads = 3;

/** Whether a window that crashed is loaded again: not when that has not helped several times in a minute. */
export function mayReload(crashedAtMs: readonly number[], nowMs: number): boolean {
  return crashedAtMs.filter((atMs) => nowMs - atMs < withinMs).length < mostReloads;
}
