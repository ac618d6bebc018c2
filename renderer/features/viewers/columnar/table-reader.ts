import { failure } from '../../../../shared/errors.ts';
import type { WorkerPort } from '../../../ui/asked-worker.ts';
import { BadFormat } from '../frame/bytes.ts';
import type { RangeSource } from '../frame/range-source.ts';
import { UnreadableFile, type TableDescription, type TextPart, type WholeValue } from './columnar-file.ts';
import {
  maxReadBytes,
  type ColumnarResponse,
  type FromDecoder,
  type ColumnarRequest,
  type TableChoice,
  type ToDecoder,
} from './columnar-messages.ts';

/** Thrown if the decoder was terminated: the file is damaged, or takes too much work. */
export class TooComplex extends Error {
  override readonly name = 'TooComplex';
}

/** Milliseconds without a message after which the decoder is terminated. Time spent waiting for bytes does not count. */
export const maxReaderSilenceMs = 10_000;
/** Limit of reads that the decoder may request for one response. */
const maxReads = 5000;
/** Limit of concurrent requests to the decoder: each holds some pages in memory. */
const maxAtOnce = 4;

/** Runs a function after some milliseconds. Returns a function that cancels the timer. */
export type StartTimer = (run: () => void, ms: number) => () => void;

const startTimeout: StartTimer = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** A table whose file is decoded in a worker. */
export interface TableReader {
  readonly open: () => Promise<TableDescription>;
  /** Returns the texts of a column for this row and its neighbours; null if there is no such row. */
  readonly partAt: (column: number, row: number, signal: AbortSignal) => Promise<TextPart | null>;
  /** Returns the full (untruncated) values of a row. */
  readonly rowAt: (
    columns: readonly number[],
    row: number,
    signal: AbortSignal,
  ) => Promise<readonly WholeValue[]>;
  /** Terminates the decoder. */
  readonly close: () => void;
}

/**
 * Sends requests to a decoder, reads the bytes that it asks for, and terminates it if it sends nothing for too long. The bytes
 * are never parsed on the main thread, since a damaged file could block or crash the parser.
 */
export function tableReader(
  source: RangeSource,
  choice: TableChoice,
  worker: WorkerPort,
  startTimer: StartTimer = startTimeout,
): TableReader {
  const pendingRequests = new Map<number, PromiseWithResolvers<ColumnarResponse>>();
  const slotWaiters: (() => void)[] = [];
  const failedReads = new Map<number, unknown>();
  const closing = new AbortController();
  let lastId = 0;
  let readsInFlight = 0;
  let readsSinceResponse = 0;
  let hasResponded = false;
  let stopTimer: (() => void) | null = null;

  const post = (message: ToDecoder, transfer: Transferable[] = []): void =>
    worker.postMessage(message, transfer);

  const finish = (why: Error): void => {
    if (closing.signal.aborted) return;
    stopTimer?.();
    worker.terminate();
    closing.abort(why);
    for (const { reject } of pendingRequests.values()) reject(why);
    pendingRequests.clear();
    for (const go of slotWaiters.splice(0)) go();
  };
  /** Restarts the timeout with every message. */
  const watch = (): void => {
    stopTimer?.();
    stopTimer = null;
    if (closing.signal.aborted || pendingRequests.size === 0 || readsInFlight > 0) return;
    stopTimer = startTimer(() => finish(new TooComplex()), maxReaderSilenceMs);
  };
  const sendBytes = async (read: number, offset: number, length: number): Promise<void> => {
    readsSinceResponse += 1;
    if (readsSinceResponse > maxReads || !isRange(offset, length)) {
      finish(new TooComplex());
      return;
    }
    readsInFlight += 1;
    try {
      // Copies the bytes. Posting transfers them, and the source may share them with other readers.
      const bytes = (await source.read(offset, length, closing.signal)).slice();
      if (!closing.signal.aborted) post({ kind: 'bytes', read, bytes }, [bytes.buffer]);
    } catch (thrown) {
      failedReads.set(read, thrown);
      if (!closing.signal.aborted) post({ kind: 'unread', read });
    } finally {
      readsInFlight -= 1;
      watch();
    }
  };
  const endRequest = (
    id: number,
    settle: (question: PromiseWithResolvers<ColumnarResponse>) => void,
  ): void => {
    const pendingRequest = pendingRequests.get(id);
    if (pendingRequest === undefined) return;
    pendingRequests.delete(id);
    readsSinceResponse = 0;
    settle(pendingRequest);
    slotWaiters.shift()?.();
  };
  worker.addEventListener('message', ({ data: message }: MessageEvent<FromDecoder>) => {
    if (closing.signal.aborted) return;
    hasResponded = true;
    switch (message.kind) {
      case 'read':
        void sendBytes(message.read, message.offset, message.length);
        break;
      case 'answer':
        endRequest(message.id, ({ resolve }) => resolve(message.answer));
        break;
      case 'unread':
        endRequest(message.id, ({ reject }) => reject(failedReads.get(message.read)));
        break;
      case 'unloaded':
        finish(unloaded());
        break;
      case 'refused': {
        const { problem } = message;
        endRequest(message.id, ({ reject }) => {
          reject(
            problem === null ? new BadFormat('The decoder cannot read this.') : new UnreadableFile(problem),
          );
        });
        break;
      }
    }
    watch();
  });
  // An error before the first message means that the worker did not load. The file causes later errors.
  const fail = (): void => finish(hasResponded ? new TooComplex() : unloaded());
  worker.addEventListener('error', fail);
  worker.addEventListener('messageerror', fail);

  const ask = async (question: ColumnarRequest, signal?: AbortSignal): Promise<ColumnarResponse> => {
    while (pendingRequests.size >= maxAtOnce && !closing.signal.aborted)
      await new Promise<void>((resolve) => {
        slotWaiters.push(resolve);
      });
    closing.signal.throwIfAborted();
    if (signal?.aborted === true) {
      // Passes the slot to the next waiting request.
      slotWaiters.shift()?.();
      signal.throwIfAborted();
    }
    lastId += 1;
    const id = lastId;
    const waiting = Promise.withResolvers<ColumnarResponse>();
    pendingRequests.set(id, waiting);
    post({ kind: 'ask', id, question });
    watch();
    return await waiting.promise;
  };
  return {
    open: async () => {
      const reply = await ask({ kind: 'open', ...choice, sizeBytes: source.sizeBytes });
      if ('description' in reply) return reply.description;
      throw new BadFormat('The decoder did not open the file.');
    },
    partAt: async (column, row, signal) => {
      const reply = await ask({ kind: 'part', column, row }, signal);
      if ('part' in reply) return reply.part;
      throw new BadFormat('The decoder returned no rows.');
    },
    rowAt: async (columns, row, signal) => {
      const reply = await ask({ kind: 'row', columns, row }, signal);
      if ('values' in reply) return reply.values;
      throw new BadFormat('The decoder returned no row.');
    },
    close: () => finish(new DOMException('The viewer was closed.', 'AbortError')),
  };
}

function unloaded(): Error {
  return failure('disconnected', 'The decoder could not be loaded.', { retry: 'backoff' });
}

function isRange(offset: number, length: number): boolean {
  return isCount(offset) && isCount(length) && length <= maxReadBytes;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
