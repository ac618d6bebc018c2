import net from 'node:net';
import os from 'node:os';
import { expect, test } from 'vitest';
import { call, serve } from './harness.ts';

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.createConnection({ host, port, timeout: 2000 });
    const end = (connected: boolean) => () => {
      resolve(connected);
      socket.destroy();
    };
    socket.on('connect', end(true)).on('error', end(false)).on('timeout', end(false));
  });
}

test('the service listens on 127.0.0.1 and on no other address of this computer', async () => {
  const service = await serve();
  expect(new URL(service.endpoint).hostname).toBe('127.0.0.1');
  const others = Object.values(os.networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ address }) => address !== '127.0.0.1' && !address.startsWith('fe80'))
    .map(({ address }) => address);
  // On Linux a server on all addresses would accept connections at 127.0.0.2, even without a network.
  const loopback = process.platform === 'linux' ? ['127.0.0.2'] : [];
  for (const address of [...loopback, ...others]) expect(await canConnect(address, service.port)).toBe(false);
  expect(await canConnect('127.0.0.1', service.port)).toBe(true);
});

test('closing the service ends open requests without waiting for them', async () => {
  const service = await serve();
  service.faults.add({ operation: 'ListBuckets', action: { kind: 'delay', ms: 60_000 } });
  const held = call(service, { path: '/' }).catch((error: unknown) => error);
  await expect.poll(() => service.faults.journal.length).toBe(1);
  const startedMs = performance.now();
  await service.close();
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  expect(await held).toBeInstanceOf(Error);
});
