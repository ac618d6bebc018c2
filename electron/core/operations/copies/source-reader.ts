import { toAppError } from '../../../../shared/errors.ts';
import { getExactly } from '../../s3/conditions/conditional.ts';
import { lengthDiffers } from '../../s3/model/object-proof.ts';
import { hasLearned, learn } from '../../s3/conditions/learned.ts';
import type { ByteRange, GetObjectOutput, ObjectHead } from '../../s3/model/object-types.ts';
import type { CopyItem } from '../../transfers/items/transfer-item.ts';
import { sourceRef, type CopyContext } from './copy-context.ts';

interface Whole {
  readonly body: GetObjectOutput['body'];
  readonly chunks: AsyncIterator<Uint8Array>;
  /** The offset in the object at which `rest` starts, or the next chunk if `rest` is empty. */
  position: number;
  rest: Uint8Array;
}

const noBytes = new Uint8Array();

/**
 * Reads ranges of a copy's source. If the service ignores `Range`, one GET of the whole object provides consecutive ranges; an
 * earlier range needs another GET.
 */
export class SourceReader {
  readonly #context: CopyContext;
  readonly #item: CopyItem;
  readonly #source: ObjectHead;
  #whole: Whole | null = null;
  #lastTurn: Promise<void> = Promise.resolve();

  constructor(context: CopyContext, item: CopyItem, source: ObjectHead) {
    this.#context = context;
    this.#item = item;
    this.#source = source;
  }

  /**
   * Yields the content of a range. The caller must check the number of bytes. Throws `precondition-failed` if the object changed.
   */
  async *read(range: ByteRange): AsyncGenerator<Uint8Array, void, void> {
    const { client, job } = this.#context;
    if (!hasLearned(client, job.bucket, 'ignores-ranges')) {
      const body = await this.#open(range);
      if (body !== null) {
        for await (const chunk of body) yield chunk as Uint8Array;
        return;
      }
      learn(client, job.bucket, 'ignores-ranges');
    }
    const before = this.#lastTurn;
    const turn = Promise.withResolvers<void>();
    this.#lastTurn = turn.promise;
    try {
      await before;
      yield* this.#readFromWhole(range);
    } finally {
      turn.resolve();
    }
  }

  /** Closes the response if it is still open. */
  close(): void {
    this.#whole?.body.destroy();
    this.#whole = null;
  }

  /** Sends a GET request and returns its body; null if the service ignored the range. */
  async #open(range: ByteRange | null): Promise<GetObjectOutput['body'] | null> {
    const { client, signal } = this.#context;
    const ref = sourceRef(this.#context, this.#item);
    const { sizeBytes } = this.#source;
    try {
      const request = range === null ? { ...ref, sizeBytes } : { ...ref, range };
      return (await getExactly(client, request, this.#source, { signal })).body;
    } catch (thrown) {
      if (range === null || toAppError(thrown).reason !== 'range-ignored') throw thrown;
      return null;
    }
  }

  async *#readFromWhole({ firstByte, lastByte }: ByteRange): AsyncGenerator<Uint8Array, void, void> {
    const known = this.#whole;
    // Cleared first. If the caller stops early, the body cannot be read further.
    this.#whole = null;
    if (known !== null && known.position > firstByte) known.body.destroy();
    const whole = known !== null && known.position <= firstByte ? known : await this.#begin();
    let isWhole = false;
    try {
      while (whole.position <= lastByte) {
        const chunk = whole.rest.byteLength > 0 ? whole.rest : await next(whole, this.#source.sizeBytes);
        const from = Math.min(chunk.byteLength, Math.max(0, firstByte - whole.position));
        const to = Math.min(chunk.byteLength, lastByte + 1 - whole.position);
        whole.rest = chunk.subarray(to);
        whole.position += to;
        if (from > 0) await this.#context.limiter.take(from, this.#context.signal);
        if (to > from) yield chunk.subarray(from, to);
      }
      isWhole = true;
    } finally {
      if (isWhole) this.#whole = whole;
      else whole.body.destroy();
    }
  }

  async #begin(): Promise<Whole> {
    const body = await this.#open(null);
    // Cannot happen, because a request without a range always returns a body.
    if (body === null) throw lengthDiffers(this.#source.sizeBytes, 0);
    return { body, chunks: body[Symbol.asyncIterator](), position: 0, rest: noBytes };
  }
}

async function next(whole: Whole, sizeBytes: number): Promise<Uint8Array> {
  const { value, done } = await whole.chunks.next();
  if (done === true) throw lengthDiffers(sizeBytes, whole.position);
  return value;
}
