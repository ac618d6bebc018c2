const withinMs = 60_000;
const maxReloads = 3;

/** Returns true if a crashed window may reload. It may not after several crashes within a minute. */
export function mayReload(crashedAtMs: readonly number[], nowMs: number): boolean {
  return crashedAtMs.filter((atMs) => nowMs - atMs < withinMs).length < maxReloads;
}
