import { createStore } from 'zustand/vanilla';

const reloads = createStore<{ readonly askedTimes: number }>()(() => ({ askedTimes: 0 }));

/** Makes the visible stalled uploads list again, for the window's Reload. */
export function reloadUploads(): void {
  reloads.setState(({ askedTimes }) => ({ askedTimes: askedTimes + 1 }));
}

/** Calls the listener on each until the returned function is called. */
export function onReloadUploads(listener: () => void): () => void {
  return reloads.subscribe(listener);
}
