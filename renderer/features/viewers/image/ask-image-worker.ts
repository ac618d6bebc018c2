import { mostSilentMs } from './limits.ts';
import type { ImageAnswer, ImageQuestion } from './messages.ts';

/** Lets a worker of its own look into an image, and ends it when it takes too long: a damaged file may claim anything. */
export async function askImageWorker(question: ImageQuestion, signal: AbortSignal): Promise<ImageAnswer> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./image-worker.ts', import.meta.url), { type: 'module' });
  const { promise, resolve, reject } = Promise.withResolvers<ImageAnswer>();
  const damaged = (): void => resolve({ kind: 'damaged' });
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  worker.addEventListener('message', (event: MessageEvent<ImageAnswer>) => resolve(event.data));
  worker.addEventListener('error', damaged);
  worker.addEventListener('messageerror', damaged);
  const timer = setTimeout(damaged, mostSilentMs);
  try {
    // A copy: the bytes are shown as well.
    const bytes = question.bytes.slice();
    worker.postMessage({ ...question, bytes }, [bytes.buffer]);
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    worker.terminate();
  }
}
