const listeners = new Set<() => void>();

/** Makes the stalled uploads on the screen look again: the window's own Reload. */
export function reloadUploads(): void {
  for (const listener of listeners) listener();
}

/** Hears of it until the function it returns is called. */
export function onReloadUploads(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
