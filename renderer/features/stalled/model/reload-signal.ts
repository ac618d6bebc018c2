import { createStore } from 'zustand/vanilla';

const reloads = createStore<{ readonly askedTimes: number }>()(() => ({ askedTimes: 0 }));

/** Lists the visible stalled uploads again, for the window's Reload command. */
export function reloadUploads(): void {
  reloads.setState(({ askedTimes }) => ({ askedTimes: askedTimes + 1 }));
}

/** Calls the listener on each reload until the returned function is called. */
export function onReloadUploads(listener: () => void): () => void {
  return reloads.subscribe(listener);
}
