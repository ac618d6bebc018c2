import { createHash } from 'node:crypto';
import { serviceError } from '../service-errors.ts';
import { type ChunkSigning, hmac, isEqual, scopeText } from './canonical.ts';

const emptyHash = createHash('sha256').digest('hex');
const longestLine = 8192;
const longestTrailers = 64 * 1024;

/**
 * Decodes an aws-chunked body and verifies chunk signatures, if there are any. Buffers only lines. Throws `IncompleteBody` for a
 * malformed body and `SignatureDoesNotMatch` for a chunk with a wrong signature.
 */
export async function* decodeChunked(
  source: AsyncIterable<Buffer>,
  signing: ChunkSigning | null,
  onTrailer: (name: string, value: string) => void,
): AsyncGenerator<Buffer, void, void> {
  const reader = new ByteReader(source);
  let previous = signing?.seed ?? '';
  for (;;) {
    const head = await reader.line();
    const match = /^([0-9a-fA-F]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(head ?? '');
    if (match === null) throw serviceError('IncompleteBody', { message: 'The chunked body is malformed.' });
    const size = Number.parseInt(match[1] ?? '0', 16);
    const hash = createHash('sha256');
    let left = size;
    while (left > 0) {
      const bytes = await reader.some(left);
      left -= bytes.byteLength;
      if (signing !== null) hash.update(bytes);
      yield bytes;
    }
    if (signing !== null) {
      const text = `AWS4-HMAC-SHA256-PAYLOAD\n${signing.timestamp}\n${scopeText(signing.scope)}\n${previous}\n${emptyHash}\n`;
      const expected = hmac(signing.key, text + hash.digest('hex')).toString('hex');
      if (!isEqual(expected, match[2] ?? '')) throw serviceError('SignatureDoesNotMatch');
      previous = expected;
    }
    if (size === 0) break;
    if ((await reader.line()) !== '') {
      throw serviceError('IncompleteBody', { message: 'The chunked body is malformed.' });
    }
  }
  await readTrailers(reader, signing, previous, onTrailer);
}

async function readTrailers(
  reader: ByteReader,
  signing: ChunkSigning | null,
  previous: string,
  onTrailer: (name: string, value: string) => void,
): Promise<void> {
  let canonical = '';
  let signature: string | null = null;
  for (;;) {
    const line = await reader.line();
    if (line === null) break;
    if (line === '') continue;
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (name === 'x-amz-trailer-signature') {
      signature = value;
      continue;
    }
    canonical += `${name}:${value}\n`;
    if (canonical.length > longestTrailers) {
      throw serviceError('IncompleteBody', { message: 'The chunked body is malformed.' });
    }
    onTrailer(name, value);
  }
  if (signing === null || canonical === '') return;
  const hash = createHash('sha256').update(canonical).digest('hex');
  const text = `AWS4-HMAC-SHA256-TRAILER\n${signing.timestamp}\n${scopeText(signing.scope)}\n${previous}\n${hash}`;
  if (!isEqual(hmac(signing.key, text).toString('hex'), signature ?? '')) {
    throw serviceError('SignatureDoesNotMatch');
  }
}

/** Reads lines and sequences of bytes from a stream. */
class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Reads a line without its CRLF; null at the end of the stream. */
  async line(): Promise<string | null> {
    for (;;) {
      const end = this.#buffer.indexOf('\r\n');
      if (end >= 0) {
        const line = this.#buffer.toString('latin1', 0, end);
        this.#buffer = this.#buffer.subarray(end + 2);
        return line;
      }
      if (this.#buffer.byteLength > longestLine) {
        throw serviceError('IncompleteBody', { message: 'The chunked body is malformed.' });
      }
      const next = await this.#source.next();
      if (next.done === true) {
        if (this.#buffer.byteLength === 0) return null;
        const line = this.#buffer.toString('latin1');
        this.#buffer = Buffer.alloc(0);
        return line;
      }
      this.#buffer = this.#buffer.byteLength === 0 ? next.value : Buffer.concat([this.#buffer, next.value]);
    }
  }

  /** Reads at least one byte and at most `limit`. */
  async some(limit: number): Promise<Buffer> {
    if (this.#buffer.byteLength === 0) {
      const next = await this.#source.next();
      if (next.done === true) throw serviceError('IncompleteBody');
      this.#buffer = next.value;
      if (this.#buffer.byteLength === 0) return this.some(limit);
    }
    const bytes = this.#buffer.subarray(0, limit);
    this.#buffer = this.#buffer.subarray(bytes.byteLength);
    return bytes;
  }
}
