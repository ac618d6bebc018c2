import { failure, toAppError, type AppError } from '../../../../shared/errors.ts';
import type { Clock, Random } from '../../ports.ts';
import { ObjectContent } from '../http/http-response.ts';
import type { TakeChunk } from '../http/response-body.ts';
import { lengthDiffers } from '../model/object-proof.ts';
import { compareEtags } from '../model/etag.ts';
import type { OpenedObject } from './object-content.ts';
import { decideRetry, type RetryPolicy } from '../http/retry.ts';
import type { ByteRange } from '../model/object-types.ts';

/** The requested range of an object or version, and the object's size if known. */
export interface RequestedContent {
  readonly range: ByteRange | null;
  /** The length from a listing or a HEAD; undefined if unknown. */
  readonly sizeBytes: number | undefined;
}

export interface ResumableRun {
  /** Requests the missing range of bytes; null requests the whole object, for services that ignore ranges. */
  readonly reopen: (range: ByteRange | null, etag: string | null) => Promise<OpenedObject>;
  /** Returns true if the caller aborted the request. */
  readonly isAborted: () => boolean;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly policy: RetryPolicy;
  /** Called when a connection breaks. Reading resumes at `reachedBytes` of the requested range. */
  readonly onBroken: (error: AppError, reachedBytes: number) => void;
}

/**
 * If a response brought at least this many bytes, the next request is sent without delay. Otherwise a service could cause one
 * request per byte.
 */
const fairBytes = 64 * 1024;

/**
 * Reads the requested bytes, each once and in order. If the connection breaks, reading resumes at the byte reached, provided that
 * ETag, length and time are the same. Only attempts that bring no bytes count against the retry limit.
 */
export function resumableBody(
  first: OpenedObject,
  requested: RequestedContent,
  run: ResumableRun,
): ObjectContent {
  let current = first.content;
  let isDestroyed = false;
  const read = async (take: TakeChunk): Promise<void> => {
    const totalBytes = totalBytesOf(first, requested);
    const consumer = new Consumer(take, totalBytes);
    let response: StartedResponse = { opened: first, startsAt: 0 };
    let triesMade = 0;
    let progressMs = run.clock.monotonicMs();
    for (;;) {
      const before = consumer.reached;
      let broken: unknown = null;
      try {
        await response.opened.content.read(consumer.receiverFrom(response.startsAt));
        if (totalBytes === null ? consumer.missing === 0 : consumer.reached === totalBytes) return;
        // Without a known length, the object has at least the bytes of the earlier response.
        broken = lengthDiffers(totalBytes ?? consumer.reached, consumer.reached - consumer.missing);
      } catch (thrown) {
        broken = thrown;
      }
      consumer.throwConsumerError();
      if (isDestroyed || run.isAborted()) throw broken;
      const error = toAppError(broken);
      const gain = consumer.reached - before;
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
      // Without an ETag, the remaining bytes may be from another object.
      if (decision.kind === 'give-up' || first.head.etag === null) throw broken;
      await consumer.idle();
      // The connection broke after the last byte, so nothing is missing.
      if (consumer.reached === totalBytes) return;
      if (gain < fairBytes) await run.clock.sleep(decision.delayMs, run.signal);
      if (isDestroyed || run.isAborted()) throw broken;
      run.onBroken(error, consumer.reached);
      response = await resumeReading(first, requested, consumer, totalBytes, run);
      current = response.opened.content;
      // The content was destroyed while the request was in flight.
      if (isDestroyed) {
        current.destroy();
        throw broken;
      }
    }
  };
  return new ObjectContent(read, () => {
    isDestroyed = true;
    current.destroy();
  });
}

/** A response, and the offset in the requested bytes at which its body starts. */
interface StartedResponse {
  readonly opened: OpenedObject;
  readonly startsAt: number;
}

/** Passes the chunks of several responses to one receiver. */
class Consumer {
  readonly #take: TakeChunk;
  readonly #totalBytes: number | null;
  #readFailure: { readonly thrown: unknown } | null = null;
  #taking: Promise<void> | null = null;
  reached = 0;
  /** The number of bytes that the current response has yet to repeat before it brings new ones. */
  missing = 0;

  constructor(take: TakeChunk, totalBytes: number | null) {
    this.#take = take;
    this.#totalBytes = totalBytes;
  }

  /** Returns the receiver of one response. Skips the bytes that an earlier response already brought. */
  receiverFrom(startsAt: number): TakeChunk {
    this.missing = this.reached - startsAt;
    return (chunk) => {
      const skippedBytes = Math.min(this.missing, chunk.byteLength);
      this.missing -= skippedBytes;
      if (skippedBytes > 0 && skippedBytes === chunk.byteLength) return undefined;
      return this.#give(skippedBytes === 0 ? chunk : chunk.subarray(skippedBytes));
    };
  }

  #give(fresh: Uint8Array): void | Promise<void> {
    const reached = this.reached + fresh.byteLength;
    if (this.#totalBytes !== null && reached > this.#totalBytes)
      this.#fail(lengthDiffers(this.#totalBytes, reached));
    this.reached = reached;
    try {
      const wait = this.#take(fresh);
      if (wait === undefined) return undefined;
      this.#taking = wait.catch((thrown: unknown) => this.#fail(thrown));
      return this.#taking;
    } catch (thrown) {
      return this.#fail(thrown);
    }
  }

  /** Throws the receiver's error, which is not a connection error. */
  throwConsumerError(): void {
    if (this.#readFailure !== null) throw this.#readFailure.thrown;
  }

  /** Waits for the receiver, which may still process the last chunk after the connection broke. */
  async idle(): Promise<void> {
    await this.#taking;
  }

  #fail(thrown: unknown): never {
    this.#readFailure ??= { thrown };
    throw thrown;
  }
}

/** Returns the expected number of bytes; null if unknown. */
function totalBytesOf(
  { expectedBytes }: OpenedObject,
  { range, sizeBytes }: RequestedContent,
): number | null {
  return expectedBytes ?? (range === null ? (sizeBytes ?? null) : null);
}

async function resumeReading(
  first: OpenedObject,
  requested: RequestedContent,
  consumer: Consumer,
  totalBytes: number | null,
  run: ResumableRun,
): Promise<StartedResponse> {
  const start = requested.range?.firstByte ?? 0;
  const range = {
    firstByte: start + consumer.reached,
    lastByte: totalBytes === null ? Number.MAX_SAFE_INTEGER : start + totalBytes - 1,
  };
  try {
    const opened = checkSame(first, requested, await run.reopen(range, first.head.etag));
    return { opened, startsAt: consumer.reached };
  } catch (thrown) {
    const { reason } = toAppError(thrown);
    // The object is shorter than expected, so the range does not exist.
    if (reason === 'invalid-range' && totalBytes !== null) throw lengthDiffers(totalBytes, consumer.reached);
    if (reason !== 'range-ignored' || requested.range !== null) throw thrown;
  }
  // A service that ignores ranges sends the whole object again. Bytes that were already passed on are skipped.
  return { opened: checkSame(first, requested, await run.reopen(null, first.head.etag)), startsAt: 0 };
}

/**
 * Returns the response. Throws if it is for another object, because the bytes of two objects must never be combined
 * (aws-c-s3#226).
 */
function checkSame(
  first: OpenedObject,
  { range, sizeBytes }: RequestedContent,
  opened: OpenedObject,
): OpenedObject {
  const [before, now] = [first.head, opened.head];
  const knownBytes = before.sizeBytes ?? (range === null ? sizeBytes : undefined) ?? now.sizeBytes;
  const isSame =
    areSameEtags(before, now) &&
    (before.lastModified ?? now.lastModified) === (now.lastModified ?? before.lastModified);
  if (isSame && knownBytes === (now.sizeBytes ?? knownBytes)) return opened;
  opened.content.destroy();
  if (isSame) throw lengthDiffers(knownBytes ?? 0, now.sizeBytes ?? 0);
  throw failure('conflict', 'The object changed while it was being read.', {
    reason: 'precondition-failed',
    retry: 'backoff',
  });
}

/** Compares the ETags of two responses. If a proxy removed only one of them, both must name a time instead. */
function areSameEtags(before: OpenedObject['head'], now: OpenedObject['head']): boolean {
  const compared = compareEtags(before.etag, now.etag);
  if (compared !== 'unknown' || before.etag === now.etag) return compared !== 'different';
  return before.lastModified !== null && now.lastModified !== null;
}
