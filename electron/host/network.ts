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
