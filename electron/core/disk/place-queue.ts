import { Coalescer, type PartialBatches } from '../flow/coalescer.ts';
import type { Placed, PlaceRequest } from './hash-messages.ts';

export interface PlaceQueueOptions {
  readonly place: (files: readonly PlaceRequest[]) => Promise<readonly Placed[]>;
  /** Files per batch. */
  readonly maxFiles: number;
  /** When a batch that is not full is sent. */
  readonly partial: PartialBatches;
}

/** While one batch is being synced, the next is written. */
const maxBatches = 2;
const maxBytes = 4 * 1024 * 1024;

/** Coalesces small files for the threads: files that arrive while others are in flight form a batch. */
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
   * Places a file; returns false if the name is taken. Rejects with the system's error code. Throws the signal's reason if
   * aborted while queued.
   */
  async place(request: PlaceRequest, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const placed = await this.#files.add(request, signal);
    if ('isTaken' in placed) return !placed.isTaken;
    throw Object.assign(new Error(placed.message), { code: placed.code ?? 'UNKNOWN' });
  }
}
