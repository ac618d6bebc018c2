import { askedWorker, WorkerEnded } from '../../../../ui/asked-worker.ts';
import type { ImageAnswer, ImageQuestion } from './image-messages.ts';

/** Examines an image in a new worker. */
export async function askImageWorker(question: ImageQuestion, signal: AbortSignal): Promise<ImageAnswer> {
  signal.throwIfAborted();
  const worker = askedWorker<ImageQuestion, ImageAnswer>(
    new Worker(new URL('./image-worker.ts', import.meta.url), { type: 'module' }),
    signal,
  );
  try {
    // A copy: the bytes are shown as well.
    const bytes = question.bytes.slice();
    return await worker.ask({ ...question, bytes }, [bytes.buffer]);
  } catch (thrown) {
    if (!(thrown instanceof WorkerEnded)) throw thrown;
    return { kind: 'damaged' };
  } finally {
    worker.end();
  }
}
