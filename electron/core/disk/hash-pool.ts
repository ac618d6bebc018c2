import { assertNever } from '../../../shared/assert-never.ts';
import { failure } from '../../../shared/errors.ts';
import type { ChecksumAlgorithm } from './checksums.ts';
import type { Clock, DiskSync } from '../ports.ts';
import { WorkerThread } from '../flow/worker-thread.ts';
import {
  mixedUp,
  type HashAnswer,
  type NameRequest,
  type NameTask,
  type PieceTask,
  type Placed,
  type PlaceRequest,
  type PlaceTask,
  type ReadTask,
  type ThreadTask,
  type WholeFile,
  type WriteTask,
  type Written,
  type SliceHash,
} from './hash-messages.ts';
import { packFiles } from './packed-files.ts';
import { PlaceQueue } from './place-queue.ts';
import { placeTogether } from './place-together.ts';
import { ThreadPieces, type PieceRequest, type PieceSink } from './piece-sink.ts';

export interface SliceRequest {
  readonly path: string;
  readonly offset: number;
  readonly sizeBytes: number;
  readonly algorithm: ChecksumAlgorithm | null;
  /** Keeps the bytes that were hashed. */
  readonly into?: SharedArrayBuffer;
}

/** Hashes slices of files, and reads and writes small ones, outside the main thread. */
export interface Hasher {
  hash(request: SliceRequest, signal: AbortSignal, onBytes?: (bytes: number) => void): Promise<SliceHash>;
  readFile(request: Omit<ReadTask, 'kind' | 'id'>, signal: AbortSignal): Promise<WholeFile>;
  /** False: something has the name. Rejects with the system's own code. */
  placeFile(request: PlaceRequest, signal: AbortSignal): Promise<boolean>;
  /** Where the bytes of a piece of a large file are written and hashed as they come. */
  openPiece(request: PieceRequest): PieceSink;
  close(): Promise<void>;
}

type Done = HashAnswer & { readonly kind: 'done' | 'read' | 'placed' | 'written' };

interface Waiting {
  readonly task: ThreadTask;
  /** Memory that goes over as it is, not as a copy. */
  readonly given: ArrayBuffer[];
  readonly signal: AbortSignal;
  readonly onBytes: ((bytes: number) => void) | undefined;
  readonly resolve: (answer: Done) => void;
  readonly reject: (thrown: unknown) => void;
}

interface Thread {
  readonly worker: WorkerThread<ThreadTask | PieceTask, HashAnswer>;
  /** The id of the task that it is to drop. */
  readonly cancelled: Int32Array;
  readonly pieces: ThreadPieces;
  current: Waiting | null;
}

export interface HashPoolOptions {
  /** Two threads hash at about twice the speed of one md5sum on two cores. */
  readonly threads?: number;
  /** Where the worker's code is, when the core was bundled elsewhere. */
  readonly workerUrl?: URL;
  /** Syncs many small files at once; absent: each by itself. */
  readonly disk?: DiskSync | undefined;
  readonly clock?: Clock;
}

/** Small files wait for the disk more than for the processor. */
const threadsForFiles = 4;

/** In one message, which costs more than the work on one. */
const filesInMessage = 16;
/** Made safe together: so many that the wait for the disk is little beside the files themselves. */
const filesTogether = 96;
const collectMs = 60;

/** Waits for running work to end. */
const unending = new AbortController().signal;

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
    const worker = new WorkerThread<ThreadTask | PieceTask, HashAnswer>({
      url,
      limits: threadLimits,
      data: cancelled,
      diedMessage: 'A hashing thread ended unexpectedly.',
      isPartial: ({ kind }) => kind === 'progress',
      onDeath: () => {
        threads.splice(threads.indexOf(thread), 1);
      },
    });
    const pieces = new ThreadPieces({
      nextId: () => nextId++,
      ask: (task, given) => worker.ask(task, given),
    });
    const thread: Thread = { worker, cancelled, pieces, current: null };
    threads.push(thread);
    return thread;
  };

  const pump = (): void => {
    if (closed) return;
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const most = next.task.kind === 'hash' ? limit : Math.max(limit, threadsForFiles);
      const idle =
        threads.find((thread) => thread.current === null) ?? (threads.length < most ? startThread() : null);
      if (idle === null) return;
      queue.shift();
      void work(idle, next);
    }
  };

  const work = async (thread: Thread, one: Waiting): Promise<void> => {
    thread.current = one;
    try {
      const answer = await thread.worker.ask(one.task, one.given, (partial) => {
        if (partial.kind === 'progress') one.onBytes?.(partial.bytes);
      });
      switch (answer.kind) {
        case 'done':
        case 'read':
        case 'placed':
        case 'written':
          one.resolve(answer);
          break;
        case 'cancelled':
          one.reject(one.signal.reason);
          break;
        case 'failed':
          one.reject(readFailure(answer.code));
          break;
        case 'progress':
        case 'stored':
        case 'piece':
          one.reject(mixedUp());
          break;
        default:
          assertNever(answer);
      }
    } catch (thrown) {
      one.reject(thrown);
    } finally {
      thread.current = null;
      pump();
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

  const perform = async (
    task: ThreadTask,
    signal: AbortSignal,
    onBytes?: (bytes: number) => void,
    given: ArrayBuffer[] = [],
  ): Promise<Done> => {
    signal.throwIfAborted();
    if (closed) throw failure('cancelled', 'The program ends.');
    const { promise, resolve, reject } = Promise.withResolvers<Done>();
    const entry: Waiting = { task, given, signal, onBytes, resolve, reject };
    const onAbort = (): void => cancel(entry);
    signal.addEventListener('abort', onAbort, { once: true });
    queue.push(entry);
    pump();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  };

  const answered = async (task: PlaceTask | WriteTask | NameTask): Promise<Done> =>
    await perform(task, unending, undefined, task.kind === 'name' ? [] : [task.packed.memory.buffer]);
  const placed = async (task: PlaceTask | NameTask): Promise<readonly Placed[]> => {
    const answer = await answered(task);
    if (answer.kind !== 'placed') throw mixedUp();
    return answer.files;
  };
  const written = async (files: readonly PlaceRequest[]): Promise<readonly Written[]> => {
    const answer = await answered({ kind: 'write', id: nextId++, packed: packFiles(files) });
    if (answer.kind !== 'written') throw mixedUp();
    return answer.files;
  };
  const named = async (files: readonly NameRequest[]): Promise<readonly Placed[]> =>
    await placed({ kind: 'name', id: nextId++, files });
  const { disk, clock } = options;
  const placing = new PlaceQueue(
    disk === undefined || clock === undefined
      ? {
          place: async (files) => await placed({ kind: 'place', id: nextId++, packed: packFiles(files) }),
          mostFiles: filesInMessage,
          partial: { kind: 'at-once' },
        }
      : {
          place: async (files) => await placeTogether(files, { write: written, name: named }, disk),
          mostFiles: filesTogether,
          partial: { kind: 'apart', clock, ms: collectMs },
        },
  );

  return {
    hash: async (request, signal, onBytes) => {
      const answer = await perform({ ...request, kind: 'hash', id: nextId++ }, signal, onBytes);
      if (answer.kind !== 'done') throw mixedUp();
      const { algorithm } = request;
      const checksums =
        algorithm === null || answer.checksum === null ? {} : { [algorithm]: answer.checksum };
      return { md5: answer.md5, checksums };
    },
    readFile: async (request, signal) => {
      const answer = await perform({ ...request, kind: 'read', id: nextId++ }, signal);
      if (answer.kind !== 'read') throw mixedUp();
      return answer.file;
    },
    placeFile: (request, signal) => placing.place(request, signal),
    openPiece: (request) => {
      if (closed) throw failure('cancelled', 'The program ends.');
      while (threads.length < limit) startThread();
      // The pieces are shared out among the threads that hash.
      const [first, ...others] = threads.slice(0, limit);
      if (first === undefined) throw failure('internal', 'There is no thread.');
      const thread = others.reduce(
        (least, one) => (one.pieces.openPieces < least.pieces.openPieces ? one : least),
        first,
      );
      return thread.pieces.open(request);
    },
    close: async () => {
      closed = true;
      const ended = failure('cancelled', 'The program ends.');
      for (const entry of queue.splice(0)) entry.reject(ended);
      await Promise.all(threads.splice(0).map(async (thread) => await thread.worker.end(ended)));
    },
  };
}

/** Turns the system's error code of a failed read into the program's own error. */
export function readFailure(code: string | null): Error {
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
  if (code === 'CHANGED')
    return failure('storage', 'The local file changed while it was read.', {
      reason: 'file-changed',
      retry: 'after-fix',
    });
  return failure('storage', `The local file cannot be read (${code ?? 'no code'}).`, {
    reason: 'file-unreadable',
    retry: 'after-fix',
  });
}
