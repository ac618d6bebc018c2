import { askOnce } from '../../../../ui/asked-worker.ts';
import type { ImageResponse, ImageQuestion } from './image-messages.ts';

/** Examines an image in a new worker. */
export async function askImageWorker(question: ImageQuestion, signal: AbortSignal): Promise<ImageResponse> {
  signal.throwIfAborted();
  // Copies the bytes, since the window shows the image from the original.
  const bytes = question.bytes.slice();
  const response = await askOnce<ImageQuestion, ImageResponse>(
    new Worker(new URL('./image-worker.ts', import.meta.url), { type: 'module' }),
    { ...question, bytes },
    { signal, transfer: [bytes.buffer] },
  );
  return response ?? { kind: 'damaged' };
}

/** Returns the effort to draw an SVG, measured in elements. Infinity if the effort cannot be computed in time. */
export async function svgWorkOf(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<number> {
  const response = await askImageWorker({ kind: 'svg', bytes }, signal);
  return response.kind === 'svg' ? response.work : Infinity;
}
