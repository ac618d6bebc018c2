import { createStore } from 'zustand/vanilla';

const waiting = createStore<{ readonly toldTimes: number }>()(() => ({ toldTimes: 0 }));

/** The core has a link from outside for whichever window takes it. */
export function tellLinkWaiting(): void {
  waiting.setState(({ toldTimes }) => ({ toldTimes: toldTimes + 1 }));
}

/** Hears of each until the function it returns is called. */
export function onLinkWaiting(listener: () => void): () => void {
  return waiting.subscribe(listener);
}
