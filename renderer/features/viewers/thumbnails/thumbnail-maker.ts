import type { NumberedAnswer, ThumbnailAnswer, ThumbnailQuestion } from './messages.ts';

/** So long may a worker take for one image, in milliseconds: a damaged file may claim anything. */
const mostSilentMs = 10_000;
/** A worker without work is ended: its decoders hold memory. */
const idleMs = 2000;
const mostWorkers = Math.min(2, Math.max(1, navigator.hardwareConcurrency - 1));

interface Job {
  readonly question: ThumbnailQuestion;
  readonly signal: AbortSignal;
  readonly done: (answer: ThumbnailAnswer) => void;
}

export type MakeThumbnail = (
  bytes: Uint8Array<ArrayBuffer>,
  isWhole: boolean,
  signal: AbortSignal,
) => Promise<ThumbnailAnswer>;

/** Workers that make thumbnails, one image at a time each. One that is silent for too long is ended, and another one begun. */
export function createThumbnailMaker(): MakeThumbnail {
  const idle: { readonly worker: Worker; readonly timer: ReturnType<typeof setTimeout> }[] = [];
  const jobs: Job[] = [];
  let workers = 0;
  let lastId = 0;

  const begin = (): void => {
    if (idle.length === 0 && workers >= mostWorkers) return;
    const job = jobs.shift();
    if (job === undefined) return;
    if (job.signal.aborted) job.done({ kind: 'none' });
    else run(job, awake() ?? made());
    begin();
  };
  const awake = (): Worker | undefined => {
    const rested = idle.pop();
    clearTimeout(rested?.timer);
    return rested?.worker;
  };
  const rest = (worker: Worker): void => {
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((one) => one.worker === worker),
        1,
      );
      end(worker);
    }, idleMs);
    idle.push({ worker, timer });
  };
  const end = (worker: Worker): void => {
    worker.terminate();
    workers -= 1;
  };
  const made = (): Worker => {
    workers += 1;
    return new Worker(new URL('./thumbnail-worker.ts', import.meta.url), { type: 'module' });
  };
  const run = ({ question, done }: Job, worker: Worker): void => {
    const ended = new AbortController();
    const { signal } = ended;
    const answered = (answer: ThumbnailAnswer, isUsable: boolean): void => {
      clearTimeout(timer);
      ended.abort();
      if (isUsable) rest(worker);
      else end(worker);
      done(answer);
      begin();
    };
    const broken = (): void => answered({ kind: 'none' }, false);
    const timer = setTimeout(broken, mostSilentMs);
    worker.addEventListener('error', broken, { signal });
    worker.addEventListener('messageerror', broken, { signal });
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<NumberedAnswer>) => {
        if (data.id === question.id) answered(data.answer, true);
      },
      { signal },
    );
    worker.postMessage(question, [question.bytes.buffer]);
  };

  return async (bytes, isWhole, signal) => {
    lastId += 1;
    const question = { id: lastId, bytes, isWhole };
    const answer = await new Promise<ThumbnailAnswer>((done) => {
      jobs.push({ question, signal, done });
      begin();
    });
    signal.throwIfAborted();
    return answer;
  };
}
