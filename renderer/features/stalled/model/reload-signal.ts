import { createStore } from 'zustand/vanilla';

const reloads = createStore<{ readonly askedTimes: number }>()(() => ({ askedTimes: 0 }));

/** Makes the stalled uploads on the screen look again: the window's own Reload. */
export function reloadUploads(): void {
  reloads.setState(({ askedTimes }) => ({ askedTimes: askedTimes + 1 }));
}

/** Hears of it until the function it returns is called. */
export function onReloadUploads(listener: () => void): () => void {
  return reloads.subscribe(listener);
}
