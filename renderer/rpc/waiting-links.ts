const listeners = new Set<() => void>();

/** The core has a link from outside for whichever window takes it. */
export function tellLinkWaiting(): void {
  for (const listener of listeners) listener();
}

/** Hears of each until the function it returns is called. */
export function onLinkWaiting(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
