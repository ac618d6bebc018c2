import { layOut, type LayoutRequest } from './treemap-layout.ts';

/** Lays out maps outside the window's main thread. */
globalThis.addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  const rects = layOut(data);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's postMessage has no origin argument
  globalThis.postMessage(rects, { transfer: [rects.buffer] });
});
