import { createStore } from 'zustand/vanilla';

const waiting = createStore<{ readonly toldTimes: number }>()(() => ({ toldTimes: 0 }));

/** Announces a link from outside; the first window to take it gets it. */
export function tellLinkWaiting(): void {
  waiting.setState(({ toldTimes }) => ({ toldTimes: toldTimes + 1 }));
}

/** Calls the listener for each until the returned function is called. */
export function onLinkWaiting(listener: () => void): () => void {
  return waiting.subscribe(listener);
}
