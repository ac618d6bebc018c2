import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { decodeChunked } from './auth/chunked.ts';
import type { Payload } from './auth/canonical.ts';
import {
  checksumSizes,
  parseChecksumAlgorithm,
  runningChecksum,
  type ChecksumAlgorithm,
  type Checksums,
  type RunningChecksum,
} from './checksum-algorithms.ts';
import { serviceError } from './service-errors.ts';
import { inlineContent, type Blobs, type BlobWriter } from './store/blobs.ts';
import { inlineBytes, type NewContent } from './store/model.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const largestDocumentBytes = 8 * 1024 * 1024;
const largestObjectBytes = 5 * 1024 ** 4;

export interface Received {
  readonly content: NewContent;
  readonly sizeBytes: number;
  readonly md5: Buffer;
  readonly checksums: Checksums;
}

/** The body of a request, which is decoded and verified against the lengths and checksums in the request. */
export class RequestBody {
  readonly #request: IncomingMessage;
  readonly #headers: ReadonlyMap<string, string>;
  readonly #payload: Payload;
  readonly #onFirstRead: () => void;
  readonly #trailers = new Map<string, string>();

  constructor(
    request: IncomingMessage,
    headers: ReadonlyMap<string, string>,
    payload: Payload,
    onFirstRead: () => void,
  ) {
    this.#request = request;
    this.#headers = headers;
    this.#payload = payload;
    this.#onFirstRead = onFirstRead;
  }

  /**
   * Returns a short body as text. With `of-object`, the checksum headers describe the object, not the body
   * (CompleteMultipartUpload). Throws MalformedXML if the bytes are not UTF-8, because a replacement character would change an
   * object key.
   */
  async text(checksums: 'of-body' | 'of-object' = 'of-body'): Promise<string> {
    const md5 = this.#statedMd5();
    const hash = createHash('md5');
    const checks =
      checksums === 'of-body' ? this.#checks(null) : new Map<ChecksumAlgorithm, RunningChecksum>();
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of this.#stream()) {
      size += chunk.byteLength;
      if (size > largestDocumentBytes) throw serviceError('MaxMessageLengthExceeded');
      hash.update(chunk);
      for (const check of checks.values()) check.update(chunk);
      chunks.push(chunk);
    }
    if (md5 !== null && !md5.equals(hash.digest())) throw serviceError('BadDigest');
    this.#compare(checks);
    try {
      return utf8.decode(Buffer.concat(chunks, size));
    } catch {
      throw serviceError('MalformedXML', { message: 'The XML you provided is not UTF-8.' });
    }
  }

  /**
   * Stores the body in memory or in a file of the store. Always computes the checksum `algorithm`, even if the request has none.
   * Throws `EntityTooLarge` above the limit, and `BadDigest` if the body does not match a digest in the request.
   */
  async receive(blobs: Blobs, algorithm: ChecksumAlgorithm | null): Promise<Received> {
    const stated = this.#statedMd5();
    const checks = this.#checks(algorithm);
    const md5 = createHash('md5');
    const bufferedChunks: Buffer[] = [];
    let writer: BlobWriter | null = null;
    let sizeBytes = 0;
    try {
      for await (const chunk of this.#stream()) {
        sizeBytes += chunk.byteLength;
        if (sizeBytes > largestObjectBytes) throw serviceError('EntityTooLarge');
        md5.update(chunk);
        for (const check of checks.values()) check.update(chunk);
        if (writer !== null) {
          await writer.write(chunk);
          continue;
        }
        bufferedChunks.push(chunk);
        if (sizeBytes > inlineBytes) {
          writer = await blobs.create();
          await writer.write(Buffer.concat(bufferedChunks));
          bufferedChunks.length = 0;
        }
      }
      const digest = md5.digest();
      if (stated !== null && !stated.equals(digest)) throw serviceError('BadDigest');
      const checksums = this.#compare(checks);
      if (writer !== null) await writer.finish();
      const content: NewContent =
        writer === null
          ? inlineContent(Buffer.concat(bufferedChunks))
          : { kind: 'file', file: writer.file, sizeBytes };
      return { content, sizeBytes, md5: digest, checksums };
    } catch (error) {
      await writer?.discard().catch(() => undefined);
      throw error;
    }
  }

  async *#stream(): AsyncGenerator<Buffer, void, void> {
    const announcedTrailers = this.#promisedTrailers();
    this.#onFirstRead();
    // Keeps the request open after an error, because the rest of the body is drained after the response.
    const raw = this.#request.iterator({ destroyOnReturn: false }) as AsyncGenerator<Buffer, void, void>;
    try {
      yield* this.#decoded(raw, announcedTrailers);
    } finally {
      await raw.return();
    }
  }

  async *#decoded(
    raw: AsyncIterable<Buffer>,
    announcedTrailers: Set<string>,
  ): AsyncGenerator<Buffer, void, void> {
    const payload = this.#payload;
    switch (payload.kind) {
      case 'unsigned':
        yield* raw;
        return;
      case 'sha256': {
        const hash = createHash('sha256');
        for await (const chunk of raw) {
          hash.update(chunk);
          yield chunk;
        }
        const computed = hash.digest('hex');
        if (computed !== payload.hex) {
          throw serviceError('XAmzContentSHA256Mismatch', {
            elements: { ClientComputedContentSHA256: payload.hex, S3ComputedContentSHA256: computed },
          });
        }
        return;
      }
      case 'chunked': {
        const statedLength = this.#headers.get('x-amz-decoded-content-length');
        if (statedLength === undefined || !/^[0-9]{1,15}$/.test(statedLength)) {
          throw serviceError('MissingContentLength', {
            message: 'You must provide the x-amz-decoded-content-length HTTP header.',
          });
        }
        let size = 0;
        for await (const chunk of decodeChunked(raw, payload.signing, (name, value) => {
          if (!announcedTrailers.delete(name)) throw serviceError('MalformedTrailerError');
          this.#trailers.set(name, value);
        })) {
          size += chunk.byteLength;
          yield chunk;
        }
        if (size !== Number(statedLength)) throw serviceError('IncompleteBody');
        if (announcedTrailers.size > 0) throw serviceError('MalformedTrailerError');
        return;
      }
    }
  }

  /**
   * Returns the trailers that the headers announce. Throws InvalidRequest if one is not a checksum, or if the body's format does
   * not match the announcement.
   */
  #promisedTrailers(): Set<string> {
    const names = this.#trailerNames();
    const hasTrailer = this.#payload.kind === 'chunked' && this.#payload.hasTrailer;
    if (hasTrailer !== names.size > 0 || [...names].some((name) => checksumOfHeader(name) === null)) {
      throw serviceError('InvalidRequest', {
        message: 'The value specified in the x-amz-trailer header is not supported',
      });
    }
    return names;
  }

  #trailerNames(): Set<string> {
    const names = (this.#headers.get('x-amz-trailer') ?? '')
      .split(',')
      .map((name) => name.trim().toLowerCase());
    return new Set(names.filter((name) => name !== ''));
  }

  #statedMd5(): Buffer | null {
    const stated = this.#headers.get('content-md5');
    if (stated === undefined) return null;
    const bytes = Buffer.from(stated, 'base64');
    if (bytes.byteLength !== 16 || bytes.toString('base64') !== stated.trim())
      throw serviceError('InvalidDigest');
    return bytes;
  }

  /** Returns the checksums to compute: those in headers, those announced as trailers, and `extraAlgorithm`. */
  #checks(extraAlgorithm: ChecksumAlgorithm | null): Map<ChecksumAlgorithm, RunningChecksum> {
    const names = new Set(extraAlgorithm === null ? [] : [extraAlgorithm]);
    for (const name of [...this.#headers.keys(), ...this.#trailerNames()]) {
      const algorithm = checksumOfHeader(name);
      if (algorithm !== null) names.add(algorithm);
    }
    return new Map([...names].map((name) => [name, runningChecksum(name)]));
  }

  #compare(checks: ReadonlyMap<ChecksumAlgorithm, RunningChecksum>): Checksums {
    const checksums: Partial<Record<ChecksumAlgorithm, string>> = {};
    for (const [algorithm, check] of checks) {
      const computed = check.digest().toString('base64');
      const name = `x-amz-checksum-${algorithm}`;
      const stated = this.#headers.get(name) ?? this.#trailers.get(name);
      if (stated !== undefined && stated !== computed) {
        const isWellFormed = Buffer.from(stated, 'base64').byteLength === checksumSizes[algorithm];
        if (!isWellFormed) {
          throw serviceError('InvalidRequest', { message: `Value for ${name} header is invalid.` });
        }
        throw serviceError('BadDigest', {
          message: `The ${algorithm.toUpperCase()} you specified did not match the calculated checksum.`,
        });
      }
      checksums[algorithm] = computed;
    }
    return checksums;
  }
}

/** Returns the algorithm of an `x-amz-checksum-…` header or trailer; null for other names. */
function checksumOfHeader(name: string): ChecksumAlgorithm | null {
  return name.startsWith('x-amz-checksum-')
    ? parseChecksumAlgorithm(name.slice('x-amz-checksum-'.length))
    : null;
}
