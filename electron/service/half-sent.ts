import type { IncomingMessage, ServerOptions } from 'node:http';

const usualMs = 30_000;

/**
 * How long a request's headers may take to arrive, for `createServer`. Without a limit for whole requests, which may be files
 * of any size, Node has none for headers either, unless it is named (lib/_http_server.js, storeHTTPOptions).
 */
export function halfSentLimits(limitMs: number = usualMs): ServerOptions {
  return {
    requestTimeout: 0,
    headersTimeout: limitMs,
    connectionsCheckingInterval: Math.min(5_000, limitMs),
  };
}

/** Closes the connection of a request whose body stops arriving for that long. What waits to be read here has arrived. */
export function endHalfSent(request: IncomingMessage, limitMs: number = usualMs): void {
  if (request.complete || !hasBody(request)) return;
  const { socket } = request;
  let seenBytes = socket.bytesRead;
  // Not a timeout of the socket: Node sets its own once an answer was sent, though the body is still to come.
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) clearInterval(timer);
    else if (socket.bytesRead === seenBytes && request.readableLength === 0) socket.destroy();
    seenBytes = socket.bytesRead;
  }, limitMs);
  timer.unref();
  request.once('end', () => {
    clearInterval(timer);
  });
}

/** RFC 9112, 6.3: what states neither length nor coding ends with its headers, and a timer for each would be for nothing. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/** Returns true if a request has two Host headers. Node keeps only the first; RFC 9112, 3.2 requires a 400. */
export function hasTwoHosts({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length > 1;
}
