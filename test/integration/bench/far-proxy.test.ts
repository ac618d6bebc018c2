import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startFarProxy } from '../../bench/support/far-proxy.ts';

test('bytes sent through the delay proxy while it connects arrive in order, a round trip later', async () => {
  const server = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const proxy = await startFarProxy(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, 40);
  try {
    const { hostname, port } = new URL(proxy.endpoint);
    const startedMs = performance.now();
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const first = once(socket, 'data').then(() => performance.now() - startedMs);
    const answered = text(socket);
    let sent = '';
    for (let index = 0; performance.now() - startedMs < 80; index += 1) {
      sent += `${String(index)} `;
      socket.write(`${String(index)} `);
      await setImmediate();
    }
    socket.end();
    expect(await answered).toBe(sent);
    // One round trip for the handshake and one for the bytes, less the rounding of timers to milliseconds.
    expect(await first).toBeGreaterThanOrEqual(78);
  } finally {
    await proxy.stop();
    server.close();
  }
});
