import { layOut, type LayoutWish, type Rects } from './layout.ts';

export interface LayoutQuestion extends LayoutWish {
  readonly id: number;
}

export interface LayoutAnswer {
  readonly id: number;
  readonly rects: Rects;
}

/** Lays maps out beside the window's main thread. */
globalThis.addEventListener('message', ({ data }: MessageEvent<LayoutQuestion>) => {
  const rects = layOut(data);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
  globalThis.postMessage({ id: data.id, rects } satisfies LayoutAnswer, { transfer: [rects.buffer] });
});
