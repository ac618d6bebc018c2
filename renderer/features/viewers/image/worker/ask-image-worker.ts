import { askOnce } from '../../../../ui/asked-worker.ts';
import type { ImageAnswer, ImageQuestion } from './image-messages.ts';

/** Examines an image in a new worker. */
export async function askImageWorker(question: ImageQuestion, signal: AbortSignal): Promise<ImageAnswer> {
  signal.throwIfAborted();
  // Copies the bytes, since the window shows the image from the original.
  const bytes = question.bytes.slice();
  const answer = await askOnce<ImageQuestion, ImageAnswer>(
    new Worker(new URL('./image-worker.ts', import.meta.url), { type: 'module' }),
    { ...question, bytes },
    { signal, transfer: [bytes.buffer] },
  );
  return answer ?? { kind: 'damaged' };
}

/** Returns the effort to draw an SVG, measured in elements. Infinity if the effort cannot be computed in time. */
export async function svgWorkOf(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<number> {
  const answer = await askImageWorker({ kind: 'svg', bytes }, signal);
  return answer.kind === 'svg' ? answer.work : Infinity;
}
