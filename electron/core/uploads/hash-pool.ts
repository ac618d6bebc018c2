import { Worker } from 'node:worker_threads';
import { failure } from '../../../shared/errors.ts';
import type { ChecksumAlgorithm } from '../s3/types.ts';
import type { HashAnswer, HashTask } from './hash-messages.ts';
import type { SliceHash } from './plan.ts';

export interface SliceRequest {
  readonly path: string;
  readonly offset: number;
  readonly sizeBytes: number;
  readonly algorithm: ChecksumAlgorithm | null;
  /** Keeps the bytes that were hashed. */
  readonly into?: SharedArrayBuffer;
}

/** Hashes slices of files outside the main thread. */
export interface Hasher {
  hash(request: SliceRequest, signal: AbortSignal, onBytes?: (bytes: number) => void): Promise<SliceHash>;
  close(): Promise<void>;
}

interface Waiting {
  readonly task: HashTask;
  readonly signal: AbortSignal;
  readonly onBytes: ((bytes: number) => void) | undefined;
  readonly resolve: (hash: SliceHash) => void;
  readonly reject: (thrown: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly cancelled: Int32Array;
  current: Waiting | null;
}

export interface HashPoolOptions {
  /** Two threads hash at about twice the speed of one md5sum on two cores. */
  readonly threads?: number;
  /** Where the worker's code is, when the core was bundled elsewhere. */
  readonly workerUrl?: URL;
}

/** A thread holds one block and no garbage to speak of. */
const threadLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 };

/** Threads start with the first slice, and do not keep the program alive. */
export function createHashPool(options: HashPoolOptions = {}): Hasher {
  const threads: Thread[] = [];
  const queue: Waiting[] = [];
  const limit = options.threads ?? 2;
  const url = options.workerUrl ?? new URL('./hash-worker.ts', import.meta.url);
  let nextId = 1;
  let closed = false;

  const startThread = (): Thread => {
    const cancelled = new Int32Array(new SharedArrayBuffer(4));
    const thread: Thread = {
      worker: new Worker(url, { workerData: cancelled, resourceLimits: threadLimits }),
      cancelled,
      current: null,
    };
    thread.worker.unref();
    thread.worker.on('message', (answer: HashAnswer) => onAnswer(thread, answer));
    thread.worker.on('error', (thrown) => onDeath(thread, thrown));
    threads.push(thread);
    return thread;
  };

  const onDeath = (thread: Thread, thrown: unknown): void => {
    threads.splice(threads.indexOf(thread), 1);
    thread.current?.reject(failure('internal', 'A hashing thread ended unexpectedly.', { cause: thrown }));
    thread.current = null;
    pump();
  };

  const onAnswer = (thread: Thread, answer: HashAnswer): void => {
    const { current } = thread;
    if (current === null || current.task.id !== answer.id) return;
    if (answer.kind === 'progress') {
      current.onBytes?.(answer.bytes);
      return;
    }
    thread.current = null;
    thread.worker.unref();
    if (answer.kind === 'done') {
      const { algorithm } = current.task;
      const checksums =
        algorithm === null || answer.checksum === null ? {} : { [algorithm]: answer.checksum };
      current.resolve({ md5: answer.md5, checksums });
    } else if (answer.kind === 'cancelled') current.reject(current.signal.reason);
    else current.reject(readFailure(answer.code, answer.message));
    pump();
  };

  const pump = (): void => {
    if (closed) return;
    while (queue.length > 0) {
      const idle =
        threads.find((thread) => thread.current === null) ?? (threads.length < limit ? startThread() : null);
      if (idle === null) return;
      const next = queue.shift();
      if (next === undefined) return;
      idle.current = next;
      // A thread at work keeps the program alive; an idle one does not.
      idle.worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
      idle.worker.postMessage(next.task);
    }
  };

  const cancel = (entry: Waiting): void => {
    const index = queue.indexOf(entry);
    if (index >= 0) {
      queue.splice(index, 1);
      entry.reject(entry.signal.reason);
      return;
    }
    const thread = threads.find((one) => one.current === entry);
    if (thread !== undefined) Atomics.store(thread.cancelled, 0, entry.task.id);
  };

  return {
    hash: async (request, signal, onBytes) => {
      signal.throwIfAborted();
      if (closed) throw failure('cancelled', 'The program ends.');
      const { promise, resolve, reject } = Promise.withResolvers<SliceHash>();
      const entry: Waiting = { task: { ...request, id: nextId++ }, signal, onBytes, resolve, reject };
      const onAbort = (): void => cancel(entry);
      signal.addEventListener('abort', onAbort, { once: true });
      queue.push(entry);
      pump();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
    close: async () => {
      closed = true;
      const ended = failure('cancelled', 'The program ends.');
      for (const entry of queue.splice(0)) entry.reject(ended);
      for (const thread of threads) thread.current?.reject(ended);
      await Promise.all(threads.splice(0).map((thread) => thread.worker.terminate()));
    },
  };
}

/** What reading a local file failed with, as the program's own error. */
export function readFailure(code: string | null, message: string): Error {
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return failure('storage', 'The local file is not there any more.', {
      reason: 'file-missing',
      retry: 'after-fix',
    });
  if (code === 'SHORT')
    return failure('storage', 'The local file has become shorter.', {
      reason: 'file-changed',
      retry: 'after-fix',
    });
  return failure('storage', `The local file cannot be read: ${message}`, {
    reason: 'file-unreadable',
    retry: 'after-fix',
  });
}
