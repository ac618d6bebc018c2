// oxlint-disable-next-line typescript/triple-slash-reference -- modules that are declared cannot be imported
/// <reference path="./heif-library.d.ts" />
import decoder from 'virtual:heic-decoder';
import { askedWorker, WorkerEnded } from '../../../../ui/asked-worker.ts';
import type { HeicQuestion, ImageAnswer } from '../worker/image-messages.ts';

/** 48 megapixels of a phone take seconds on a slow processor. */
const maxSilentMs = 30_000;

/** Decodes a HEIC in a new worker. */
export async function askHeicWorker(bytes: Uint8Array, signal: AbortSignal): Promise<ImageAnswer> {
  signal.throwIfAborted();
  const worker = askedWorker<HeicQuestion, ImageAnswer>(
    new Worker(new URL('./heic-worker.ts', import.meta.url), { type: 'module' }),
    signal,
    maxSilentMs,
  );
  try {
    // A copy: the facts are read from the bytes as well.
    const copy = new Uint8Array(bytes);
    return await worker.ask({ bytes: copy, decoder }, [copy.buffer]);
  } catch (thrown) {
    if (!(thrown instanceof WorkerEnded)) throw thrown;
    return { kind: 'damaged' };
  } finally {
    worker.end();
  }
}
