import { once } from 'node:events';
import net from 'node:net';
import { onTestFinished } from 'vitest';

export interface RawReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** How a body is framed: with a Content-Length, or with chunked transfer encoding. */
export type Framing = 'length' | 'chunked';

/** One TCP connection that sends requests byte for byte and reads a response only once its request is sent. */
export class RawConnection {
  readonly #socket: net.Socket;
  #received = Buffer.alloc(0);
  #isClosed = false;
  #onChange: () => void = () => undefined;

  constructor(port: number) {
    this.#socket = net.createConnection(port, '127.0.0.1');
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.#isClosed = true;
      this.#onChange();
    });
    onTestFinished(() => void this.#socket.destroy());
  }

  /** Sends a complete request and returns its response. Rejects if the connection closes before the response is complete. */
  async ask(
    method: string,
    target: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer = Buffer.alloc(0),
    framing: Framing = 'length',
  ): Promise<RawReply> {
    const length =
      framing === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${body.byteLength}`;
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    await this.send(`${method} ${target} HTTP/1.1\r\n${fields.join('')}${length}\r\n\r\n`);
    if (framing === 'length') await this.send(body);
    else await this.send(inChunks(body));
    return this.reply();
  }

  send(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => {
      // A failed write shows as a missing response.
      this.#socket.write(bytes, () => resolve());
    });
  }

  /** Returns the next response. */
  async reply(): Promise<RawReply> {
    if (this.#socket.listenerCount('data') === 0) {
      this.#socket.on('data', (bytes: Buffer) => {
        this.#received = Buffer.concat([this.#received, bytes]);
        this.#onChange();
      });
    }
    for (;;) {
      const reply = this.#take();
      if (reply !== null) return reply;
      if (this.#isClosed) throw new Error(`The connection ended after ${this.#received.byteLength} bytes.`);
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
    }
  }

  /** Resolves once the other side has ended the connection. */
  async closed(): Promise<void> {
    this.#socket.resume();
    if (!this.#isClosed) await once(this.#socket, 'close');
  }

  #take(): RawReply | null {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return null;
    const [first = '', ...lines] = this.#received.toString('latin1', 0, end).split('\r\n');
    const headers = new Map(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const bodyEnd = end + 4 + Number(headers.get('content-length') ?? 0);
    if (this.#received.byteLength < bodyEnd) return null;
    const text = this.#received.toString('utf8', end + 4, bodyEnd);
    this.#received = this.#received.subarray(bodyEnd);
    return { status: Number(first.split(' ')[1]), headers, text };
  }
}

function inChunks(body: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.byteLength; at += 64 * 1024) {
    const piece = body.subarray(at, at + 64 * 1024);
    pieces.push(Buffer.from(`${piece.byteLength.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]);
}
