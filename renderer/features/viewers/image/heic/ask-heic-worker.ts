// oxlint-disable-next-line typescript/triple-slash-reference -- ambient module declarations cannot be imported
/// <reference path="./heif-library.d.ts" />
import decoder from 'virtual:heic-decoder';
import { askOnce } from '../../../../ui/asked-worker.ts';
import type { HeicQuestion, ImageAnswer } from '../worker/image-messages.ts';

/** Time without a message after which the worker is terminated. A phone's 48 megapixels take seconds on a slow processor. */
const maxSilentMs = 30_000;

/** Decodes a HEIC in a new worker. */
export async function askHeicWorker(bytes: Uint8Array, signal: AbortSignal): Promise<ImageAnswer> {
  signal.throwIfAborted();
  // Copies the bytes, since the camera's metadata is read from the original.
  const copy = new Uint8Array(bytes);
  const answer = await askOnce<HeicQuestion, ImageAnswer>(
    new Worker(new URL('./heic-worker.ts', import.meta.url), { type: 'module' }),
    { bytes: copy, decoder },
    { signal, transfer: [copy.buffer], silentMs: maxSilentMs },
  );
  return answer ?? { kind: 'damaged' };
}
