import path from 'node:path';
import { Coalescer, type PartialBatches } from '../flow/coalescer.ts';
import {
  packFiles,
  unexpectedThreadResponse,
  type HashResponse,
  type HashTask,
  type NameRequest,
  type NameTask,
  type Placed,
  type PlaceRequest,
  type PlaceTask,
  type WriteTask,
  type Written,
} from './hash-messages.ts';
import type { Clock, DiskSync } from '../ports.ts';
import { md5Lanes } from './md5-module.ts';

export interface PlaceQueueOptions {
  readonly place: (files: readonly PlaceRequest[]) => Promise<readonly Placed[]>;
  /** The maximum number of files in a batch. */
  readonly maxFiles: number;
  /** When to send a batch that is not full. */
  readonly partial: PartialBatches;
}

/** Two batches: while one is flushed to disk, the next is written. */
const maxBatches = 2;
const maxBytes = 4 * 1024 * 1024;

/** Collects small files into batches for the threads. Files that arrive while others are in flight form the next batch. */
export class PlaceQueue {
  readonly #files: Coalescer<PlaceRequest, Placed>;

  constructor({ place, maxFiles, partial }: PlaceQueueOptions) {
    this.#files = new Coalescer({
      size: maxFiles,
      bytes: { max: maxBytes, of: ({ bytes }) => bytes.byteLength },
      atOnce: maxBatches,
      partial,
      send: place,
    });
  }

  /**
   * Writes and renames a file. Returns false if the name is taken. Rejects with the system's error code. Throws the signal's
   * reason if aborted while queued.
   */
  async place(request: PlaceRequest, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const placed = await this.#files.add(request, signal);
    if ('isTaken' in placed) return !placed.isTaken;
    throw Object.assign(new Error(placed.message), { code: placed.code ?? 'UNKNOWN' });
  }
}

/** The two halves of placing small files, which threads run. */
interface PlacingThreads {
  readonly write: (files: readonly PlaceRequest[]) => Promise<readonly Written[]>;
  readonly name: (files: readonly NameRequest[]) => Promise<readonly Placed[]>;
}

/**
 * Writes small files, flushes them together and then renames them to their final names. Flushes each file separately if the disk
 * has no combined flush. Throws `AppError('internal')` if a thread returns fewer results than files.
 */
export async function placeTogether(
  files: readonly PlaceRequest[],
  threads: PlacingThreads,
  disk: DiskSync,
): Promise<readonly Placed[]> {
  const written = await threads.write(files);
  const results: (Placed | undefined)[] = [];
  const folders = new Map<number, string>();
  const toName: { readonly at: number; readonly file: PlaceRequest; readonly device: number }[] = [];
  for (const [at, file] of files.entries()) {
    const writtenFile = written[at];
    if (writtenFile === undefined) throw unexpectedThreadResponse();
    if (!('device' in writtenFile)) {
      results[at] = writtenFile;
      continue;
    }
    toName.push({ at, file, device: writtenFile.device });
    if (!folders.has(writtenFile.device)) folders.set(writtenFile.device, path.dirname(file.part));
  }
  const safe = new Set<number>();
  for (const [device, folder] of folders) if (await disk.sync(folder)) safe.add(device);
  const named = await threads.name(
    toName.map(({ file: { part, target, mayReplace }, device }) => ({
      part,
      target,
      mayReplace,
      isSafe: safe.has(device),
    })),
  );
  for (const [index, { at }] of toName.entries()) results[at] = named[index];
  return results.map((result) => {
    if (result === undefined) throw unexpectedThreadResponse();
    return result;
  });
}

/** The number of files in one message, because a message costs more than the work on one file. */
const filesInMessage = 16;
/** The number of files that are flushed together. With so many, the file system's own cost of a flush is small. */
const filesTogether = 400;
const collectMs = 60;

interface PlacingOptions {
  /** Runs a task in a thread. */
  readonly run: (task: PlaceTask | WriteTask | NameTask) => Promise<HashResponse>;
  readonly nextId: () => number;
  /** Flushes many files at once. If it or the clock is undefined, each file is flushed separately. */
  readonly disk: DiskSync | undefined;
  readonly clock: Clock | undefined;
}

/** Creates the queue whose small files the threads write, flush and rename. */
export function createPlaceQueue({ run, nextId, disk, clock }: PlacingOptions): PlaceQueue {
  const placed = async (task: PlaceTask | NameTask): Promise<readonly Placed[]> => {
    const response = await run(task);
    if (response.kind !== 'placed') throw unexpectedThreadResponse();
    return response.files;
  };
  const write = async (files: readonly PlaceRequest[]): Promise<readonly Written[]> => {
    const response = await run({ kind: 'write', id: nextId(), packed: packFiles(files) });
    if (response.kind !== 'written') throw unexpectedThreadResponse();
    return response.files;
  };
  const name = async (files: readonly NameRequest[]): Promise<readonly Placed[]> =>
    await placed({ kind: 'name', id: nextId(), files });
  if (disk === undefined || clock === undefined)
    return new PlaceQueue({
      place: async (files) => await placed({ kind: 'place', id: nextId(), packed: packFiles(files) }),
      maxFiles: filesInMessage,
      partial: { kind: 'at-once' },
    });
  return new PlaceQueue({
    place: async (files) => await placeTogether(files, { write, name }, disk),
    maxFiles: filesTogether,
    partial: { kind: 'apart', clock, ms: collectMs },
  });
}

/** The minimum number of slices to hash in parallel. OpenSSL hashes fewer faster in sequence. */
const minTogether = 3;
/** The number of queued tasks to search for more slices. */
const maxSearchedTasks = 64;

/** The fields of a task that decide whether it can be hashed with others. */
type Task =
  Pick<HashTask, 'kind' | 'sizeBytes' | 'algorithm'> | { readonly kind: 'read' | 'place' | 'write' | 'name' };

/**
 * Takes the first task from the queue, with slices to hash in parallel with it. All need only an MD5, and none is twice as long
 * as another, because the longest determines the time.
 */
export function takeSimilarTasks<T extends { readonly task: Task }>(queue: T[]): readonly T[] {
  const first = queue.shift();
  if (first === undefined) return [];
  const bytes = plainBytes(first.task);
  if (bytes === null) return [first];
  const indexes: number[] = [];
  for (const [index, { task }] of queue.slice(0, maxSearchedTasks).entries()) {
    const other = plainBytes(task);
    if (other !== null && isAlike(bytes, other)) indexes.push(index);
    if (indexes.length + 1 === md5Lanes) break;
  }
  if (indexes.length + 1 < minTogether) return [first];
  const others = indexes.flatMap((index) => queue.slice(index, index + 1));
  for (const index of indexes.toReversed()) queue.splice(index, 1);
  return [first, ...others];
}

function isAlike(left: number, right: number): boolean {
  return left <= 2 * right && right <= 2 * left;
}

/** Returns the size of a slice that needs only an MD5; null for other tasks. */
function plainBytes(task: Task): number | null {
  return task.kind === 'hash' && task.algorithm === null ? task.sizeBytes : null;
}
