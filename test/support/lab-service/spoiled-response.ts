import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import type { OperationResponse } from '../../../electron/service/context.ts';
import { headersOf } from '../../../electron/service/send.ts';

/** The changes to a response while it is sent. */
export interface Spoiling {
  readonly bytesPerSecond?: number;
  readonly cut?: { readonly bytes: number; readonly clean: boolean };
  /** White space to send before the body, over `ms` milliseconds. The response is then chunked, because its length is unknown. */
  readonly whitespace?: { readonly bytes: number; readonly ms: number };
}

/** Sends a response with these changes. Resolves without an error if the client closed the connection. */
export async function sendSpoiled(
  response: ServerResponse,
  reply: OperationResponse,
  isHead: boolean,
  spoiling: Spoiling,
  signal: AbortSignal,
): Promise<void> {
  const { body } = reply;
  try {
    const isStored = typeof body === 'object' && body !== null;
    const text = isStored ? null : Buffer.from(body ?? '', 'utf8');
    const headers = headersOf(reply, isStored ? body.sizeBytes : (text?.byteLength ?? 0), isHead);
    if (spoiling.whitespace !== undefined || spoiling.cut?.clean === true) delete headers['content-length'];
    response.writeHead(reply.status, headers);
    if (isHead) response.end();
    else await stream(response, isStored ? body.stream() : text === null ? [] : [text], spoiling, signal);
  } finally {
    if (typeof body === 'object') body?.release();
  }
}

/** Sends an object decompressed, as some services do: without its length, its Content-Encoding and its strong ETag. */
export async function sendDecompressed(
  response: ServerResponse,
  { body, headers: stored }: OperationResponse,
  isHead: boolean,
): Promise<void> {
  try {
    const { 'content-length': _, 'content-encoding': coding, etag, ...headers } = stored;
    const chunks: Buffer[] = [];
    if (typeof body === 'object' && body !== null)
      for await (const chunk of body.stream()) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    response.writeHead(200, { ...headers, ...(etag === undefined ? {} : { etag: `W/${etag}` }) });
    response.end(isHead ? undefined : coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes));
  } finally {
    if (typeof body === 'object') body?.release();
  }
}

async function stream(
  response: ServerResponse,
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  spoiling: Spoiling,
  signal: AbortSignal,
): Promise<void> {
  let bytes: AsyncIterable<Buffer> | Iterable<Buffer> = body;
  if (spoiling.whitespace !== undefined) bytes = behindWhitespace(bytes, spoiling.whitespace, signal);
  if (spoiling.bytesPerSecond !== undefined) bytes = throttled(bytes, spoiling.bytesPerSecond, signal);
  const { cut } = spoiling;
  if (cut !== undefined) {
    bytes = cutAfter(bytes, cut.bytes);
    if (!cut.clean) {
      response.flushHeaders();
      for await (const chunk of bytes) response.write(chunk);
      // The written bytes must leave before the connection breaks.
      await new Promise((resolve) => response.write('', resolve));
      response.socket?.destroy();
      return;
    }
  }
  await pipeline(Readable.from(bytes, { objectMode: false }), response, { signal });
}

async function* behindWhitespace(
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  whitespace: { readonly bytes: number; readonly ms: number },
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  const steps = Math.max(1, Math.min(whitespace.bytes, Math.ceil(whitespace.ms / 50)));
  for (let step = 0; step < steps; step++) {
    const from = Math.floor((whitespace.bytes * step) / steps);
    const to = Math.floor((whitespace.bytes * (step + 1)) / steps);
    if (to > from) yield Buffer.alloc(to - from, ' ');
    if (whitespace.ms > 0) await sleep(whitespace.ms / steps, undefined, { signal });
  }
  yield* body;
}

async function* throttled(
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  bytesPerSecond: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  const slice = Math.max(1, Math.floor(bytesPerSecond / 20));
  for await (const chunk of body) {
    for (let at = 0; at < chunk.byteLength; at += slice) {
      const part = chunk.subarray(at, at + slice);
      await sleep((part.byteLength / bytesPerSecond) * 1000, undefined, { signal });
      yield part;
    }
  }
}

async function* cutAfter(
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  bytes: number,
): AsyncGenerator<Buffer, void, void> {
  let left = bytes;
  for await (const chunk of body) {
    if (left <= 0) return;
    yield chunk.subarray(0, left);
    left -= chunk.byteLength;
  }
}
