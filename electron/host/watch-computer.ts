import os, { type NetworkInterfaceInfo } from 'node:os';

/** The interval in ms between checks of this computer's addresses. */
export const networkCheckMs = 5000;

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** Returns a text that changes with this computer's addresses, except loopback addresses. */
export function networkKey(interfaces: Interfaces): string {
  return Object.entries(interfaces)
    .flatMap(([name, addresses]) =>
      (addresses ?? []).filter(({ internal }) => !internal).map(({ address }) => `${name} ${address}`),
    )
    .toSorted()
    .join('\n');
}

/**
 * Calls `onChange` when this computer's addresses changed. Does not keep the process alive. Returns a function that stops the
 * checks.
 */
export function watchNetwork(
  onChange: () => void,
  interfaces: () => Interfaces = () => os.networkInterfaces(),
): () => void {
  let last = networkKey(interfaces());
  const timer = setInterval(() => {
    const now = networkKey(interfaces());
    if (now === last) return;
    last = now;
    onChange();
  }, networkCheckMs);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}

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
