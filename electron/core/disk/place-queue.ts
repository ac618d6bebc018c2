import { Coalescer, type PartialBatches } from '../flow/coalescer.ts';
import type { Placed, PlaceRequest } from './hash-messages.ts';

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
