import { createStore } from 'zustand/vanilla';

const waiting = createStore<{ readonly count: number }>()(() => ({ count: 0 }));

/** Announces a link from another program. The first window that asks for the link gets it. */
export function announceLink(): void {
  waiting.setState(({ count }) => ({ count: count + 1 }));
}

/** Calls the listener for each announced link until the returned function is called. */
export function onLinkWaiting(listener: () => void): () => void {
  return waiting.subscribe(listener);
}
