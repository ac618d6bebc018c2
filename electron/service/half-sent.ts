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

/** Closes the connection of a request whose body stops arriving for that long. */
export function endHalfSent(request: IncomingMessage, limitMs: number = usualMs): void {
  if (request.complete) return;
  request.setTimeout(limitMs, () => {
    if (!request.complete) request.destroy();
  });
  // From then on the answer may take its time.
  request.once('end', () => request.setTimeout(0));
}
