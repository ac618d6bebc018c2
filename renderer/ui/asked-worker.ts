/** Thrown when a worker ended early, because its input is damaged or takes too long to process. */
export class WorkerEnded extends Error {
  override readonly name = 'WorkerEnded';
}

/** Milliseconds without a message after which a worker is terminated, since a damaged file may make it run endlessly. */
export const maxWorkerSilenceMs = 10_000;

/** The members of `Worker` that are used here. */
export type WorkerPort = Pick<
  Worker,
  'addEventListener' | 'removeEventListener' | 'postMessage' | 'terminate'
>;

/** A worker that handles one request at a time. */
export interface RequestWorker<Q, A> {
  /** Sends a request after the earlier requests have ended. Rejects with WorkerEnded if the worker breaks or takes too long. */
  readonly ask: (question: Q, transfer?: Transferable[]) => Promise<A>;
  /** Sends a message that gets no response. */
  readonly tell: (message: Q, transfer?: Transferable[]) => void;
  readonly end: () => void;
}

/**
 * Wraps a worker that only this caller uses. Terminates it if it sends nothing for `silentMs`, or when the signal aborts.
 */
export function requestWorker<Q, A>(
  worker: WorkerPort,
  signal: AbortSignal,
  silentMs = maxWorkerSilenceMs,
): RequestWorker<Q, A> {
  const broken = Promise.withResolvers<never>();
  // Each `ask` reports this rejection. Without calls, it must not count as unhandled.
  broken.promise.catch(() => undefined);
  let queueTail: Promise<unknown> = Promise.resolve();
  const stop = (): void => {
    broken.reject(signal.reason);
    worker.terminate();
  };
  const fail = (): void => {
    broken.reject(new WorkerEnded('The worker broke or was silent for too long.'));
    worker.terminate();
  };
  worker.addEventListener('error', fail);
  worker.addEventListener('messageerror', fail);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });

  const tell = (message: Q, transfer: Transferable[] = []): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    worker.postMessage(message, transfer);
  };
  const askNow = async (question: Q, transfer: Transferable[] = []): Promise<A> => {
    const { promise, resolve } = Promise.withResolvers<A>();
    const take = (event: Event): void => resolve((event as MessageEvent<A>).data);
    worker.addEventListener('message', take, { once: true });
    const timer = setTimeout(fail, silentMs);
    try {
      tell(question, transfer);
      return await Promise.race([promise, broken.promise]);
    } finally {
      clearTimeout(timer);
      worker.removeEventListener('message', take);
    }
  };
  return {
    ask: (question, transfer) => {
      const reply = queueTail.then(() => askNow(question, transfer));
      // The caller gets the error, which does not affect later requests.
      queueTail = reply.catch(() => undefined);
      return reply;
    },
    tell,
    end: () => {
      signal.removeEventListener('abort', stop);
      broken.reject(new WorkerEnded('The worker was ended.'));
      worker.terminate();
    },
  };
}

interface AskOnceOptions {
  readonly signal: AbortSignal;
  readonly transfer?: Transferable[];
  readonly silentMs?: number;
}

/** Sends one request to a new worker and terminates it. Returns null if the worker breaks or takes too long. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- callers name the type of the question
export async function askOnce<Q, A>(
  worker: WorkerPort,
  question: Q,
  { signal, transfer = [], silentMs = maxWorkerSilenceMs }: AskOnceOptions,
): Promise<A | null> {
  const requester = requestWorker<Q, A>(worker, signal, silentMs);
  try {
    return await requester.ask(question, transfer);
  } catch (thrown) {
    if (!(thrown instanceof WorkerEnded)) throw thrown;
    return null;
  } finally {
    requester.end();
  }
}

/**
 * Replies to each request to this worker, with `failed` if the answer throws: libraries throw arbitrary errors for damaged
 * files. `transferOf`: the memory that a reply hands over.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- callers name the type of the question
export function answerRequests<Q, A>(
  answer: (question: Q) => Promise<A>,
  failed: A,
  transferOf: (reply: A) => Transferable[] = () => [],
): void {
  const send = (reply: A): void => self.postMessage(reply, { transfer: transferOf(reply) });
  self.addEventListener('message', ({ data }: MessageEvent<Q>) => {
    answer(data).then(send, () => send(failed));
  });
}
