import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../../support/lab-service/server.ts';
import { tempDir } from '../../support/temp-dir.ts';

async function start(halfSentMs?: number) {
  const service = await startService({
    dataDir: path.join(tempDir(), 'service'),
    credentials: [{ accessKeyId: 'KEY', secretAccessKey: 'secret' }],
    region: 'us-east-1',
    ...(halfSentMs === undefined ? {} : { halfSentMs }),
  });
  onTestFinished(() => service.close());
  return service;
}

async function say(port: number, text: string): Promise<string> {
  const socket = net.createConnection(port, '127.0.0.1');
  let reply = '';
  socket.on('error', () => undefined);
  socket.setEncoding('utf8').on('data', (chunk: string) => (reply += chunk));
  socket.write(text);
  await once(socket, 'close');
  return reply;
}

test.each([
  ['headers', 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n'],
  ['a body', 'PUT /b/k HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 50\r\n\r\nhalf'],
  [
    'a body after 100 Continue',
    'PUT /b/k HTTP/1.1\r\nhost: 127.0.0.1\r\nexpect: 100-continue\r\ncontent-length: 50\r\n\r\n',
  ],
])('the sample service closes a request with incomplete %s', async (_name, text) => {
  const { port } = await start(200);
  await say(port, text);
  expect(await say(port, 'GET / HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 \d/);
});

test('the sample service answers two Host headers with 400', async () => {
  const { port } = await start();
  const text = 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nHost: evil.test\r\nconnection: close\r\n\r\n';
  expect(await say(port, text)).toMatch(/^HTTP\/1\.1 400 /);
});
