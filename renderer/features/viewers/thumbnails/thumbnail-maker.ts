import { requestWorker, WorkerEnded, type RequestWorker } from '../../../ui/asked-worker.ts';
import type { ThumbnailResponse, ThumbnailQuestion } from './thumbnail-worker.ts';

/** Time after which an idle worker is terminated, since its decoders use memory. */
const idleMs = 2000;
const maxWorkers = Math.min(2, Math.max(1, navigator.hardwareConcurrency - 1));

type ThumbnailWorker = RequestWorker<ThumbnailQuestion, ThumbnailResponse>;

interface Job {
  readonly question: ThumbnailQuestion;
  readonly signal: AbortSignal;
  readonly done: PromiseWithResolvers<ThumbnailResponse>;
}

export type MakeThumbnail = (
  bytes: Uint8Array<ArrayBuffer>,
  isWhole: boolean,
  signal: AbortSignal,
) => Promise<ThumbnailResponse>;

/** Creates workers that make thumbnails. Each works on one image at a time, and is replaced if it is silent for too long. */
export function createThumbnailMaker(): MakeThumbnail {
  const idle: { readonly worker: ThumbnailWorker; readonly timer: ReturnType<typeof setTimeout> }[] = [];
  const jobs: Job[] = [];
  let workers = 0;

  const begin = (): void => {
    if (idle.length === 0 && workers >= maxWorkers) return;
    const job = jobs.shift();
    if (job === undefined) return;
    if (job.signal.aborted) job.done.resolve({ kind: 'none' });
    else void run(job, awake() ?? made());
    begin();
  };
  const awake = (): ThumbnailWorker | undefined => {
    const rested = idle.pop();
    clearTimeout(rested?.timer);
    return rested?.worker;
  };
  const rest = (worker: ThumbnailWorker): void => {
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((entry) => entry.worker === worker),
        1,
      );
      worker.end();
      workers -= 1;
    }, idleMs);
    idle.push({ worker, timer });
  };
  const made = (): ThumbnailWorker => {
    workers += 1;
    // This signal never aborts, since the worker outlives the requests.
    return requestWorker(
      new Worker(new URL('./thumbnail-worker.ts', import.meta.url), { type: 'module' }),
      new AbortController().signal,
    );
  };
  const run = async ({ question, done }: Job, worker: ThumbnailWorker): Promise<void> => {
    try {
      done.resolve(await worker.ask(question, [question.bytes.buffer]));
      rest(worker);
    } catch (thrown) {
      worker.end();
      workers -= 1;
      if (thrown instanceof WorkerEnded) done.resolve({ kind: 'none' });
      else done.reject(thrown);
    }
    begin();
  };

  return async (bytes, isWhole, signal) => {
    const done = Promise.withResolvers<ThumbnailResponse>();
    jobs.push({ question: { bytes, isWhole }, signal, done });
    begin();
    const response = await done.promise;
    signal.throwIfAborted();
    return response;
  };
}
