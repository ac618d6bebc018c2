import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { startBrowserServer } from '../../../electron/browser/server.ts';
import { createSessionStore, type SessionStore } from '../../../electron/browser/session-store.ts';
import { noncePlaceholder } from '../../../electron/host/csp.ts';
import { loadWindowFiles } from '../../../electron/host/window-files.ts';
import { closeCodes, rpcProtocol, socketProtocols } from '../../../shared/session.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { rawRequest } from './raw-http.ts';

interface Running {
  readonly port: number;
  readonly host: string;
  readonly origin: string;
  readonly sessions: SessionStore;
  readonly tickets: string[];
  close(): Promise<void>;
}

async function start(loaded: Promise<unknown> = Promise.resolve()): Promise<Running> {
  const outer = tempDir();
  const dir = path.join(outer, 'window');
  mkdirSync(path.join(dir, 'assets'), { recursive: true });
  writeFileSync(path.join(outer, 'secret'), 'the secret');
  writeFileSync(path.join(dir, 'index.html'), `<meta nonce="${noncePlaceholder}"><p>the page</p>`);
  writeFileSync(path.join(dir, 'assets', 'main-1.js'), 'the script');
  const sessions = createSessionStore(() => Date.now());
  const tickets: string[] = [];
  const files = loadWindowFiles(dir);
  const served = {
    serveRpc: (socket: WebSocket): void => {
      socket.on('message', (data: Buffer) => {
        socket.send(`heard ${data.toString()}`);
      });
    },
    serveBytes: (ticket: string, _request: IncomingMessage, response: ServerResponse) => {
      tickets.push(ticket);
      response.end('the bytes');
      return Promise.resolve();
    },
  };
  const server = await startBrowserServer({
    port: 0,
    files: () => files,
    sessions,
    served: loaded.then(() => served),
    onError: (thrown) => {
      throw thrown;
    },
  });
  onTestFinished(() => server.close());
  const host = `127.0.0.1:${String(server.port)}`;
  const close = () => server.close();
  return { port: server.port, host, origin: `http://${host}`, sessions, tickets, close };
}

async function exchange(running: Running, code: string, headers: Record<string, string> = {}) {
  const answer = await rawRequest(
    running.port,
    '/session',
    { host: running.host, origin: running.origin, 'content-type': 'application/json', ...headers },
    { method: 'POST', body: JSON.stringify({ code }) },
  );
  const json = /\{.*\}/s.exec(answer.body)?.[0] ?? '{}';
  return { ...answer, json: JSON.parse(json) as Record<string, string> };
}

type Ending =
  { readonly kind: 'heard'; readonly text: string } | { readonly kind: 'closed'; readonly code: number };

/** Opens the socket as a window does, and sends one message. */
function talk(
  running: Running,
  protocols: string[],
  headers: Record<string, string>,
  target = '/rpc',
): Promise<Ending> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://${running.host}${target}`, protocols, { headers });
    socket.on('open', () => {
      socket.send('hello');
    });
    socket.on('message', (data: Buffer) => {
      resolve({ kind: 'heard', text: data.toString() });
      socket.close();
    });
    socket.on('unexpected-response', (_request, response) => {
      resolve({ kind: 'closed', code: response.statusCode ?? 0 });
      response.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      resolve({ kind: 'closed', code });
    });
  });
}

describe('while the core is loading,', () => {
  test('the page is served, and sockets and bytes wait for it', async () => {
    const loading = Promise.withResolvers<undefined>();
    const running = await start(loading.promise);
    const { status, body } = await rawRequest(running.port, '/', { host: running.host });
    expect([status, body]).toEqual([200, expect.stringContaining('the page')]);
    const { json } = await exchange(running, running.sessions.issueCode());
    const frames = talk(running, socketProtocols(json['token'] ?? ''), { origin: running.origin });
    const bytes = rawRequest(running.port, '/bytes/ticket', { host: running.host });
    // Once a later request is answered, the earlier ones have arrived.
    await rawRequest(running.port, '/', { host: running.host });
    expect(running.tickets).toEqual([]);
    loading.resolve(undefined);
    expect(await frames).toEqual({ kind: 'heard', text: 'heard hello' });
    expect((await bytes).body).toContain('the bytes');
  });

  test('a waiting socket is closed and the server ends if the core cannot be loaded', async () => {
    const loading = Promise.withResolvers<undefined>();
    const running = await start(loading.promise);
    const { json } = await exchange(running, running.sessions.issueCode());
    const frames = talk(running, socketProtocols(json['token'] ?? ''), { origin: running.origin });
    await rawRequest(running.port, '/', { host: running.host });
    loading.reject(new Error('No core.'));
    expect(await frames).toMatchObject({ kind: 'closed' });
    await running.close();
  });
});

describe('a session', () => {
  test('is opened by exchanging a code once for a token', async () => {
    const running = await start();
    const code = running.sessions.issueCode();
    const { status, json } = await exchange(running, code);
    expect(status).toBe(200);
    const token = json['token'] ?? '';
    expect(await talk(running, socketProtocols(token), { origin: running.origin })).toEqual({
      kind: 'heard',
      text: 'heard hello',
    });
    const again = await exchange(running, code);
    expect([again.status, again.json]).toEqual([403, { kind: 'needs-code', reason: 'used' }]);
  });

  test('refuses a hundred wrong codes, mostly with 429, and accepts the right one', async () => {
    const running = await start();
    const code = running.sessions.issueCode();
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        exchange(running, `wrong-${String(index).padStart(30, '0')}`),
      ),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(0);
    const limited = responses.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThanOrEqual(80);
    expect(limited[0]?.head.toLowerCase()).toContain('retry-after: 60');
    expect((await exchange(running, code)).status).toBe(200);
  });

  test.each([
    ['another site', { origin: 'https://evil.example' }, 403],
    ['a sandboxed frame', { origin: 'null' }, 403],
    [
      'a foreign name that resolves to this computer',
      { host: 'evil.example', origin: 'http://evil.example' },
      421,
    ],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['a disguised form', { 'content-type': 'text/plain' }, 415],
  ])('cannot be opened by %s, even with the right code', async (_name, headers, status) => {
    const running = await start();
    const code = running.sessions.issueCode();
    expect((await exchange(running, code, headers)).status).toBe(status);
    expect((await exchange(running, code)).status).toBe(200);
  });

  test.each([
    ['GET', '', 405],
    ['POST', '', 400],
    ['POST', '{', 400],
    ['POST', '{"code":1}', 400],
    ['POST', '{"code":"short"}', 400],
    ['POST', `{"code":"${'x'.repeat(3000)}"}`, 413],
  ])('answers %s with the body %j by a plain status', async (method, body, status) => {
    const running = await start();
    const headers = { host: running.host, origin: running.origin, 'content-type': 'application/json' };
    expect((await rawRequest(running.port, '/session', headers, { method, body })).status).toBe(status);
  });

  test('refuses a body that is too large before all of it has arrived', async () => {
    const running = await start();
    const headers = {
      host: running.host,
      origin: running.origin,
      'content-type': 'application/json',
      'content-length': '1000000',
    };
    const request = { method: 'POST', body: 'x'.repeat(3000) };
    expect((await rawRequest(running.port, '/session', headers, request)).status).toBe(413);
  });

  test('sends no CORS header with any response', async () => {
    const running = await start();
    for (const target of ['/', '/assets/main-1.js', '/session', '/bytes/x', '/nothing']) {
      const { head } = await rawRequest(running.port, target, { host: running.host });
      expect(head.toLowerCase()).not.toContain('access-control-allow');
    }
  });
});

describe('a socket', () => {
  test('of a frozen tab does not keep the program from ending', { timeout: 10_000 }, async () => {
    const running = await start();
    const { json } = await exchange(running, running.sessions.issueCode());
    const socket = new WebSocket(`ws://${running.host}/rpc`, socketProtocols(json['token'] ?? ''), {
      headers: { origin: running.origin },
    });
    socket.on('error', () => undefined);
    const reply = new Promise((resolve) => socket.once('message', resolve));
    socket.once('open', () => {
      socket.send('hello');
    });
    await reply;
    socket.pause();
    const startedMs = performance.now();
    await running.close();
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    socket.terminate();
  });

  test('with a wrong token is closed with 4401, and with 4429 after many', async () => {
    const running = await start();
    const endings = [];
    for (let index = 0; index < 30; index += 1) {
      const token = `wrong-token-${String(index).padStart(10, '0')}`;
      endings.push(await talk(running, socketProtocols(token), { origin: running.origin }));
    }
    expect(endings[0]).toEqual({ kind: 'closed', code: closeCodes.needsCode });
    expect(endings.at(-1)).toEqual({ kind: 'closed', code: closeCodes.tooManyTries });
    expect(endings.every(({ kind }) => kind === 'closed')).toBe(true);
  });

  test('without a token is closed', async () => {
    const running = await start();
    expect(await talk(running, [rpcProtocol], { origin: running.origin })).toEqual({
      kind: 'closed',
      code: closeCodes.needsCode,
    });
  });

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another program on this computer', { origin: 'http://127.0.0.1:1' }],
    ['no origin', {}],
    [
      'a foreign name that resolves to this computer',
      { host: 'evil.example', origin: 'http://evil.example' },
    ],
  ])('cannot be opened by %s, even with a valid token', async (_name, headers) => {
    const running = await start();
    const { json } = await exchange(running, running.sessions.issueCode());
    expect(await talk(running, socketProtocols(json['token'] ?? ''), headers)).toEqual({
      kind: 'closed',
      code: 403,
    });
  });

  test('does not accept a token in the URL', async () => {
    const running = await start();
    const { json } = await exchange(running, running.sessions.issueCode());
    const target = `/rpc?token=${json['token'] ?? ''}`;
    expect(await talk(running, [rpcProtocol], { origin: running.origin }, target)).toEqual({
      kind: 'closed',
      code: 404,
    });
  });
});

describe('the server of files and bytes', () => {
  test('sends the page with its policy, which names the socket of this address', async () => {
    const running = await start();
    const { status, head, body } = await rawRequest(running.port, '/', { host: running.host });
    expect(status).toBe(200);
    expect(body).toContain('the page');
    expect(head).toContain(`connect-src 'self' ws://${running.host};`);
    expect(head).toContain("default-src 'none'");
    expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(body).not.toContain(noncePlaceholder);
  });

  test.each([
    '/../secret',
    '/assets/../../secret',
    '/..%2fsecret',
    '/%2e%2e/secret',
    '/%2e%2e%2fsecret',
    '//secret',
    String.raw`/..\secret`,
    '/assets/%00',
    '/bytes/../../secret/..',
    'http://127.0.0.1/../secret',
  ])("serves nothing outside the window's folder: %s", async (target) => {
    const running = await start();
    const { body } = await rawRequest(running.port, target, { host: running.host });
    expect(body).not.toContain('the secret');
  });

  test('sends nothing of the page to a foreign host name that resolves to this computer', async () => {
    const running = await start();
    const { status, body } = await rawRequest(running.port, '/', {
      host: `evil.example:${String(running.port)}`,
    });
    expect(status).toBe(421);
    expect(body).not.toContain('the page');
  });

  test("sends bytes to the page and not to another site's page", async () => {
    const running = await start();
    const sameOrigin = { host: running.host, 'sec-fetch-site': 'same-origin' };
    expect((await rawRequest(running.port, '/bytes/ticket-1', sameOrigin)).body).toContain('the bytes');
    const foreign = { host: running.host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
    expect((await rawRequest(running.port, '/bytes/ticket-2', foreign)).status).toBe(403);
    expect(running.tickets).toEqual(['ticket-1']);
  });

  test('sends no body for HEAD and refuses writes to read-only paths', async () => {
    const running = await start();
    const head = await rawRequest(running.port, '/', { host: running.host }, { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, '']);
    const headers = { host: running.host, origin: running.origin };
    expect((await rawRequest(running.port, '/', headers, { method: 'DELETE' })).status).toBe(405);
  });
});

test('the server listens on the loopback interface only', async () => {
  const running = await start();
  const others = Object.values(os.networkInterfaces())
    .flat()
    .filter((address) => address !== undefined && !address.internal && address.family === 'IPv4');
  // On Linux a server on all addresses would accept connections at 127.0.0.2, even without a network.
  const loopback = process.platform === 'linux' ? ['127.0.0.2'] : [];
  for (const address of [...loopback, ...others.map((other) => other?.address ?? '')]) {
    expect(await canConnect(address, running.port)).toBe(false);
  }
  expect(await canConnect('127.0.0.1', running.port)).toBe(true);
});

test('a port in use ends the program with a message and status 2', async () => {
  const running = await start();
  const again = startBrowserServer({
    port: running.port,
    files: () => ({ answer: () => ({ status: 404, headers: {}, body: '' }) }),
    sessions: running.sessions,
    served: Promise.resolve({ serveRpc: () => undefined, serveBytes: () => Promise.resolve() }),
    onError: () => undefined,
  });
  await expect(again).rejects.toMatchObject({
    exitStatus: 2,
    message: expect.stringContaining(`Another program uses port ${String(running.port)}`) as string,
  });
});

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.createConnection({ host, port, timeout: 2000 }, () => {
      resolve(true);
      socket.destroy();
    });
    const fail = (): void => {
      resolve(false);
      socket.destroy();
    };
    socket.on('error', fail);
    socket.on('timeout', fail);
  });
}
