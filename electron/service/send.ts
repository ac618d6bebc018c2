import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ServerResponse } from 'node:http';
import type { Answer } from './context.ts';

/** Sends an answer, with back-pressure. Ends without an error where the other side has gone away. */
export async function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  isHead: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { body } = answer;
  try {
    if (typeof body === 'string' || body === null) {
      const bytes = Buffer.from(body ?? '', 'utf8');
      response.writeHead(answer.status, headersOf(answer, bytes.byteLength, isHead));
      response.end(isHead ? undefined : bytes);
      return;
    }
    response.writeHead(answer.status, headersOf(answer, body.sizeBytes, isHead));
    if (isHead) response.end();
    else if (body.held !== null) response.end(body.held);
    else await pipeline(Readable.from(body.stream(), { objectMode: false }), response, { signal });
  } finally {
    if (typeof body === 'object') body?.release();
  }
}

/** The headers of an answer, with the length of its body. */
export function headersOf(answer: Answer, sizeBytes: number, isHead: boolean): Record<string, string> {
  const headers = { ...answer.headers };
  // An answer to HEAD states the length of the object, which it does not carry.
  if (!isHead || headers['content-length'] === undefined) headers['content-length'] = String(sizeBytes);
  if (answer.status === 204 || answer.status === 304) delete headers['content-length'];
  return headers;
}
