import type { FileHandle } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { PartScheduler } from '../../../../../electron/core/flow/part-scheduler.ts';
import type { TakeChunk } from '../../../../../electron/core/s3/http/response-body.ts';
import { ConditionMemory } from '../../../../../electron/core/s3/model/condition-memory.ts';
import type { GetObjectInput } from '../../../../../electron/core/s3/model/object-types.ts';
import { fetchPieces, planPieces } from '../../../../../electron/core/transfers/downloads/fetch-pieces.ts';
import { Blocks } from '../../../../../electron/core/transfers/items/blocks.ts';
import type { ItemContext } from '../../../../../electron/core/transfers/items/item-context.ts';
import {
  countOf,
  decode,
  has,
  isComplete,
  pieceSizeBytes,
  type PieceBits,
} from '../../../../../electron/core/transfers/items/piece-bits.ts';
import {
  newDownloadItem,
  type DownloadItem,
} from '../../../../../electron/core/transfers/items/transfer-item.ts';
import { failure } from '../../../../../shared/errors.ts';

const MiB = 1024 * 1024;
const etag = '"0123456789abcdef0123456789abcdef"';

function planned(sizeBytes: number, pieceBytes: number): PieceBits {
  return planPieces({ etag, sizeBytes, lastModified: null }, pieceBytes, 0);
}

/** How a download behaves in a test. */
interface Plan {
  /** The number of pieces requested in parallel. */
  readonly parallel: number;
  /** Sends the body of a piece. `rest` sends its remaining bytes. */
  readonly send?: (index: number, take: TakeChunk, rest: () => Promise<void>) => Promise<void>;
  /** Called for each flush, before it succeeds. */
  readonly onFlush?: (flush: number) => Promise<void>;
  /** Called after an item was stored. */
  readonly onStored?: () => void;
}

/** A download of one object into a file that forgets unflushed bytes in a crash. Records what the program stores. */
class Download {
  readonly stored: PieceBits[] = [];
  readonly aborter = new AbortController();
  /** The first byte of each request. */
  readonly requested: number[] = [];
  /** The stored progress of which bytes were not flushed. */
  readonly undurable: string[] = [];
  readonly #pieces: PieceBits;
  readonly #plan: Plan;
  /** For each piece, the bytes in the file. */
  readonly #written = new Map<number, number>();
  #durable = new Map<number, number>();
  #flushes = 0;

  constructor(pieces: PieceBits, plan: Plan) {
    this.#pieces = pieces;
    this.#plan = plan;
    for (let index = 0; index < countOf(pieces); index += 1) this.#durable.set(index, bytesOf(pieces, index));
  }

  async run(): Promise<PieceBits | null> {
    const { sizeBytes } = this.#pieces;
    const item = newDownloadItem({
      seq: 1,
      key: 'k',
      kind: 'file',
      localName: 'k',
      sizeBytes,
      etag,
      pieces: this.#pieces,
    });
    const handle = { fd: 1, datasync: async () => await this.#flush() } as unknown as FileHandle;
    return (await fetchPieces(this.#context(), item, this.#pieces, handle, null)).pieces;
  }

  async #flush(): Promise<void> {
    const durable = new Map([...this.#durable, ...this.#written]);
    this.#flushes += 1;
    await this.#plan.onFlush?.(this.#flushes);
    this.#durable = durable;
  }

  #store({ pieces }: DownloadItem): void {
    if (pieces === null) return;
    this.stored.push(pieces);
    for (let index = 0; index < countOf(pieces); index += 1)
      if (bytesOf(pieces, index) > (this.#durable.get(index) ?? 0)) this.undurable.push(`piece ${index}`);
    this.#plan.onStored?.();
  }

  #context(): ItemContext {
    const { pieceBytes, sizeBytes } = this.#pieces;
    const client = {
      conditions: new ConditionMemory(),
      getObject: async ({ range }: GetObjectInput) => {
        const { firstByte, lastByte } = range ?? { firstByte: 0, lastByte: sizeBytes - 1 };
        if (lastByte < firstByte)
          throw failure('invalid-argument', 'The range is empty.', { reason: 'invalid-range' });
        this.requested.push(firstByte);
        const index = Math.floor(firstByte / pieceBytes);
        const read = async (take: TakeChunk): Promise<void> => {
          let leftBytes = lastByte - firstByte + 1;
          const counted: TakeChunk = (chunk) => {
            leftBytes -= chunk.byteLength;
            return take(chunk);
          };
          const rest = async (): Promise<void> => {
            for (let left = leftBytes; left > 0; left -= MiB)
              await counted(new Uint8Array(Math.min(left, MiB)));
          };
          await (this.#plan.send?.(index, counted, rest) ?? rest());
        };
        return await Promise.resolve({ etag, sizeBytes, lastModified: null, read });
      },
    };
    return {
      deps: {
        store: { transaction: (write: () => void) => write() },
        settings: () => ({ bandwidthBytesPerSecond: null }),
        files: {
          openPiece: () => ({
            write: async (bytes: Uint8Array<ArrayBuffer>, position: number) => {
              const index = Math.floor(position / pieceBytes);
              this.#written.set(index, position + bytes.byteLength - index * pieceBytes);
              return await Promise.resolve(bytes.buffer);
            },
            end: () => Promise.resolve([]),
          }),
        },
      },
      items: { put: (_jobId: string, item: DownloadItem) => this.#store(item) },
      job: { id: 'j', bucket: 'b' },
      client,
      scheduler: new PartScheduler(() => this.#plan.parallel),
      blocks: new Blocks(this.#plan.parallel, pieceBytes),
      signal: this.aborter.signal,
      log: () => undefined,
      onBytes: () => undefined,
    } as unknown as ItemContext;
  }
}

/** Returns the bytes of a piece that are on disk according to the stored progress. */
function bytesOf(pieces: PieceBits, index: number): number {
  return has(decode(pieces.present), index) ? pieceSizeBytes(pieces, index) : (pieces.reached[index] ?? 0);
}

describe('the stored progress of a download in pieces', () => {
  test('leaves out a piece that completes during a flush, so that the download resumes after a pause', async () => {
    const fifthDone = Promise.withResolvers<void>();
    const download: Download = new Download(planned(6 * 16 * MiB, 16 * MiB), {
      parallel: 1,
      // Progress is stored after the fourth flush.
      onFlush: async (flush) => {
        if (flush === 4) await fifthDone.promise;
      },
      send: async (index, _take, rest) => {
        if (index < 5) {
          await rest();
          return;
        }
        fifthDone.resolve();
        await new Promise((_resolve, reject) => {
          download.aborter.signal.addEventListener('abort', () => reject(failure('cancelled', 'Paused.')));
        });
      },
      onStored: () => download.aborter.abort(failure('cancelled', 'Paused.')),
    });
    await expect(download.run()).rejects.toMatchObject({ error: { code: 'cancelled' } });
    expect(download.undurable).toEqual([]);
    const [pieces] = download.stored;
    if (pieces === undefined) throw new Error('No progress was stored.');

    const resumed = new Download(pieces, { parallel: 1 });
    const fetched = await resumed.run();
    expect(resumed.requested).toEqual([4 * 16 * MiB, 5 * 16 * MiB]);
    expect(fetched !== null && isComplete(fetched)).toBe(true);
  });

  test('includes the bytes of a piece that broke only after they are flushed', async () => {
    const breaks = Promise.withResolvers<void>();
    const download = new Download(planned(6 * 16 * MiB, 16 * MiB), {
      parallel: 2,
      onFlush: async (flush) => {
        if (flush !== 4) return;
        breaks.resolve();
        // The first piece ends in microtasks.
        await new Promise((resolve) => setImmediate(resolve));
      },
      send: async (index, take, rest) => {
        if (index !== 0) {
          await rest();
          return;
        }
        await take(new Uint8Array(MiB));
        await breaks.promise;
        await take(new Uint8Array(MiB));
        throw failure('network', 'The connection broke.', { retry: 'backoff' });
      },
    });
    await expect(download.run()).rejects.toMatchObject({ error: { code: 'network' } });
    expect(download.undurable).toEqual([]);
    expect(download.stored.at(-1)?.reached).toEqual({ 0: 2 * MiB });
  });

  test('leaves out a piece whose body is too long, which is fetched again', async () => {
    const download = new Download(planned(16, 8), {
      parallel: 1,
      send: async (_index, take) => {
        await take(new Uint8Array(8));
        await take(new Uint8Array(1));
      },
    });
    await expect(download.run()).rejects.toMatchObject({ error: { code: 'damaged' } });
    expect(download.stored).toEqual([]);
  });

  test('of an earlier version that counts a whole piece as incomplete heals by fetching the piece again', async () => {
    const download = new Download({ ...planned(24, 8), reached: { 0: 8, 1: 3 } }, { parallel: 1 });
    const fetched = await download.run();
    expect(download.requested).toEqual([0, 11, 16]);
    expect(fetched !== null && isComplete(fetched)).toBe(true);
  });
});
