import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { bytesPath } from '../../shared/session.ts';
import type { BytesRoute } from '../core/bytes/bytes-route.ts';
import { errnoOf } from './problem.ts';

/** Passes a request to the core's bytes route and sends the response with Node's HTTP server. */
export async function serveBytes(
  route: BytesRoute,
  ticket: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort();
  });
  const reply = await route.handle({
    method: request.method ?? 'GET',
    path: bytesPath + ticket,
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : value,
      ]),
    ),
    signal: gone.signal,
    ...(request.method === 'PUT' ? { body: request } : {}),
  });
  if (response.destroyed) {
    reply.body?.destroy();
    return;
  }
  response.writeHead(reply.status, reply.headers);
  if (reply.body === null) {
    response.end();
    return;
  }
  try {
    await pipeline(reply.body, response);
  } catch (thrown) {
    // The client closed the connection early, for example because a preview was closed.
    if (errnoOf(thrown) !== 'ERR_STREAM_PREMATURE_CLOSE' && !gone.signal.aborted) throw thrown;
  }
}

/** Passes a request for the window's custom scheme to the core's bytes route and returns the response. */
export async function answerBytes(route: BytesRoute, ticket: string, request: Request): Promise<Response> {
  const reply = await route.handle({
    method: request.method,
    path: bytesPath + ticket,
    headers: Object.fromEntries(request.headers),
    signal: request.signal,
    ...(request.method === 'PUT' && request.body !== null
      ? // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the compiler needs the assertion, which the linter's types do not
        { body: Readable.fromWeb(request.body as WebStream) }
      : {}),
  });
  const body = reply.body === null ? null : (Readable.toWeb(reply.body) as ReadableStream<Uint8Array>);
  return new Response(body, { status: reply.status, headers: reply.headers });
}
