import { assertNever } from '../../../shared/assert-never.ts';
import { failure } from '../../../shared/errors.ts';
import type { ChecksumAlgorithm } from './checksums.ts';
import type { Clock, DiskSync } from '../ports.ts';
import { fencedFolders } from './fence.ts';
import type { HashThreadData } from './hash-worker.ts';
import { WorkerThread } from '../flow/worker-thread.ts';
import {
  unexpectedThreadResponse,
  type HashResponse,
  type HashTogetherTask,
  type PieceTask,
  type PlaceRequest,
  type ReadTask,
  type ThreadTask,
  type WholeFile,
  type SliceHash,
} from './hash-messages.ts';
import type { PlannedSource } from './planned-file.ts';
import { readFailure } from './disk-failure.ts';
import { createPlaceQueue, takeSimilarTasks } from './grouped-tasks.ts';
import { leastBusy, ThreadPieces, type PieceRequest, type PieceSink } from './piece-sink.ts';

export interface SliceRequest extends PlannedSource {
  readonly offset: number;
  readonly sizeBytes: number;
  readonly algorithm: ChecksumAlgorithm | null;
}

/** Hashes slices of files, and reads and writes small files, in threads. */
export interface Hasher {
  /** Hashes a slice. `onBytes` gets the bytes since its last call, and a negative count if the slice starts again. */
  hash(request: SliceRequest, signal: AbortSignal, onBytes?: (bytes: number) => void): Promise<SliceHash>;
  readFile(request: Omit<ReadTask, 'kind' | 'id'>, signal: AbortSignal): Promise<WholeFile>;
  /** Writes and renames a small file. Returns false if the name is taken. Rejects with the system's error code. */
  placeFile(request: PlaceRequest, signal: AbortSignal): Promise<boolean>;
  /** Opens a sink that writes and hashes one piece of a large file. */
  openPiece(request: PieceRequest): PieceSink;
  close(): Promise<void>;
}

type Done = HashResponse & { readonly kind: 'done' | 'read' | 'placed' | 'written' };

type SingleTask = Exclude<ThreadTask, HashTogetherTask>;

interface QueueEntry {
  readonly task: SingleTask;
  /** The memory that is transferred to the thread instead of copied. */
  readonly transferList: ArrayBuffer[];
  readonly signal: AbortSignal;
  readonly onBytes: ((bytes: number) => void) | undefined;
  readonly resolve: (response: Done) => void;
  readonly reject: (thrown: unknown) => void;
}

interface Thread {
  readonly worker: WorkerThread<ThreadTask | PieceTask, HashResponse>;
  /** Contains the id of the task that the thread should drop. */
  readonly cancelled: Int32Array;
  readonly pieces: ThreadPieces;
  /** The running task. Several entries are slices that are hashed in parallel lanes. */
  current: { readonly id: number; readonly entries: readonly QueueEntry[] } | null;
}

export interface HashPoolOptions {
  /** The number of hashing threads. By default two, which are about twice as fast as one md5sum on two cores. */
  readonly threads?: number;
  /** The URL of the worker's code, if the core was bundled elsewhere. */
  readonly workerUrl?: URL;
  /** Flushes many small files to disk at once. If absent, each file is flushed separately. */
  readonly disk?: DiskSync | undefined;
  readonly clock?: Clock;
}

/** The number of threads for small files, which wait more for the disk than for the CPU. */
const threadsForFiles = 4;

/** A signal that never aborts, because placing files must not stop halfway. */
const unending = new AbortController().signal;

/** Low limits, because a thread holds one block and little garbage. */
const threadLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 };

/** Creates the pool. Threads start with the first slice and do not keep the process alive. */
export function createHashPool(options: HashPoolOptions = {}): Hasher {
  const threads: Thread[] = [];
  const queue: QueueEntry[] = [];
  const maxHashThreads = options.threads ?? 2;
  const url = options.workerUrl ?? new URL('./hash-worker.ts', import.meta.url);
  let nextId = 1;
  let isClosed = false;
  let isPumpScheduled = false;

  const startThread = (): Thread => {
    const cancelled = new Int32Array(new SharedArrayBuffer(4));
    const worker = new WorkerThread<ThreadTask | PieceTask, HashResponse>({
      url,
      limits: threadLimits,
      data: { cancelled, fenced: fencedFolders() } satisfies HashThreadData,
      diedMessage: 'A hashing thread ended unexpectedly.',
      isPartial: ({ kind }) => kind === 'progress' || kind === 'progress-together',
      onDeath: () => {
        threads.splice(threads.indexOf(thread), 1);
      },
    });
    const pieces = new ThreadPieces({
      nextId: () => nextId++,
      ask: (task, transferList) => worker.ask(task, transferList),
    });
    const thread: Thread = { worker, cancelled, pieces, current: null };
    threads.push(thread);
    return thread;
  };

  const idleThread = (kind: SingleTask['kind']): Thread | null => {
    const maxThreads = kind === 'hash' ? maxHashThreads : Math.max(maxHashThreads, threadsForFiles);
    const idle = threads.filter(({ current }) => current === null);
    // Prefers a thread without open pieces, because hashing a large slice would delay a download's writes.
    return leastBusy(idle) ?? (threads.length < maxThreads ? startThread() : null);
  };

  const pump = (): void => {
    isPumpScheduled = false;
    if (isClosed) return;
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const idle = idleThread(next.task.kind);
      if (idle === null) return;
      const entries = takeSimilarTasks(queue);
      idle.current = { id: entries.length > 1 ? nextId++ : next.task.id, entries };
      void (entries.length > 1 ? runTogether(idle, idle.current.id, entries) : runTask(idle, next));
    }
  };
  /** Runs the queue in a microtask, so that requests of the same tick can be hashed together. */
  const pumpSoon = (): void => {
    if (isPumpScheduled) return;
    isPumpScheduled = true;
    queueMicrotask(pump);
  };

  const runTask = async (thread: Thread, waiting: QueueEntry): Promise<void> => {
    try {
      const response = await thread.worker.ask(waiting.task, waiting.transferList, (partial) => {
        if (partial.kind === 'progress') waiting.onBytes?.(partial.bytes);
      });
      switch (response.kind) {
        case 'done':
        case 'read':
        case 'placed':
        case 'written':
          waiting.resolve(response);
          break;
        case 'cancelled':
          waiting.reject(waiting.signal.reason);
          break;
        case 'failed':
          waiting.reject(readFailure(response.code));
          break;
        case 'progress':
        case 'progress-together':
        case 'hashed':
        case 'stored':
        case 'piece':
          waiting.reject(unexpectedThreadResponse());
          break;
        default:
          assertNever(response);
      }
    } catch (thrown) {
      waiting.reject(thrown);
    } finally {
      thread.current = null;
      pump();
    }
  };

  const runTogether = async (thread: Thread, id: number, entries: readonly QueueEntry[]): Promise<void> => {
    const reportedBytes = entries.map(() => 0);
    const slices = entries.flatMap(({ task }) => (task.kind === 'hash' ? [task] : []));
    try {
      const response = await thread.worker.ask(
        {
          kind: 'hash-together',
          id,
          slices: slices.map(({ path, within, planned, offset, sizeBytes }) => ({
            path,
            within,
            ...(planned === undefined ? {} : { planned }),
            offset,
            sizeBytes,
          })),
        },
        [],
        (partial) => {
          if (partial.kind !== 'progress-together') return;
          for (const [index, bytes] of partial.bytes.entries()) {
            if (bytes === 0) continue;
            reportedBytes[index] = (reportedBytes[index] ?? 0) + bytes;
            entries[index]?.onBytes?.(bytes);
          }
        },
      );
      if (response.kind !== 'hashed')
        throw response.kind === 'failed' ? readFailure(response.code) : unexpectedThreadResponse();
      for (const [index, waiting] of entries.entries()) {
        const outcome = response.slices[index] ?? 'stopped';
        if (outcome === 'stopped') requeue(waiting, reportedBytes[index] ?? 0);
        else if ('md5' in outcome)
          waiting.resolve({ id: waiting.task.id, kind: 'done', md5: outcome.md5, checksum: null });
        else waiting.reject(readFailure(outcome.code));
      }
    } catch (thrown) {
      for (const waiting of entries) waiting.reject(thrown);
    } finally {
      thread.current = null;
      pump();
    }
  };
  /** Enqueues a slice again whose batch stopped because another slice in it was cancelled. */
  const requeue = (waiting: QueueEntry, reportedBytes: number): void => {
    if (waiting.signal.aborted) {
      waiting.reject(waiting.signal.reason);
      return;
    }
    if (reportedBytes > 0) waiting.onBytes?.(-reportedBytes);
    queue.unshift(waiting);
  };

  const cancel = (entry: QueueEntry): void => {
    const index = queue.indexOf(entry);
    if (index >= 0) {
      queue.splice(index, 1);
      entry.reject(entry.signal.reason);
      return;
    }
    for (const { current, cancelled } of threads)
      if (current?.entries.includes(entry) === true) Atomics.store(cancelled, 0, current.id);
  };

  const perform = async (
    task: SingleTask,
    signal: AbortSignal,
    onBytes?: (bytes: number) => void,
    transferList: ArrayBuffer[] = [],
  ): Promise<Done> => {
    signal.throwIfAborted();
    if (isClosed) throw failure('cancelled', 'Cooper is quitting.');
    const { promise, resolve, reject } = Promise.withResolvers<Done>();
    const entry: QueueEntry = { task, transferList, signal, onBytes, resolve, reject };
    const onAbort = (): void => cancel(entry);
    signal.addEventListener('abort', onAbort, { once: true });
    queue.push(entry);
    pumpSoon();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  };

  const placeQueue = createPlaceQueue({
    run: async (task) =>
      await perform(task, unending, undefined, task.kind === 'name' ? [] : [task.packed.memory.buffer]),
    nextId: () => nextId++,
    disk: options.disk,
    clock: options.clock,
  });

  return {
    hash: async (request, signal, onBytes) => {
      const response = await perform({ ...request, kind: 'hash', id: nextId++ }, signal, onBytes);
      if (response.kind !== 'done') throw unexpectedThreadResponse();
      const { algorithm } = request;
      const checksums =
        algorithm === null || response.checksum === null ? {} : { [algorithm]: response.checksum };
      return { md5: response.md5, checksums };
    },
    readFile: async (request, signal) => {
      const response = await perform({ ...request, kind: 'read', id: nextId++ }, signal);
      if (response.kind !== 'read') throw unexpectedThreadResponse();
      return response.file;
    },
    placeFile: (request, signal) => placeQueue.place(request, signal),
    openPiece: (request) => {
      if (isClosed) throw failure('cancelled', 'Cooper is quitting.');
      while (threads.length < maxHashThreads) startThread();
      const thread = leastBusy(threads.slice(0, maxHashThreads));
      if (thread === null) throw failure('internal', 'No hash thread is available.');
      return thread.pieces.open(request);
    },
    close: async () => {
      isClosed = true;
      const ended = failure('cancelled', 'Cooper is quitting.');
      for (const entry of queue.splice(0)) entry.reject(ended);
      await Promise.all(threads.splice(0).map(async (thread) => await thread.worker.end(ended)));
    },
  };
}
