import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
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

/** Starts a server that responds to each request with these pieces, in separate writes. Returns a client for it. */
async function serving(pieces: (method: string) => readonly string[]): Promise<S3Client> {
  const sockets = new Set<Socket>();
  server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    let received = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (received.length < head + 4 + length) return;
      const method = received.slice(0, received.indexOf(' '));
      received = received.slice(head + 4 + length);
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
  const body = method === 'GET' ? content : '';
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
});

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
