import { availableParallelism } from 'node:os';
import { AppFailure, failure } from '../../../../shared/errors.ts';
import type { AtOnce } from '../../flow/limits.ts';
import { WorkerThread } from '../../flow/worker-thread.ts';
import type { ListedObject } from '../../s3/model/listing-types.ts';
import type { PageResponse, PageContent, PageSum, PageTask, PageOptions } from './page-messages.ts';
import { SharedMemory, type LentMemory, PageRoom } from './page-memory.ts';

/** The range of keys that a page is read for: keys after `after`, up to and including `through`. */
export interface PageBounds {
  readonly after: string | null;
  readonly through: string | null;
}

/** A page whose body is being received. It can be parsed again when its bounds change. The caller must release it. */
export interface PageBody {
  write(chunk: Uint8Array): void;
  bytes(): Uint8Array;
  /** Parses the page within these bounds. Returns null if the body is not a listing. */
  read(bounds: PageBounds): Promise<PageSum | null>;
  release(): void;
}

/** Parses listing pages in threads, since parsing takes most of the time of a walk. */
export interface PagePool {
  /** Limits the pages in flight. The limit is just high enough to keep the threads busy. */
  readonly room: AtOnce;
  createBody(pageOptions: PageOptions, signal: AbortSignal): PageBody;
  tally(
    objects: readonly ListedObject[],
    pageOptions: PageOptions,
    after: string | null,
    signal: AbortSignal,
  ): Promise<PageSum>;
  close(): Promise<void>;
}

export interface PagePoolOptions {
  readonly threads?: number;
  /** The time in ms after which a regular expression is rejected while it tests a page. */
  readonly patternLimitMs?: number;
}

interface Waiting {
  readonly task: PageTask;
  readonly signal: AbortSignal;
  readonly resolve: (sum: PageSum | null) => void;
  readonly reject: (thrown: unknown) => void;
}

interface Thread {
  readonly worker: WorkerThread<PageTask, PageResponse>;
  /** The numbers of the shared memory that this thread already received. */
  readonly memories: Set<number>;
  /** The tasks sent to the thread, in the order in which it starts them. */
  readonly tasks: Waiting[];
  guard: NodeJS.Timeout | null;
}

/** Enough memory for one page and its matches. With half of it, threads that return rows would collect garbage twice as often. */
const threadLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 };
/** One running task and one queued, so that a thread never waits for the main thread. */
const tasksPerThread = 2;
const workerUrl = new URL('./walk-page-worker.ts', import.meta.url);

/** Creates the pool. Its threads start with the first page and do not keep the process alive. */
export function createPagePool(options: PagePoolOptions = {}): PagePool {
  // With only two CPUs, one is left to the main thread, which sends the requests.
  const limit = options.threads ?? (availableParallelism() > 2 ? 2 : 1);
  const patternLimitMs = options.patternLimitMs ?? 5000;
  const threads: Thread[] = [];
  const queue: Waiting[] = [];
  const memory = new SharedMemory();
  const room = new PageRoom();
  let nextId = 1;
  let isClosed = false;

  const startThread = (): Thread => {
    const worker = new WorkerThread<PageTask, PageResponse>({
      url: workerUrl,
      limits: threadLimits,
      diedMessage: 'A thread that reads listings ended unexpectedly.',
      onDeath: () => end(thread),
    });
    const thread: Thread = { worker, memories: new Set(), tasks: [], guard: null };
    threads.push(thread);
    return thread;
  };

  const end = (thread: Thread): void => {
    const index = threads.indexOf(thread);
    if (index >= 0) threads.splice(index, 1);
    if (thread.guard !== null) clearTimeout(thread.guard);
    thread.guard = null;
  };

  const runTask = async (thread: Thread, waiting: Waiting): Promise<void> => {
    thread.tasks.push(waiting);
    if (thread.tasks.length === 1) watch(thread);
    let response: PageResponse | null = null;
    let failed: unknown = null;
    try {
      response = await thread.worker.ask(messageTo(thread, waiting.task));
    } catch (thrown) {
      failed = thrown;
    }
    // Usually this is the first task, but a page for the slow parser may finish after later ones. If it moved to another thread,
    // it is missing here.
    const index = thread.tasks.indexOf(waiting);
    if (index < 0) return;
    thread.tasks.splice(index, 1);
    room.read(queue.length + threads.reduce((sum, { tasks }) => sum + tasks.length, 0));
    if (threads.includes(thread)) watch(thread);
    if (response === null) waiting.reject(failed);
    else if (response.kind === 'failed') waiting.reject(new AppFailure(response.error));
    else waiting.resolve(response.kind === 'sum' ? response.sum : null);
    pump();
  };

  /**
   * Terminates a thread whose regular expression takes too long, because a match cannot be interrupted. Its queued tasks move to
   * another thread.
   */
  const watch = (thread: Thread): void => {
    if (thread.guard !== null) clearTimeout(thread.guard);
    thread.guard = null;
    const current = thread.tasks[0];
    if (current?.task.pageOptions.query?.name?.kind !== 'regex') return;
    thread.guard = setTimeout(() => {
      end(thread);
      thread.tasks.shift();
      queue.unshift(...thread.tasks.splice(0));
      void thread.worker.end(patternSlow());
      current.reject(patternSlow());
      pump();
    }, patternLimitMs);
  };

  const pump = (): void => {
    if (isClosed) return;
    while (queue.length > 0) {
      const free =
        threads.find((thread) => thread.tasks.length === 0) ??
        (threads.length < limit ? startThread() : null) ??
        threads.find((thread) => thread.tasks.length < tasksPerThread);
      const next = free === undefined ? undefined : queue.shift();
      if (free === undefined || next === undefined) return;
      if (next.signal.aborted) {
        next.reject(next.signal.reason);
        continue;
      }
      void runTask(free, next);
    }
  };

  const ask = async (
    content: PageContent,
    pageOptions: PageOptions,
    bounds: PageBounds,
    signal: AbortSignal,
  ): Promise<PageSum | null> => {
    if (isClosed) throw failure('cancelled', 'Cooper is quitting.');
    const { promise, resolve, reject } = Promise.withResolvers<PageSum | null>();
    const task: PageTask = { id: nextId++, pageOptions, content, ...bounds };
    queue.push({ task, signal, resolve, reject });
    pump();
    return await promise;
  };

  return {
    room,
    createBody: (pageOptions, signal) => {
      let lent: LentMemory = memory.lend();
      let sizeBytes = 0;
      return {
        write: (chunk) => {
          const needed = sizeBytes + chunk.byteLength;
          if (needed > lent.buffer.byteLength) lent = memory.grow(lent, sizeBytes, needed);
          new Uint8Array(lent.buffer, sizeBytes).set(chunk);
          sizeBytes = needed;
        },
        bytes: () => Buffer.from(lent.buffer, 0, sizeBytes),
        read: async (bounds) => {
          const { number, buffer, isReusable } = lent;
          return await ask(
            { kind: 'body', memory: number, buffer, isReusable, sizeBytes },
            pageOptions,
            bounds,
            signal,
          );
        },
        release: () => memory.giveBack(lent),
      };
    },
    tally: async (objects, pageOptions, after, signal) => {
      const sum = await ask({ kind: 'objects', objects }, pageOptions, { after, through: null }, signal);
      if (sum === null) throw failure('internal', 'A page of objects was not summed up.');
      return sum;
    },
    close: async () => {
      isClosed = true;
      const ended = failure('cancelled', 'Cooper is quitting.');
      for (const entry of queue.splice(0)) entry.reject(ended);
      await Promise.all(
        threads.splice(0).map(async (thread) => {
          if (thread.guard !== null) clearTimeout(thread.guard);
          await thread.worker.end(ended);
        }),
      );
    },
  };
}

function messageTo(thread: Thread, task: PageTask): PageTask {
  const { content } = task;
  if (content.kind !== 'body') return task;
  if (thread.memories.has(content.memory)) return { ...task, content: { ...content, buffer: null } };
  if (content.isReusable) thread.memories.add(content.memory);
  return task;
}

function patternSlow(): Error {
  return failure(
    'invalid-argument',
    'The regular expression takes too long on some of the names. Nothing was changed. Use a simpler one without nested repetitions.',
    { reason: 'pattern-slow', retry: 'after-fix' },
  );
}
