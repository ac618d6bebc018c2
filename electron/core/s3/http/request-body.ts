import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppFailure, failure } from '../../../../shared/errors.ts';
import type { BodySource } from '../../ports.ts';
import { emptyPayloadHash, sha256Hex, unsignedPayload } from './sign.ts';

/** A request body that was opened for one send. */
export interface OpenBody {
  readonly content: Readable | AsyncIterable<Uint8Array> | Uint8Array | null;
  readonly sizeBytes: number;
  readonly payloadHash: string;
  /** Returns true once all bytes have been read, so the service may have received the whole request. The stream may end later. */
  allSent(): boolean;
  close(): void;
}

/**
 * The maximum size of bodies whose hash is signed. Larger ones are sent with UNSIGNED-PAYLOAD, which AWS, Ceph and MinIO also
 * accept over plain HTTP. Hashing them would block other work, and parts carry an MD5 anyway.
 */
const hashedBytes = 1024 * 1024;

/**
 * Opens the body for one send, because a stream cannot be sent twice. Throws AppError('storage') if the file cannot be read or
 * its size has changed.
 */
export async function openBody(source: BodySource | Uint8Array | null, overTls: boolean): Promise<OpenBody> {
  if (source === null) return ofBytes(null);
  if (source instanceof Uint8Array) return ofBytes(source);
  const opened = openSource(source);
  if (opened instanceof Uint8Array) {
    checkSize(opened.byteLength, source.sizeBytes);
    return ofBytes(opened);
  }
  if (!overTls && source.sizeBytes <= hashedBytes) {
    const bytes = await readSource(opened);
    checkSize(bytes.byteLength, source.sizeBytes);
    return ofBytes(bytes);
  }
  return opened instanceof Readable
    ? ofStream(opened, source.sizeBytes)
    : ofIterable(opened, source.sizeBytes);
}

function ofBytes(bytes: Uint8Array | null): OpenBody {
  return {
    content: bytes !== null && bytes.byteLength > 0 ? bytes : null,
    sizeBytes: bytes?.byteLength ?? 0,
    payloadHash: payloadHashOf(bytes ?? new Uint8Array()),
    allSent: () => true,
    close: () => undefined,
  };
}

function payloadHashOf(bytes: Uint8Array): string {
  if (bytes.byteLength === 0) return emptyPayloadHash;
  return bytes.byteLength <= hashedBytes ? sha256Hex(bytes) : unsignedPayload;
}

function ofStream(stream: Readable, sizeBytes: number): OpenBody {
  let passedBytes = 0;
  const counter = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      const sumBytes = passedBytes + chunk.byteLength;
      if (sumBytes > sizeBytes) {
        done(sizeChanged(sumBytes, sizeBytes));
        return;
      }
      passedBytes = sumBytes;
      done(null, chunk);
    },
    flush(done) {
      done(passedBytes === sizeBytes ? null : sizeChanged(passedBytes, sizeBytes));
    },
    destroy(error, done) {
      done(error === null ? null : unreadable(error));
    },
  });
  // The body's error reaches undici through the counter and fails the request.
  pipeline(stream, counter).catch(() => undefined);
  return {
    content: counter,
    sizeBytes,
    payloadHash: unsignedPayload,
    allSent: () => passedBytes >= sizeBytes,
    close: () => counter.destroy(),
  };
}

/** Passes the chunks on without a Node stream, which would take longer per chunk than its bytes. */
function ofIterable(chunks: AsyncIterable<Uint8Array>, sizeBytes: number): OpenBody {
  let passedBytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of chunks) {
        const sumBytes = passedBytes + chunk.byteLength;
        if (sumBytes > sizeBytes) throw sizeChanged(sumBytes, sizeBytes);
        passedBytes = sumBytes;
        yield chunk;
      }
    } catch (error) {
      throw unreadable(error);
    }
    if (passedBytes !== sizeBytes) throw sizeChanged(passedBytes, sizeBytes);
  }
  const content = counted();
  return {
    content,
    sizeBytes,
    payloadHash: unsignedPayload,
    allSent: () => passedBytes >= sizeBytes,
    close: () => {
      // Waits for a read in progress, whose error the request has already reported.
      content.return(undefined).catch(() => undefined);
    },
  };
}

function openSource(source: BodySource): ReturnType<BodySource['open']> {
  try {
    return source.open();
  } catch (error) {
    throw unreadable(error);
  }
}

async function readSource(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  try {
    const chunks: Uint8Array[] = [];
    // Copied, because the source may reuse the memory of a chunk.
    for await (const chunk of source) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  } catch (error) {
    throw unreadable(error);
  }
}

function checkSize(actualBytes: number, promisedBytes: number): void {
  if (actualBytes !== promisedBytes) throw sizeChanged(actualBytes, promisedBytes);
}

function sizeChanged(actualBytes: number, promisedBytes: number): AppFailure {
  return failure(
    'storage',
    `The data to send has ${actualBytes} bytes or more instead of the announced ${promisedBytes}; the file may have changed.`,
    { retry: 'after-fix', reason: 'body-changed' },
  );
}

function unreadable(cause: unknown): AppFailure {
  if (cause instanceof AppFailure) return cause;
  // Node's message contains the path and is meant for developers, so only the system's error code is reported.
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no code';
  return failure('storage', `The data to send could not be read (${code}).`, {
    retry: 'after-fix',
    reason: 'body-unreadable',
    cause,
  });
}
