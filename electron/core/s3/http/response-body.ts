import { Readable } from 'node:stream';

/** Controls the connection from which a response body is read. */
export interface BodyControl {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** Receives a chunk of a body. If it returns a promise, the next chunk waits for it. */
export type TakeChunk = (chunk: Uint8Array) => void | Promise<void>;

/** The maximum number of bytes to buffer before they are read. Above it, the connection is paused. */
const waitingBytes = 128 * 1024;

/**
 * A response body that passes on each chunk as it arrives. A gigabyte has sixteen thousand chunks, and a Node stream would take
 * several times as long as handling their bytes.
 */
export class ResponseBody {
  readonly #control: BodyControl;
  readonly #ended = Promise.withResolvers<void>();
  #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #take: TakeChunk | null = null;
  #isBusy = false;
  #isPaused = false;
  /** The last event of the connection. */
  #state: 'open' | 'ended' | 'failed' = 'open';

  constructor(control: BodyControl) {
    this.#control = control;
    // A body that is never read, for example because only its headers matter, must not cause an unhandled rejection.
    this.#ended.promise.catch(() => undefined);
  }

  /** Receives a chunk from the socket. */
  push(chunk: Uint8Array): void {
    // undici's parser emits an empty chunk when it resumes without data. A receiver that pauses for it would never continue.
    if (this.#state !== 'open' || chunk.byteLength === 0) return;
    if (this.#take !== null && !this.#isBusy && this.#queue.length === 0) {
      this.#give(this.#take, chunk);
      return;
    }
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.byteLength;
    if (this.#queuedBytes >= waitingBytes) this.#pause();
  }

  /** Receives the end of the response. */
  end(): void {
    if (this.#state !== 'open') return;
    this.#state = 'ended';
    if (this.#take !== null && !this.#isBusy && this.#queue.length === 0) this.#ended.resolve();
  }

  /** Ends the body with an error of the connection or of the receiver. */
  fail(reason: unknown): void {
    if (this.#state === 'failed') return;
    this.#state = 'failed';
    this.#queue = [];
    this.#ended.reject(reason);
  }

  /**
   * Passes all chunks to `take` and resolves after the last one. May be called only once. If `take` throws, the transfer ends
   * with its error.
   */
  async drain(take: TakeChunk): Promise<void> {
    if (this.#take !== null) throw new Error('A body can be read only once.');
    this.#take = take;
    this.#goOn();
    await this.#ended.promise;
  }

  /** Aborts the response, which frees the socket. */
  destroy(): void {
    if (this.#state === 'open') this.#control.abort(new Error('The body is no longer needed.'));
    this.fail(new Error('The body is no longer needed.'));
  }

  #give(take: TakeChunk, chunk: Uint8Array): void {
    try {
      const wait = take(chunk);
      if (wait === undefined) return;
      this.#isBusy = true;
      this.#pause();
      void this.#wait(wait);
    } catch (thrown) {
      this.#refuse(thrown);
    }
  }

  async #wait(until: Promise<void>): Promise<void> {
    try {
      await until;
    } catch (thrown) {
      this.#refuse(thrown);
      return;
    }
    this.#isBusy = false;
    this.#goOn();
  }

  #refuse(thrown: unknown): void {
    const reason = thrown instanceof Error ? thrown : new Error(String(thrown));
    const wasOpen = this.#state === 'open';
    this.fail(thrown);
    if (wasOpen) this.#control.abort(reason);
  }

  #goOn(): void {
    while (this.#take !== null && !this.#isBusy) {
      const chunk = this.#queue.shift();
      if (chunk === undefined) break;
      this.#queuedBytes -= chunk.byteLength;
      this.#give(this.#take, chunk);
    }
    if (this.#isBusy || this.#queue.length > 0) return;
    if (this.#state === 'ended') this.#ended.resolve();
    else if (this.#isPaused && this.#state === 'open') {
      this.#isPaused = false;
      this.#control.resume();
    }
  }

  #pause(): void {
    if (this.#isPaused || this.#state !== 'open') return;
    this.#isPaused = true;
    this.#control.pause();
  }
}

/** Returns a Node stream of the body. `read` must pass each chunk to its argument. */
export function streamOf(read: (take: TakeChunk) => Promise<void>, destroy: () => void): Readable {
  let wake: (() => void) | null = null;
  const stream = new Readable({
    read: () => {
      const waiting = wake;
      wake = null;
      waiting?.();
    },
    destroy: (error, done) => {
      destroy();
      done(error);
    },
  });
  const take: TakeChunk = (chunk) => {
    if (stream.push(chunk)) return undefined;
    return new Promise((resolve) => {
      wake = resolve;
    });
  };
  read(take).then(
    () => stream.push(null),
    (thrown: unknown) => stream.destroy(thrown instanceof Error ? thrown : new Error(String(thrown))),
  );
  return stream;
}

/** Returns the memory of a chunk; null if it must not be freed, because undici shares one empty chunk between all connections. */
export function memoryOf({ buffer, byteLength }: Uint8Array): ArrayBuffer | null {
  return byteLength > 0 && buffer instanceof ArrayBuffer ? buffer : null;
}

/**
 * Frees the memory of received chunks once they have been copied. It is outside the heap and does not trigger garbage collection.
 * Listing a million keys reads 300 MB, of which 40 MB would always wait to be collected.
 */
export class UsedMemory {
  readonly #buffers = new Set<ArrayBuffer>();

  add(chunk: Uint8Array): void {
    const memory = memoryOf(chunk);
    if (memory !== null) this.#buffers.add(memory);
  }

  /** Frees the memory. The response must have ended, so that no parser reads it. */
  free(): void {
    for (const buffer of this.#buffers) {
      try {
        buffer.transfer(0);
      } catch {
        // Node's pool of small buffers cannot be detached, because other buffers use it too.
      }
    }
    this.#buffers.clear();
  }
}
