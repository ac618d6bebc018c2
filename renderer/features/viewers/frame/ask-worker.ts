/** Nothing more came of the worker: the bytes are damaged, or want more work than a look is worth. */
export class WorkerEnded extends Error {
  override readonly name = 'WorkerEnded';
}

/** As long may a worker be silent, in milliseconds: a damaged file may claim anything. */
export const mostSilentMs = 10_000;

/** A worker that is asked one question after the other. */
export interface AskedWorker<Q, A> {
  /** Rejects with WorkerEnded where it breaks or is silent for too long; it is gone then. */
  readonly ask: (question: Q, transfer?: Transferable[]) => Promise<A>;
  readonly end: () => void;
}

/** Asks a worker of one's own, and ends it when it is silent for longer than `silentMs` or the signal says so. */
export function askedWorker<Q, A>(
  worker: Worker,
  signal: AbortSignal,
  silentMs = mostSilentMs,
): AskedWorker<Q, A> {
  const broken = Promise.withResolvers<never>();
  // Who asks is told; nobody has to ask.
  broken.promise.catch(() => undefined);
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
  return {
    ask: async (question, transfer = []) => {
      const { promise, resolve } = Promise.withResolvers<A>();
      worker.addEventListener('message', (event: MessageEvent<A>) => resolve(event.data), { once: true });
      const timer = setTimeout(fail, silentMs);
      try {
        worker.postMessage(question, transfer);
        return await Promise.race([promise, broken.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
    end: () => {
      signal.removeEventListener('abort', stop);
      worker.terminate();
    },
  };
}
