import type { FromDecoder } from '../columnar/columnar-messages.ts';
import type { DecoderWorker, StartTimer } from '../columnar/table-reader.ts';

/** Starts a decoder worker for one columnar file. */
export function decoderWorker(): DecoderWorker {
  return decoderIn(new Worker(new URL('./table-worker.ts', import.meta.url), { type: 'module' }));
}

/** Wraps a worker that runs a table server. */
export function decoderIn(worker: Worker): DecoderWorker {
  return {
    post: (message, transfer) => {
      worker.postMessage(message, transfer);
    },
    onMessage: (take) => {
      worker.addEventListener('message', (event: MessageEvent<FromDecoder>) => {
        take(event.data);
      });
    },
    onBroken: (take) => {
      worker.addEventListener('error', take);
      worker.addEventListener('messageerror', take);
    },
    end: () => {
      worker.terminate();
    },
  };
}

export const startTimer: StartTimer = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => {
    clearTimeout(timer);
  };
};
