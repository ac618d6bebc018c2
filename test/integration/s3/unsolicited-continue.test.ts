import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { realClient } from '../../support/servers/real-client.ts';

/** A gateway that sends `100 Continue` before its responses although the request did not expect it (RFC 9110, 15.2). */
let server: Server | null = null;
let client: S3Client | null = null;
afterEach(async () => {
  await client?.close();
  server?.close();
});

const content = 'HTTP/1.1 100 Continue\r\n\r\nno header, but the bytes of an object';

/**
 * Starts a server that responds to each request with these pieces, in separate writes. Sends `early` before the body of the
 * request arrives. Returns a client for it.
 */
async function serving(pieces: (method: string) => readonly string[], early = ''): Promise<S3Client> {
  const sockets = new Set<Socket>();
  server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    let received = '';
    let isBegun = false;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) return;
      if (!isBegun) socket.write(early, 'latin1');
      isBegun = true;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (received.length < head + 4 + length) return;
      const method = received.slice(0, received.indexOf(' '));
      received = received.slice(head + 4 + length);
      isBegun = false;
      void send(socket, pieces(method));
    });
  });
  const listening = server;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  client = realClient({
    endpoint: `http://127.0.0.1:${port}`,
    keys: { accessKeyId: 'A', secretAccessKey: 'S' },
  });
  return client;
}

async function send(socket: Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    await new Promise((resolve) => socket.write(piece, 'latin1', resolve));
    // Lets each piece leave as a separate packet.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function reply(method: string): string {
  if (method === 'DELETE') return 'HTTP/1.1 204 No Content\r\n\r\n';
  const completed = '<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>';
  const body = method === 'GET' ? content : method === 'POST' ? completed : '';
  return `HTTP/1.1 200 OK\r\nETag: "e"\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

const interim = 'HTTP/1.1 100 Continue\r\n\r\n';
const shapes: readonly (readonly [string, (method: string) => readonly string[]])[] = [
  ['once', (method) => [interim + reply(method)]],
  ['in a separate packet', (method) => [interim, reply(method)]],
  ['twice', (method) => [interim + interim + reply(method)]],
  ['with headers', (method) => ['HTTP/1.1 100 Continue\r\nServer: x\r\nDate: now\r\n\r\n' + reply(method)]],
  ['without a reason phrase', (method) => ['HTTP/1.1 100 \r\n\r\n' + reply(method)]],
  [
    'after an early hint',
    (method) => ['HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n' + interim + reply(method)],
  ],
  ['split within its status', (method) => ['HTTP/1.1 10', '0 Continue\r\n\r\n', reply(method)]],
  ['a byte at a time', (method) => [...Array.from(interim + interim), reply(method)]],
];

describe.each(shapes)('an unsolicited 100 Continue %s', (_what, pieces) => {
  test('before the bytes of an object is skipped without changing them', async () => {
    const s3 = await serving(pieces);
    for (let count = 0; count < 3; count += 1) {
      const { body } = await s3.getObject({ bucket: 'b', key: 'k' }, { maxTries: 1 });
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(chunk as Uint8Array);
      expect(Buffer.concat(chunks).toString('latin1')).toBe(content);
    }
  });

  test('before the response to a PUT, a part and a HEAD is skipped', async () => {
    const s3 = await serving(pieces);
    const body = { sizeBytes: 5, open: () => Buffer.from('12345') };
    const ref = { bucket: 'b', key: 'k' };
    await expect(s3.putObject({ ...ref, body }, { maxTries: 1 })).resolves.toMatchObject({ etag: '"e"' });
    await expect(
      s3.uploadPart({ ...ref, uploadId: 'u', partNumber: 1, body }, { maxTries: 1 }),
    ).resolves.toMatchObject({ etag: '"e"' });
    await expect(s3.headObject(ref, { maxTries: 1 })).resolves.toMatchObject({ etag: '"e"' });
  });

  test('before the response to a POST and a DELETE is skipped', async () => {
    const s3 = await serving(pieces);
    const ref = { bucket: 'b', key: 'k', uploadId: 'u' };
    for (let count = 0; count < 2; count += 1) {
      const parts = [{ partNumber: 1, etag: '"e"' }];
      const completed = s3.completeMultipartUpload({ ...ref, parts }, { maxTries: 1 });
      await expect(completed).resolves.toMatchObject({ etag: '"whole"' });
      await s3.abortMultipartUpload(ref, { maxTries: 1 });
      await s3.deleteObject({ bucket: 'b', key: 'k' }, { maxTries: 1 });
    }
  });
});

test.each([102, 103, 104, 199])('a thousand replies %i before each response are skipped', async (status) => {
  const s3 = await serving((method) => [
    `HTTP/1.1 ${status} Interim\r\nLink: x\r\n\r\n`.repeat(1000) + reply(method),
  ]);
  const ref = { bucket: 'b', key: 'k', uploadId: 'u' };
  for (let count = 0; count < 3; count += 1) {
    const completed = s3.completeMultipartUpload(
      { ...ref, parts: [{ partNumber: 1, etag: '"e"' }] },
      { maxTries: 1 },
    );
    await expect(completed).resolves.toMatchObject({ etag: '"whole"' });
    await expect(s3.headObject(ref, { maxTries: 1 })).resolves.toMatchObject({ etag: '"e"' });
  }
});

test.each(['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 102 Processing\r\n\r\n'])(
  'an interim reply while the body of a PUT is sent is skipped (%j)',
  async (early) => {
    const s3 = await serving((method) => [reply(method)], early);
    const ref = { bucket: 'b', key: 'k' };
    const body = { sizeBytes: 4 << 20, open: () => Readable.from(slowly(4)) };
    for (let count = 0; count < 2; count += 1)
      await expect(s3.putObject({ ...ref, body }, { maxTries: 1 })).resolves.toMatchObject({ etag: '"e"' });
  },
);

test('a reply 101 that nothing asked for fails the request with its reason, and the next one works', async () => {
  let replies = 0;
  const s3 = await serving((method) => {
    replies += 1;
    return replies === 1 ? ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'] : [reply(method)];
  });
  const ref = { bucket: 'b', key: 'k' };
  await expect(s3.headObject(ref, { maxTries: 1 })).rejects.toMatchObject({ error: { code: 'network' } });
  await expect(s3.headObject(ref, { maxTries: 1 })).resolves.toMatchObject({ etag: '"e"' });
});

/** Yields so many MiB, with other events in between. */
async function* slowly(count: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    yield new Uint8Array(1 << 20);
  }
}

test('an object whose bytes look like a status line is read unchanged in any chunks', async () => {
  const s3 = await serving(() => [
    `HTTP/1.1 200 OK\r\nETag: "e"\r\nContent-Length: ${content.length * 2}\r\n\r\n`,
    content,
    content,
  ]);
  const { body } = await s3.getObject({ bucket: 'b', key: 'k' }, { maxTries: 1 });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk as Uint8Array);
  expect(Buffer.concat(chunks).toString('latin1')).toBe(content + content);
});
