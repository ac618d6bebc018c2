import { buffer } from 'node:stream/consumers';
import { expect, test, describe } from 'vitest';
import { ResponseBody, streamOf, UsedMemory } from '../../../../../electron/core/s3/http/response-body.ts';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

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

function body() {
  const events: string[] = [];
  const made = new ResponseBody({
    pause: () => events.push('pause'),
    resume: () => events.push('resume'),
    abort: (reason) => events.push(`abort: ${reason.message}`),
  });
  return { made, said: events };
}

const chunk = (text: string): Uint8Array => Buffer.from(text);

test('a response body delivers chunks in order, including those received before it is read', async () => {
  const { made } = body();
  const chunks: string[] = [];
  made.push(chunk('a'));
  made.push(chunk('b'));
  const drained = made.drain((bytes) => void chunks.push(String(bytes)));
  made.push(chunk('c'));
  made.end();
  await drained;
  expect(chunks).toEqual(['a', 'b', 'c']);
});

test('a response body skips an empty chunk without pausing the socket', async () => {
  const { made, said: events } = body();
  const chunks: string[] = [];
  const drained = made.drain(async (bytes) => {
    chunks.push(String(bytes));
    await Promise.resolve();
  });
  made.push(chunk(''));
  expect(events).toEqual([]);
  made.push(chunk('a'));
  made.end();
  await drained;
  expect(chunks).toEqual(['a']);
});

test('a response body pauses the socket while its consumer is busy', async () => {
  const { made, said: events } = body();
  const chunks: string[] = [];
  const busy = Promise.withResolvers<void>();
  const drained = made.drain((bytes) => {
    chunks.push(String(bytes));
    return chunks.length === 1 ? busy.promise : undefined;
  });
  made.push(chunk('a'));
  made.push(chunk('b'));
  made.end();
  expect(chunks).toEqual(['a']);
  expect(events).toEqual(['pause']);
  busy.resolve();
  await drained;
  expect(chunks).toEqual(['a', 'b']);
});

test('a response body buffers a limited amount before it is read, then resumes', async () => {
  const { made, said: events } = body();
  made.push(new Uint8Array(128 * 1024));
  expect(events).toEqual(['pause']);
  const drained = made.drain(() => undefined);
  expect(events).toEqual(['pause', 'resume']);
  made.end();
  await drained;
});

test.each([
  [
    'at once',
    () => {
      throw new Error('full');
    },
  ],
  ['later', () => Promise.reject(new Error('full'))],
])('a consumer that throws %s aborts the transfer with its error', async (_when, take) => {
  const { made, said: events } = body();
  const drained = made.drain(take);
  made.push(chunk('a'));
  await expect(drained).rejects.toThrow('full');
  expect(events).toContain('abort: full');
});

test('a broken connection rejects even while the consumer is busy', async () => {
  const { made } = body();
  const drained = made.drain(() => new Promise(() => undefined));
  made.push(chunk('a'));
  made.fail(new Error('reset'));
  await expect(drained).rejects.toThrow('reset');
});

test('a response body yields the same bytes as a stream, and destroying the stream aborts the request', async () => {
  const { made } = body();
  const stream = streamOf(
    (take) => made.drain(take),
    () => made.destroy(),
  );
  for (let index = 0; index < 100; index += 1) made.push(Buffer.alloc(10_000, index));
  made.end();
  expect((await buffer(stream)).byteLength).toBe(1_000_000);
  const other = body();
  const left = streamOf(
    (take) => other.made.drain(take),
    () => other.made.destroy(),
  );
  left.on('error', () => undefined).destroy();
  expect(other.said).toEqual(['abort: The body is no longer needed.']);
});
