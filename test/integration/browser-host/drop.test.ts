import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startBrowserServer } from '../../../electron/browser/server.ts';
import { createSessionStore } from '../../../electron/browser/session-store.ts';
import { serveBytes } from '../../../electron/host/bytes-http.ts';
import { coreUnderTest } from '../../support/core/core-under-test.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { rawRequest } from './raw-http.ts';

const content = 'the bytes of the file';
const announced = { name: 'film.mp4', sizeBytes: content.length, modifiedAt: null };

async function start() {
  const { core, client, dataDir } = coreUnderTest();
  const server = await startBrowserServer({
    port: 0,
    files: () => ({ answer: () => ({ status: 404, headers: {}, body: '' }) }),
    sessions: createSessionStore(() => 0),
    served: Promise.resolve({
      serveRpc: () => undefined,
      serveBytes: (ticket, request, response) => serveBytes(core.bytes, ticket, request, response),
    }),
    onError: (thrown) => {
      throw thrown;
    },
  });
  onTestFinished(() => server.close());
  const host = `127.0.0.1:${String(server.port)}`;
  const sameOrigin = { host, origin: `http://${host}` };
  const put = async (target: string, body = content, headers: Record<string, string> = sameOrigin) =>
    await rawRequest(server.port, target, headers, { method: 'PUT', body });
  const left = (): readonly string[] => readdirSync(path.join(dataDir, 'dropped'));
  return { client, core, server, own: sameOrigin, put, left };
}

describe('a file dropped on the page', () => {
  test('is accepted once under its ticket', async () => {
    const { client, put, left } = await start();
    const { path: address } = await client.files.receive(announced);
    const { status, head } = await put(address);
    expect(status).toBe(204);
    expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(left()).toHaveLength(1);
    expect((await put(address)).status).toBe(404);
    expect(left()).toHaveLength(1);
  });

  test.each([
    ['a wrong ticket', `/bytes/${'A'.repeat(22)}`, content, 404],
    ['no ticket', '/bytes/', content, 404],
    ['another address', '/index.html', content, 405],
  ])('is refused with %s', async (_name, address, body, status) => {
    const { put, client } = await start();
    await client.files.receive(announced);
    expect((await put(address, body)).status).toBe(status);
  });

  test('is refused and removed if its size differs', async () => {
    const { client, put, left } = await start();
    const { path: address } = await client.files.receive(announced);
    expect((await put(address, `${content}!`)).status).toBe(400);
    expect(left()).toEqual([]);
  });

  test('is refused from another site, host name or without an origin, and its ticket stays valid', async () => {
    const { client, put, own: sameOrigin, left } = await start();
    const { path: address } = await client.files.receive(announced);
    const { host } = sameOrigin;
    expect((await put(address, content, { host, origin: 'https://evil.example' })).status).toBe(403);
    expect((await put(address, content, { host, origin: 'http://127.0.0.1:1' })).status).toBe(403);
    expect((await put(address, content, { host })).status).toBe(403);
    expect((await put(address, content, { host: 'evil.example', origin: sameOrigin.origin })).status).toBe(
      421,
    );
    expect(left()).toEqual([]);
    expect((await put(address)).status).toBe(204);
  });

  test('is removed if its body breaks off', async () => {
    const { client, server, own: sameOrigin, left } = await start();
    const { path: address } = await client.files.receive(announced);
    const socket = net.createConnection(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `PUT ${address} HTTP/1.1\r\nhost: ${sameOrigin.host}\r\norigin: ${sameOrigin.origin}\r\ncontent-length: ${String(content.length)}\r\n\r\nthe`,
    );
    await expect.poll(left, { timeout: 5000 }).toHaveLength(1);
    socket.destroy();
    await expect.poll(left, { timeout: 5000 }).toEqual([]);
  });

  test("cannot be read with its ticket, and a preview's ticket cannot be written", async () => {
    const { client, server, own: sameOrigin } = await start();
    const { path: address } = await client.files.receive(announced);
    expect((await rawRequest(server.port, address, sameOrigin)).status).toBe(404);
  });

  test('is refused up front if no disk can hold it', async () => {
    const { client } = await start();
    await expect(
      client.files.receive({ ...announced, sizeBytes: Number.MAX_SAFE_INTEGER }),
    ).rejects.toMatchObject({ data: { code: 'storage', reason: 'drop-no-space' } });
  });

  test('is removed when its window discards it', async () => {
    const { client, put, left } = await start();
    const { path: address, handle } = await client.files.receive(announced);
    await put(address);
    await client.files.discard({ handle });
    expect(left()).toEqual([]);
  });
});

test('the copy of a dropped file that no job needs is removed at the next start', async () => {
  const dataDir = tempDir();
  const dir = path.join(dataDir, 'dropped');
  mkdirSync(path.join(dir, 'a'.repeat(32)), { recursive: true });
  writeFileSync(path.join(dir, 'a'.repeat(32), 'film.mp4'), content);
  writeFileSync(path.join(dir, `${'b'.repeat(32)}.part`), 'the');
  coreUnderTest({ dataDir });
  await expect.poll(() => readdirSync(dir), { timeout: 5000 }).toEqual([]);
});

test('the desktop host receives a file without a path under its own ticket only', async () => {
  const { client, core } = coreUnderTest({ host: 'desktop' });
  expect((await client.files.receive(announced)).path).toMatch(/^\/bytes\/[\w-]{22}$/u);
  const reply = await core.bytes.handle({ method: 'PUT', path: `/bytes/${'A'.repeat(22)}`, headers: {} });
  expect(reply.status).toBe(405);
});
