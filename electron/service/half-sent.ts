import type { IncomingMessage, ServerOptions } from 'node:http';

const usualMs = 30_000;

/**
 * Returns the options of `createServer` that limit the time for a request's headers. The limit for whole requests is off, because
 * uploads may take any time. Node then limits headers only if that is set explicitly (lib/_http_server.js, storeHTTPOptions).
 */
export function halfSentLimits(limitMs: number = usualMs): ServerOptions {
  return {
    requestTimeout: 0,
    headersTimeout: limitMs,
    connectionsCheckingInterval: Math.min(5_000, limitMs),
  };
}

/** Closes the connection if no byte of the body arrives for `limitMs`. Does nothing while received bytes are still unread. */
export function endHalfSent(request: IncomingMessage, limitMs: number = usualMs): void {
  if (request.complete || !hasBody(request)) return;
  const { socket } = request;
  let lastBytesRead = socket.bytesRead;
  // A socket timeout would not work: Node resets it once a response has been sent, while the body may still be arriving.
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) clearInterval(timer);
    else if (socket.bytesRead === lastBytesRead && request.readableLength === 0) socket.destroy();
    lastBytesRead = socket.bytesRead;
  }, limitMs);
  timer.unref();
  request.once('end', () => {
    clearInterval(timer);
  });
}

/**
 * Returns true if the request has a body. A request without a length and a coding has none (RFC 9112, 6.3), so it needs no timer.
 */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/** Returns true if a request has two Host headers. Node keeps only the first; RFC 9112, 3.2 requires a 400. */
export function hasTwoHosts({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length > 1;
}
