import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The message that configures the proxy process. */
export interface FarProxyRequest {
  readonly host: string;
  readonly port: number;
  readonly roundTripMs: number;
}

/** The maximum number of bytes in flight in each direction of a connection. Then the sender waits, as with TCP. */
const windowBytes = 16 * 1024 * 1024;

/** Forwards bytes in order, half a round trip later. The first ones also wait a whole round trip for the handshake. */
function carry(from: Socket, to: Socket, roundTripMs: number, openMs: number): void {
  let pendingBytes = 0;
  const pending: { readonly dueMs: number; readonly work: () => void }[] = [];
  // Uses one timer for each direction: timers of different lengths may fire out of order.
  const arrive = (): void => {
    for (let next = pending[0]; next !== undefined; next = pending[0]) {
      const waitMs = next.dueMs - performance.now();
      if (waitMs > 0) {
        setTimeout(arrive, Math.ceil(waitMs));
        return;
      }
      pending.shift();
      next.work();
    }
  };
  const later = (work: () => void): void => {
    pending.push({ dueMs: Math.max(performance.now(), openMs) + roundTripMs / 2, work });
    if (pending.length === 1) arrive();
  };
  from.on('data', (bytes: Buffer) => {
    pendingBytes += bytes.length;
    if (pendingBytes > windowBytes) from.pause();
    later(() => {
      if (to.destroyed) return;
      to.write(bytes, () => {
        pendingBytes -= bytes.length;
        if (pendingBytes <= windowBytes) from.resume();
      });
    });
  });
  from.on('end', () => later(() => to.end()));
  from.on('error', () => to.destroy());
  from.on('close', () => later(() => to.destroySoon()));
}

process.once('message', (request: FarProxyRequest) => {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    const far = connect({ host: request.host, port: request.port, allowHalfOpen: true, noDelay: true });
    carry(near, far, request.roundTripMs, performance.now() + request.roundTripMs);
    carry(far, near, request.roundTripMs, 0);
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ endpoint: `http://127.0.0.1:${String(port)}` });
  });
});
process.once('disconnect', () => process.exit(0));
