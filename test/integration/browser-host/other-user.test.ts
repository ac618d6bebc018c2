import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startBrowserServer, type BrowserServerOptions } from '../../../electron/browser/server.ts';
import { createSessionStore } from '../../../electron/browser/session-store.ts';
import { rawRequest } from './raw-http.ts';
import { endsWithTest } from '../../support/test-child.ts';

const isRoot = process.geteuid?.() === 0;
const stranger = 54_321;

async function start(change: Partial<BrowserServerOptions> = {}) {
  const sessions = createSessionStore(() => Date.now());
  const server = await startBrowserServer({
    port: 0,
    files: () => ({ answer: () => ({ status: 200, headers: {}, body: 'the page' }) }),
    sessions,
    served: Promise.resolve({
      serveRpc: () => undefined,
      serveBytes: (_ticket, _request, response) => {
        response.end('the bytes');
        return Promise.resolve();
      },
    }),
    onError: (thrown) => {
      throw thrown;
    },
    ...change,
  });
  onTestFinished(() => server.close());
  const host = `127.0.0.1:${String(server.port)}`;
  return { ...server, sessions, host, origin: `http://${host}` };
}

/** Sends a request as another user of this computer through a shell, and returns the status line. */
async function statusFor(port: number, uid: number, lines: readonly string[], body = ''): Promise<number> {
  const script = `exec 3<>/dev/tcp/127.0.0.1/${String(port)}; cat >&3; head -n 1 <&3`;
  const shell = endsWithTest(
    spawn('/bin/bash', ['-c', script], { uid, gid: uid, cwd: '/', stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  shell.stdin.end([...lines, '', body].join('\r\n'));
  let output = '';
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  await once(shell, 'close');
  return Number(output.split(' ')[1]);
}

type Running = Awaited<ReturnType<typeof start>>;

const requests = {
  exchange: (running: Running, code: string) => {
    const body = JSON.stringify({ code });
    const head = ['POST /session HTTP/1.1', `host: ${running.host}`, `origin: ${running.origin}`];
    const type = ['content-type: application/json', `content-length: ${String(body.length)}`];
    return { lines: [...head, ...type, 'connection: close'], body };
  },
  upgrade: (running: Running, token: string) => ({
    lines: [
      'GET /rpc HTTP/1.1',
      `host: ${running.host}`,
      `origin: ${running.origin}`,
      'connection: Upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
      `sec-websocket-protocol: cooper.rpc.1, cooper.token.${token}`,
    ],
    body: '',
  }),
  bytes: (running: Running) => ({
    lines: ['GET /bytes/ticket HTTP/1.1', `host: ${running.host}`, 'connection: close'],
    body: '',
  }),
};

describe.runIf(isRoot && process.platform === 'linux')('another user of this computer', () => {
  test('gets no token for a valid code, which stays valid for its owner', async () => {
    const running = await start();
    const code = running.sessions.issueCode();
    const { lines, body } = requests.exchange(running, code);
    expect(await statusFor(running.port, stranger, lines, body)).toBe(403);
    expect(await statusFor(running.port, 0, lines, body)).toBe(200);
  });

  test('gets no WebSocket with a valid token, and no bytes with a ticket', async () => {
    const running = await start();
    const exchanged = running.sessions.exchange(running.sessions.issueCode());
    const token = 'token' in exchanged ? exchanged.token : 'none';
    for (const [uid, upgraded, bytes] of [
      [stranger, 403, 403],
      [0, 101, 200],
    ] as const) {
      expect(await statusFor(running.port, uid, requests.upgrade(running, token).lines)).toBe(upgraded);
      expect(await statusFor(running.port, uid, requests.bytes(running).lines)).toBe(bytes);
    }
  });

  test('cannot listen on ::1 at the port, where browsers resolve names below localhost first', async () => {
    const { port } = await start();
    const other = net.createServer();
    onTestFinished(() => void other.close());
    const [thrown] = (await Promise.race([
      once(other.listen(port, '::1'), 'listening').then(() => [null]),
      once(other, 'error'),
    ])) as [NodeJS.ErrnoException | null];
    expect(['EADDRINUSE', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']).toContain(thrown?.code);
  });
});

test('a connection from another account gets only the page itself', async () => {
  const running = await start({ isSameUserPeer: () => false });
  const headers = { host: running.host };
  expect((await rawRequest(running.port, '/', headers)).status).toBe(200);
  expect((await rawRequest(running.port, '/bytes/t', headers)).status).toBe(403);
  const { lines } = requests.exchange(running, running.sessions.issueCode());
  expect(lines[0]).toContain('/session');
  const asked = { ...headers, origin: running.origin, 'content-type': 'application/json' };
  const reply = await rawRequest(running.port, '/session', asked, { method: 'POST', body: '{}' });
  expect(reply.status).toBe(403);
});

test.each([
  ['headers', 'POST /session HTTP/1.1\r\nhost: 127.0.0.1\r\n'],
  [
    'a body',
    (host: string, origin: string) =>
      `POST /session HTTP/1.1\r\nhost: ${host}\r\norigin: ${origin}\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"co`,
  ],
])('a request with incomplete %s is closed', async (_name, text) => {
  const running = await start({ halfSentMs: 200 });
  const socket = net.createConnection(running.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(typeof text === 'string' ? text : text(running.host, running.origin));
  await once(socket, 'close');
  expect((await rawRequest(running.port, '/', { host: running.host })).status).toBe(200);
});

test('an incomplete request is kept for at most 30 seconds by default', async () => {
  const { halfSentLimits } = await import('../../../electron/service/half-sent.ts');
  expect(halfSentLimits()).toMatchObject({ headersTimeout: 30_000, requestTimeout: 0 });
});

test.each(['/', '/session', '/bytes/t'])('a request with two Host headers gets 400: %s', async (target) => {
  const running = await start();
  const headers = { host: running.host, HOST: 'evil.test' };
  expect((await rawRequest(running.port, target, headers)).status).toBe(400);
});

test('a WebSocket request with two Host headers gets 400', async () => {
  const running = await start();
  // Valid except for the second Host: without that check the response would be 101.
  const headers = {
    host: running.host,
    Host: running.host,
    origin: `http://${running.host}`,
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  expect((await rawRequest(running.port, '/rpc', headers)).status).toBe(400);
});
