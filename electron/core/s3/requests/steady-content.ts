import { failure, toAppError, type AppError } from '../../../../shared/errors.ts';
import type { Clock, Random } from '../../ports.ts';
import { ObjectContent } from '../http/answer.ts';
import type { TakeChunk } from '../http/answer-body.ts';
import { lengthDiffers } from '../model/damage.ts';
import type { OpenedObject } from './object-content.ts';
import { decideRetry, type RetryPolicy } from '../http/retry.ts';
import type { ByteRange } from '../model/object-types.ts';

/** The requested range of one object or version, and its known size. */
export interface Asked {
  readonly range: ByteRange | null;
  /** The length that a listing or a HEAD gave, if any. */
  readonly sizeBytes: number | undefined;
}

export interface SteadyRun {
  /** Requests the missing bytes: the range, or the whole if the service ignores ranges. */
  readonly reopen: (range: ByteRange | null, etag: string | null) => Promise<OpenedObject>;
  /** Returns true if the caller has given up. */
  readonly isAborted: () => boolean;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly policy: RetryPolicy;
  /** Called when a connection breaks and reading resumes at the byte reached, counted within the requested range. */
  readonly onBroken: (error: AppError, reachedBytes: number) => void;
}

/**
 * Bytes that a response must bring before the next request is sent without delay. Otherwise a service could cause a request per
 * byte.
 */
const fairBytes = 64 * 1024;

/**
 * Reads the requested bytes, each once and in order. If the connection breaks, reading resumes at the byte reached if ETag,
 * length and time are the same. Only attempts that bring no bytes count against the retry limit.
 */
export function steadyContent(first: OpenedObject, asked: Asked, run: SteadyRun): ObjectContent {
  let current = first.content;
  let isOver = false;
  const read = async (take: TakeChunk): Promise<void> => {
    const wantedBytes = wantedOf(first, asked);
    const taker = new Taker(take, wantedBytes);
    let opened = first;
    let triesMade = 0;
    let progressMs = run.clock.monotonicMs();
    for (;;) {
      const before = taker.reached;
      let broken: unknown = null;
      try {
        await opened.content.read(taker.give);
        if (wantedBytes === null || taker.reached === wantedBytes) return;
        broken = lengthDiffers(wantedBytes, taker.reached);
      } catch (thrown) {
        broken = thrown;
      }
      taker.throwOwn();
      if (isOver || run.isAborted()) throw broken;
      const error = toAppError(broken);
      const gain = taker.reached - before;
      if (gain > 0) {
        triesMade = 0;
        progressMs = run.clock.monotonicMs();
      }
      triesMade += 1;
      const decision = decideRetry({
        error,
        repeatable: 'always',
        triesMade,
        elapsedMs: run.clock.monotonicMs() - progressMs,
        policy: run.policy,
        fraction: run.random.fraction(),
      });
      // Without an ETag it is not certain that the rest belongs to the same object.
      if (decision.kind === 'give-up' || first.head.etag === null) throw broken;
      await taker.idle();
      // The connection broke after the last byte.
      if (taker.reached === wantedBytes) return;
      if (gain < fairBytes) await run.clock.sleep(decision.delayMs, run.signal);
      if (isOver || run.isAborted()) throw broken;
      run.onBroken(error, taker.reached);
      opened = await goOn(first, asked, taker, wantedBytes, run);
      current = opened.content;
    }
  };
  return new ObjectContent(read, () => {
    isOver = true;
    current.destroy();
  });
}

/** Passes the chunks of successive responses to one consumer. */
class Taker {
  readonly #take: TakeChunk;
  readonly #wantedBytes: number | null;
  #readFailure: { readonly thrown: unknown } | null = null;
  #taking: Promise<void> | null = null;
  reached = 0;
  /** Bytes to skip, which an earlier response already brought. */
  skip = 0;

  constructor(take: TakeChunk, wantedBytes: number | null) {
    this.#take = take;
    this.#wantedBytes = wantedBytes;
  }

  readonly give: TakeChunk = (chunk) => {
    const passed = Math.min(this.skip, chunk.byteLength);
    this.skip -= passed;
    if (passed > 0 && passed === chunk.byteLength) return undefined;
    const fresh = passed === 0 ? chunk : chunk.subarray(passed);
    const reached = this.reached + fresh.byteLength;
    if (this.#wantedBytes !== null && reached > this.#wantedBytes)
      this.#fail(lengthDiffers(this.#wantedBytes, reached));
    this.reached = reached;
    try {
      const wait = this.#take(fresh);
      if (wait === undefined) return undefined;
      this.#taking = wait.catch((thrown: unknown) => this.#fail(thrown));
      return this.#taking;
    } catch (thrown) {
      return this.#fail(thrown);
    }
  };

  /** Rethrows the consumer's own error, which is not a connection error. */
  throwOwn(): void {
    if (this.#readFailure !== null) throw this.#readFailure.thrown;
  }

  /** Waits for the consumer, which may still process the last chunk when the connection breaks. */
  async idle(): Promise<void> {
    await this.#taking;
  }

  #fail(thrown: unknown): never {
    this.#readFailure ??= { thrown };
    throw thrown;
  }
}

/** Returns the number of bytes expected; null if unknown. */
function wantedOf({ expectedBytes }: OpenedObject, { range, sizeBytes }: Asked): number | null {
  return expectedBytes ?? (range === null ? (sizeBytes ?? null) : null);
}

async function goOn(
  first: OpenedObject,
  asked: Asked,
  taker: Taker,
  wantedBytes: number | null,
  run: SteadyRun,
): Promise<OpenedObject> {
  const start = asked.range?.firstByte ?? 0;
  const range = {
    firstByte: start + taker.reached,
    lastByte: wantedBytes === null ? Number.MAX_SAFE_INTEGER : start + wantedBytes - 1,
  };
  try {
    return checkSame(first, asked, await run.reopen(range, first.head.etag));
  } catch (thrown) {
    const { reason } = toAppError(thrown);
    // The object is shorter than expected.
    if (reason === 'invalid-range' && wantedBytes !== null) throw lengthDiffers(wantedBytes, taker.reached);
    if (reason !== 'range-ignored' || asked.range !== null) throw thrown;
  }
  // A service that ignores ranges sends the whole object again. Skips the bytes already consumed.
  const opened = checkSame(first, asked, await run.reopen(null, first.head.etag));
  taker.skip = taker.reached;
  return opened;
}

/** Throws if a response is for another object: bytes of two objects are never combined (aws-c-s3#226). */
function checkSame(first: OpenedObject, { range, sizeBytes }: Asked, opened: OpenedObject): OpenedObject {
  const [before, now] = [first.head, opened.head];
  const knownBytes = before.sizeBytes ?? (range === null ? sizeBytes : undefined) ?? now.sizeBytes;
  const isSame =
    before.etag === now.etag &&
    (before.lastModified ?? now.lastModified) === (now.lastModified ?? before.lastModified);
  if (isSame && knownBytes === (now.sizeBytes ?? knownBytes)) return opened;
  opened.content.destroy();
  if (isSame) throw lengthDiffers(knownBytes ?? 0, now.sizeBytes ?? 0);
  throw failure('conflict', 'The object changed while it was read.', {
    reason: 'precondition-failed',
    retry: 'backoff',
  });
}
