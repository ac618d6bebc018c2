import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { decodeChunked } from './auth/chunked.ts';
import type { Payload } from './auth/verify.ts';
import {
  checksumSizes,
  parseChecksumAlgorithm,
  runningChecksum,
  type ChecksumAlgorithm,
  type Checksums,
  type RunningChecksum,
} from './checksum-algorithms.ts';
import { serviceError } from './service-errors.ts';
import type { Blobs, BlobWriter } from './store/blobs.ts';
import { inlineBytes, type NewContent } from './store/model.ts';

const largestDocumentBytes = 8 * 1024 * 1024;
const largestObjectBytes = 5 * 1024 ** 4;

export interface Received {
  readonly content: NewContent;
  readonly sizeBytes: number;
  readonly md5: Buffer;
  readonly checksums: Checksums;
}

/** The body of a request: decoded, and checked against all that the request says of it. */
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

  /** A short body as text. In a Complete the checksum headers speak of the object to be. */
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
    return Buffer.concat(chunks, size).toString('utf8');
  }

  /** Takes the body into the store's folder; `algorithm` is computed whether or not the request states it. */
  async receive(blobs: Blobs, algorithm: ChecksumAlgorithm | null): Promise<Received> {
    const stated = this.#statedMd5();
    const checks = this.#checks(algorithm);
    const md5 = createHash('md5');
    const held: Buffer[] = [];
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
        held.push(chunk);
        if (sizeBytes > inlineBytes) {
          writer = await blobs.create();
          await writer.write(Buffer.concat(held));
          held.length = 0;
        }
      }
      const digest = md5.digest();
      if (stated !== null && !stated.equals(digest)) throw serviceError('BadDigest');
      const checksums = this.#compare(checks);
      if (writer !== null) await writer.finish();
      const content = newContent(writer, held, sizeBytes);
      return { content, sizeBytes, md5: digest, checksums };
    } catch (error) {
      await writer?.discard().catch(() => undefined);
      throw error;
    }
  }

  async *#stream(): AsyncGenerator<Buffer, void, void> {
    this.#onFirstRead();
    const raw = this.#request as AsyncIterable<Buffer>;
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
        const promised = this.#headers.get('x-amz-decoded-content-length');
        if (promised === undefined || !/^[0-9]{1,15}$/.test(promised)) {
          throw serviceError('MissingContentLength', {
            message: 'You must provide the x-amz-decoded-content-length HTTP header.',
          });
        }
        let size = 0;
        for await (const chunk of decodeChunked(raw, payload.signing, (name, value) => {
          this.#trailers.set(name, value);
        })) {
          size += chunk.byteLength;
          yield chunk;
        }
        if (size !== Number(promised)) throw serviceError('IncompleteBody');
        return;
      }
    }
  }

  #statedMd5(): Buffer | null {
    const stated = this.#headers.get('content-md5');
    if (stated === undefined) return null;
    const bytes = Buffer.from(stated, 'base64');
    if (bytes.byteLength !== 16 || bytes.toString('base64') !== stated.trim())
      throw serviceError('InvalidDigest');
    return bytes;
  }

  /** The checksums to compute: those in headers, those promised as trailers, and the one that is wanted anyway. */
  #checks(wanted: ChecksumAlgorithm | null): Map<ChecksumAlgorithm, RunningChecksum> {
    const names = new Set(wanted === null ? [] : [wanted]);
    const trailers = (this.#headers.get('x-amz-trailer') ?? '')
      .split(',')
      .map((name) => name.trim().toLowerCase());
    for (const name of [...this.#headers.keys(), ...trailers]) {
      const algorithm = name.startsWith('x-amz-checksum-')
        ? parseChecksumAlgorithm(name.slice('x-amz-checksum-'.length))
        : null;
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

function newContent(writer: BlobWriter | null, held: readonly Buffer[], sizeBytes: number): NewContent {
  if (writer !== null) return { kind: 'file', file: writer.file, sizeBytes };
  return sizeBytes === 0 ? { kind: 'none' } : { kind: 'inline', bytes: Buffer.concat(held) };
}
