import { Transform, type Readable } from 'node:stream';
import { answerFailure, networkFailure, protocolFailure, type Effect, type Subject } from './errors.ts';
import { maxXmlBytes } from './timeouts.ts';
import type { RawResponse } from './transport.ts';
import type { BodyReader } from './types.ts';
import { readErrorAnswer } from './xml/error-answer.ts';
import { expectRoot, parseXml, refuseForeign, type XmlElement } from './xml/parse.ts';

/** An answer of the service, with its body still to be read. */
export class Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string | null;
  readonly #body: Readable;
  readonly #effect: Effect;
  readonly #about: Subject;
  receivedBytes = 0;
  /** Set while the body is handed on as a stream: settled when that has ended. */
  streaming: Promise<Error | null> | null = null;

  constructor(response: RawResponse, about: { readonly effect: Effect; readonly subject: Subject }) {
    this.status = response.status;
    this.headers = response.headers;
    this.requestId = requestIdOf(response.headers);
    this.#body = response.body;
    this.#effect = about.effect;
    this.#about = about.subject;
  }

  header(name: string): string | null {
    return this.headers[name] ?? null;
  }

  /** The whole body; more than `limitBytes` is an error. White space before the XML may take minutes to come. */
  async bytes(limitBytes: number = maxXmlBytes): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    await this.#each(limitBytes, (chunk) => chunks.push(chunk));
    return Buffer.concat(chunks);
  }

  async #each(limitBytes: number, take: (chunk: Uint8Array) => void): Promise<void> {
    for await (const chunk of this.#body as AsyncIterable<Uint8Array>) {
      this.receivedBytes += chunk.byteLength;
      if (this.receivedBytes > limitBytes) {
        this.#body.destroy();
        throw protocolFailure('too-big', `The answer is larger than ${limitBytes} bytes and was not read.`, {
          retry: 'after-fix',
        });
      }
      take(chunk);
    }
  }

  /** The XML of a success. A 200 with an <Error> inside is that error (duckdb-httpfs#393). */
  async xml(rootName: string): Promise<XmlElement> {
    const bytes = await this.bytes();
    const root = parseXml(bytes);
    this.#throwIfError(root);
    return expectRoot(root, rootName, bytes);
  }

  /** A body that may be XML or something else (a policy is JSON). An <Error> or a web page in it is still an error. */
  async text(): Promise<string> {
    const bytes = await this.bytes();
    const text = Buffer.from(bytes).toString('utf8');
    if (/^\s*<(?:!doctype|html)/i.test(text)) refuseForeign(text);
    if (/^\s*<(?:\?xml|Error)/i.test(text)) this.#throwIfError(parseXml(bytes));
    return text;
  }

  /** As `xml`, with the body read by somebody else: what is no such document is told here, as `xml` would. */
  async readBy<T>(rootName: string, reader: BodyReader<T>): Promise<T> {
    try {
      await this.#each(maxXmlBytes, (chunk) => reader.write(chunk));
      const value = await reader.end();
      if (value !== null) return value;
      const bytes = reader.bytes();
      const root = parseXml(bytes);
      this.#throwIfError(root);
      expectRoot(root, rootName, bytes);
    } finally {
      reader.release();
    }
    throw protocolFailure('unexpected-answer', 'The answer was read in two ways, and they do not agree.', {
      retry: 'after-fix',
    });
  }

  /** For an operation whose success has no body worth reading: an <Error> or a web page in it is still an error. */
  async done(): Promise<void> {
    const bytes = await this.bytes();
    const start = Buffer.from(bytes.subarray(0, 64 * 1024))
      .toString('latin1')
      .trimStart();
    if (!/^<(?:\?xml|!doctype|html|Error)/i.test(start)) return;
    this.#throwIfError(parseXml(bytes));
    refuseForeign(start);
  }

  #throwIfError(root: XmlElement): void {
    const error = readErrorAnswer(root);
    if (error === null) return;
    throw answerFailure({
      status: this.status,
      code: error.code,
      message: error.message,
      requestId: error.requestId ?? this.requestId,
      retryAfterMs: null,
      effect: this.#effect,
      about: this.#about,
      anonymous: false,
      foreignText: null,
    });
  }

  /** The body as a stream that fails, as an AppFailure, unless exactly `expectedBytes` come. */
  stream(expectedBytes: number | null, isAborted: () => boolean): Readable {
    const source = this.#body;
    const failed = (thrown: unknown) =>
      networkFailure({ thrown, effect: 'read', mayHaveArrived: true, aborted: isAborted() });
    const counted = new Transform({
      transform: (chunk: Uint8Array, _encoding, done) => {
        this.receivedBytes += chunk.byteLength;
        done(null, chunk);
      },
      flush: (done) => {
        const complete = expectedBytes === null || this.receivedBytes === expectedBytes;
        const cut = new Error(`${this.receivedBytes} of ${expectedBytes} bytes came`);
        done(complete ? null : failed(Object.assign(cut, { code: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' })));
      },
    });
    const ended = Promise.withResolvers<Error | null>();
    this.streaming = ended.promise;
    let failure: Error | null = null;
    counted.once('error', (error) => (failure = error));
    counted.once('close', () => {
      source.destroy();
      ended.resolve(failure);
    });
    source.once('error', (error) => counted.destroy(failed(error)));
    source.once('close', () => {
      if (!source.readableEnded)
        counted.destroy(failed(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    });
    source.pipe(counted);
    return counted;
  }

  /** Frees the socket. */
  discard(): void {
    this.#body.on('error', () => undefined);
    this.#body.destroy();
  }
}

export function requestIdOf(headers: Readonly<Record<string, string>>): string | null {
  return (
    headers['x-amz-request-id'] ?? headers['x-amzn-requestid'] ?? headers['x-guploader-uploadid'] ?? null
  );
}
