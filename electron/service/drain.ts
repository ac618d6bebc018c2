import type { IncomingMessage } from 'node:http';
import { hasBody } from './half-sent.ts';

/** The largest body that S3 takes in one request. */
const maxDrainedBytes = 5 * 1024 ** 3;

/**
 * Reads the rest of a request's body and discards it. Returns null where the body has arrived, otherwise a promise of its
 * end or of the end of the connection, which is closed after 5 GiB, and by `endHalfSent` where the sender stops.
 */
export function drainRest(request: IncomingMessage): Promise<void> | null {
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
