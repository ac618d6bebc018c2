import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { UsedMemory } from '../../../../../electron/core/s3/http/used-memory.ts';

describe('freeing the memory of received chunks', () => {
  test('detaches a buffer at once, however many chunks it held', () => {
    const memory = new ArrayBuffer(64 * 1024);
    const used = new UsedMemory();
    used.add(Buffer.from(memory, 0, 1000));
    used.add(Buffer.from(memory, 1000));
    used.free();
    expect(memory.detached).toBe(true);
  });

  test('skips pooled, shared and WebAssembly memory', () => {
    const small = Buffer.from('small');
    const neighbour = Buffer.from('neighbour');
    expect(neighbour.buffer).toBe(small.buffer);
    const shared = new Uint8Array(new SharedArrayBuffer(8));
    const compiled = new Uint8Array(new WebAssembly.Memory({ initial: 1 }).buffer);
    const used = new UsedMemory();
    for (const chunk of [small, shared, compiled]) used.add(chunk);
    used.free();
    expect(neighbour.toString()).toBe('neighbour');
    expect(shared.byteLength).toBe(8);
    expect(compiled.byteLength).toBe(64 * 1024);
  });

  test('skips empty chunks, which undici reuses', () => {
    const empty = Buffer.alloc(0);
    const used = new UsedMemory();
    used.add(empty);
    used.free();
    expect(empty.buffer.detached).toBe(false);
  });

  test('detaches a chunk that was read from a socket', async () => {
    const server = createServer((peer) => peer.end(Buffer.alloc(20_000, 'x')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    server.close();
    expect(chunk.byteLength).toBeGreaterThan(0);
    const used = new UsedMemory();
    used.add(chunk);
    used.free();
    expect(chunk.byteLength).toBe(0);
  });
});
