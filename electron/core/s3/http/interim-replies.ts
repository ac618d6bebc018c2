import type { Socket } from 'node:net';

/*
 * undici destroys the socket for a `100 Continue` that it did not request. A client must accept any interim response (RFC 9110,
 * 15.2), and some gateways send one before every reply. undici accepts `103 Early Hints`, so a 100 is passed to its parser as a
 * 103. Remove this once undici skips a 100 itself (client-h1.js, onHeadersComplete).
 */

const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const zero = 0x30;
/** The length of `HTTP/1.1 `, after which the status starts. */
const statusAt = 9;

/** Changes each unrequested `100 Continue` that a socket receives into a `103`. Returns the same socket. */
export function tolerateContinue<S extends Socket>(socket: S): S {
  const replies = new InterimReplies();
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...parameters: unknown[]) => boolean;
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (chunk instanceof Uint8Array) replies.received(chunk);
    return chunk;
  };
  socket.write = (...parameters: unknown[]): boolean => {
    const [chunk] = parameters;
    // undici writes the head of a request as text and its body as bytes.
    if (typeof chunk === 'string' && chunk.includes(' HTTP/1.1\r\n')) replies.requested();
    return write(...parameters);
  };
  return socket;
}

/** Finds the status lines of responses in the bytes that a socket receives, in chunks of any size. */
class InterimReplies {
  #expects: 'status' | 'end-of-head' | 'nothing' = 'nothing';
  #at = 0;
  #status = 0;
  #lineLength = 0;

  /** Called when a request has been sent: the next bytes are the head of its response. */
  requested(): void {
    this.#expectStatus();
  }

  /** Changes the status 100 in the chunk into 103. */
  received(chunk: Uint8Array): void {
    for (let index = 0; index < chunk.length && this.#expects !== 'nothing'; index += 1) {
      const byte = chunk[index] ?? 0;
      if (this.#expects === 'end-of-head') this.#inHead(byte);
      else if (this.#inStatus(byte)) chunk[index] = zero + 3;
    }
  }

  #expectStatus(): void {
    this.#expects = 'status';
    this.#at = 0;
    this.#status = 0;
  }

  /** Returns true for the last digit of a status 100. */
  #inStatus(byte: number): boolean {
    // Empty lines before a status line are skipped (RFC 9112, 2.2).
    if (this.#at === 0 && (byte === carriageReturn || byte === lineFeed)) return false;
    this.#at += 1;
    if (this.#at <= statusAt) return false;
    this.#status = this.#status * 10 + (byte - zero);
    if (this.#at < statusAt + 3) return false;
    this.#expects = this.#status >= 100 && this.#status < 200 ? 'end-of-head' : 'nothing';
    this.#lineLength = 1;
    return this.#status === 100;
  }

  #inHead(byte: number): void {
    if (byte === carriageReturn) return;
    if (byte !== lineFeed) this.#lineLength += 1;
    else if (this.#lineLength === 0) this.#expectStatus();
    else this.#lineLength = 0;
  }
}
