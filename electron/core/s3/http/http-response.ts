import type { Readable } from 'node:stream';
import { decodedXml, isCoded } from './decoded-body.ts';
import { responseFailure, networkFailure, protocolFailure } from '../model/s3-errors.ts';
import type { Effect, Subject } from '../model/service-codes.ts';
import { maxXmlBytes } from './timeouts.ts';
import type { RawResponse } from './transport.ts';
import type { Quote } from '../model/redact.ts';
import type { BodyReader } from '../model/request-types.ts';
import { readErrorResponse } from '../xml/error-response.ts';
import { UsedMemory, streamOf, type ResponseBody, type TakeChunk } from './response-body.ts';
import { expectRoot, parseXml, refuseForeign, type XmlElement } from '../xml/parse.ts';

/** A response of the service, of which only the headers were read. */
export class HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string | null;
  /** Shortens a text from this response and removes secrets, so that it can be used as data. */
  readonly quote: Quote;
  readonly #body: ResponseBody;
  readonly #effect: Effect;
  readonly #about: Subject;
  receivedBytes = 0;
  /** Called for each chunk of the body. */
  onPiece: (() => void) | null = null;
  /** Set while the body is read as a stream. Resolves at its end with the error, or with null. */
  streaming: Promise<Error | null> | null = null;

  constructor(
    response: RawResponse,
    about: { readonly effect: Effect; readonly subject: Subject; readonly quote: Quote },
  ) {
    this.quote = about.quote;
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

  /**
   * Reads the whole body. Throws if it is longer than `limitBytes`. Some responses send white space for minutes before the XML.
   */
  async bytes(limitBytes: number = maxXmlBytes): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    await this.#each(limitBytes, (chunk) => chunks.push(chunk));
    return decodedXml(Buffer.concat(chunks), this.header('content-encoding'), limitBytes);
  }

  async #each(limitBytes: number, take: (chunk: Uint8Array) => void): Promise<void> {
    await this.#body.drain((chunk) => {
      this.receivedBytes += chunk.byteLength;
      this.onPiece?.();
      if (this.receivedBytes > limitBytes) {
        throw protocolFailure('too-big', `The response is larger than ${limitBytes} bytes and was not read.`);
      }
      take(chunk);
    });
  }

  /**
   * Reads the XML of a successful response. Throws if it is an <Error>, which services also send with status 200
   * (duckdb-httpfs#393).
   */
  async xml(rootName: string): Promise<XmlElement> {
    return this.#rootOf(await this.bytes(), rootName);
  }

  /** Reads XML like `xml`. Returns null for an empty body, which some services send if nothing exists. Throws like `xml`. */
  async xmlOrNothing(rootName: string): Promise<XmlElement | null> {
    const bytes = await this.bytes();
    return bytes.byteLength === 0 ? null : this.#rootOf(bytes, rootName);
  }

  #rootOf(bytes: Uint8Array, rootName: string): XmlElement {
    const root = parseXml(bytes);
    this.#throwIfError(root);
    return expectRoot(root, rootName, bytes);
  }

  /** Reads a body in any format, such as a policy in JSON. Throws if it is an <Error> or a web page. */
  async text(): Promise<string> {
    const bytes = await this.bytes();
    const text = Buffer.from(bytes).toString('utf8');
    if (/^\s*<(?:!doctype|html)/i.test(text)) refuseForeign(text);
    if (/^\s*<(?:\?xml|Error)/i.test(text)) this.#throwIfError(parseXml(bytes));
    return text;
  }

  /** Parses XML by passing its chunks to `reader`. Throws the same protocol failures as `xml` if the body is another document. */
  async readBy<T>(rootName: string, reader: BodyReader<T>): Promise<T> {
    const used = new UsedMemory();
    try {
      const coding = this.header('content-encoding');
      let coded: Uint8Array[] | null = null;
      await this.#each(maxXmlBytes, (chunk) => {
        const isFirst = this.receivedBytes === chunk.byteLength;
        if (isFirst && isCoded(coding, chunk)) coded = [];
        if (coded !== null) coded.push(Buffer.from(chunk));
        else reader.write(chunk);
        used.add(chunk);
      });
      used.free();
      if (coded !== null) reader.write(decodedXml(Buffer.concat(coded), coding, maxXmlBytes));
      const value = await reader.end();
      if (value !== null) return value;
      this.#rootOf(reader.bytes(), rootName);
    } finally {
      reader.release();
    }
    throw protocolFailure('unexpected-answer', 'The two readers of the XML returned different results.');
  }

  /** Reads a body whose content does not matter. Throws if it is an <Error> or a web page. */
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
    const error = readErrorResponse(root);
    if (error === null) return;
    throw responseFailure({
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

  /** Returns the content of an object. Reading it fails with an AppFailure unless exactly `expectedBytes` arrive. */
  content(expectedBytes: number | null, isAborted: () => boolean): ObjectContent {
    const body = this.#body;
    const failed = (thrown: unknown) =>
      networkFailure({ thrown, effect: 'read', mayHaveArrived: true, aborted: isAborted() });
    const ended = Promise.withResolvers<Error | null>();
    this.streaming = ended.promise;
    const read = async (take: TakeChunk): Promise<void> => {
      // An error thrown by the receiver is not a network error, so it is rethrown unchanged.
      let isRefused = false;
      const refuse = (thrown: unknown): never => {
        isRefused = true;
        throw thrown;
      };
      try {
        await body.drain((chunk) => {
          this.receivedBytes += chunk.byteLength;
          try {
            return take(chunk)?.catch(refuse);
          } catch (thrown) {
            return refuse(thrown);
          }
        });
        if (expectedBytes !== null && this.receivedBytes !== expectedBytes) {
          const cut = new Error(`${this.receivedBytes} of ${expectedBytes} bytes arrived`);
          throw Object.assign(cut, { code: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' });
        }
        ended.resolve(null);
      } catch (thrown) {
        const error = isRefused ? thrown : failed(thrown);
        ended.resolve(error instanceof Error ? error : new Error(String(error)));
        throw error;
      }
    };
    return new ObjectContent(read, () => {
      body.destroy();
      ended.resolve(null);
    });
  }

  /** Discards the body, which frees the socket. */
  discard(): void {
    this.#body.destroy();
  }
}

/** The content of an object, to be read either in chunks or as a stream. */
export class ObjectContent {
  /** Passes each chunk to the receiver. */
  readonly read: (take: TakeChunk) => Promise<void>;
  readonly #destroy: () => void;
  #stream: Readable | null = null;

  constructor(read: (take: TakeChunk) => Promise<void>, destroy: () => void) {
    this.read = read;
    this.#destroy = destroy;
  }

  /** Stops reading, which frees the socket. */
  destroy(): void {
    this.#destroy();
  }

  get body(): Readable {
    this.#stream ??= streamOf(this.read, this.#destroy);
    return this.#stream;
  }
}

function requestIdOf(headers: Readonly<Record<string, string>>): string | null {
  return (
    headers['x-amz-request-id'] ?? headers['x-amzn-requestid'] ?? headers['x-guploader-uploadid'] ?? null
  );
}
