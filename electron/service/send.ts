import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationResponse } from './context.ts';
import { hasBody } from './half-sent.ts';

/** The maximum size in bytes of a request body that S3 accepts. */
const maxDrainedBytes = 5 * 1024 ** 3;

/**
 * Reads and discards the rest of a request's body. Returns null if the body has arrived. Otherwise returns a promise that settles
 * when the body ends or the connection closes: after 5 GiB, or by `endHalfSent` if the client stops sending.
 */
function drainRest(request: IncomingMessage): Promise<void> | null {
  if (request.complete || request.destroyed || !hasBody(request)) return null;
  return new Promise((resolve) => {
    let drainedBytes = 0;
    const end = (): void => resolve();
    request.once('end', end).once('close', end).once('error', end);
    request.on('data', (chunk: Buffer) => {
      drainedBytes += chunk.byteLength;
      if (drainedBytes > maxDrainedBytes) request.destroy();
    });
  });
}

/**
 * Sends a response, with back-pressure. A client that is still sending its body gets the response at once. The rest of the body
 * is drained, because a reset could lose the response, and unread bytes would be parsed as the next request.
 */
export async function sendResponse(
  response: ServerResponse,
  reply: OperationResponse,
  isHead: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { body } = reply;
  const bytes = typeof body === 'string' ? Buffer.from(body) : (body?.bytesInMemory ?? null);
  const rest = drainRest(response.req);
  try {
    const sizeBytes = typeof body === 'string' || body === null ? (bytes?.byteLength ?? 0) : body.sizeBytes;
    response.writeHead(reply.status, headersOf(reply, sizeBytes, isHead));
    if (!isHead && bytes === null && typeof body === 'object' && body !== null) {
      const stream = Readable.from(body.stream(), { objectMode: false });
      await pipeline(stream, response, { signal, end: rest === null });
    } else if (rest === null) response.end(isHead ? undefined : bytes);
    else if (isHead || bytes === null) response.flushHeaders();
    else response.write(bytes);
    if (rest === null) return;
    await rest;
    response.end();
  } finally {
    if (typeof body === 'object') body?.release();
  }
}

/** Returns the headers of a response, with the length of its body. */
export function headersOf(
  reply: OperationResponse,
  sizeBytes: number,
  isHead: boolean,
): Record<string, string> {
  const headers = { ...reply.headers };
  // A HEAD response states the length of the object but has no body.
  if (!isHead || headers['content-length'] === undefined) headers['content-length'] = String(sizeBytes);
  if (reply.status === 204 || reply.status === 304) delete headers['content-length'];
  return headers;
}
