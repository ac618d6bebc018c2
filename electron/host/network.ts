import os, { type NetworkInterfaceInfo } from 'node:os';

/** How often the addresses of this computer are looked at. */
export const networkCheckMs = 5000;

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** A text that is the same as long as this computer has the same addresses; the loopback ones do not count. */
export function networkKey(interfaces: Interfaces): string {
  return Object.entries(interfaces)
    .flatMap(([name, addresses]) =>
      (addresses ?? []).filter(({ internal }) => !internal).map(({ address }) => `${name} ${address}`),
    )
    .toSorted()
    .join('\n');
}

/** Calls `onChange` when the network came, went or is another one. Keeps no process alive; returns the way to end it. */
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
