import { Coalescer, type PartialBatches } from '../flow/coalescer.ts';
import type { Placed, PlaceRequest } from './hash-messages.ts';

export interface PlaceQueueOptions {
  readonly place: (files: readonly PlaceRequest[]) => Promise<readonly Placed[]>;
  /** In one batch. */
  readonly mostFiles: number;
  /** When a batch goes out that is not full. */
  readonly partial: PartialBatches;
}

/** While one batch waits for the disk, the next is written. */
const mostBatches = 2;
const mostBytes = 4 * 1024 * 1024;

/** Small files on their way to the threads: those that come while others are under way go together. */
export class PlaceQueue {
  readonly #files: Coalescer<PlaceRequest, Placed>;

  constructor({ place, mostFiles, partial }: PlaceQueueOptions) {
    this.#files = new Coalescer({
      size: mostFiles,
      bytes: { most: mostBytes, of: ({ bytes }) => bytes.byteLength },
      atOnce: mostBatches,
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
