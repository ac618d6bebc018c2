import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sliceBody } from '../../../electron/core/disk/slice-body.ts';
import { openPort, resolveName, shakeHands } from '../../../electron/core/s3/http/probe.ts';
import { systemProxy } from '../../../electron/host/system-proxy.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { clientFor, errorOf, fakeClock } from '../../support/servers/s3-client.ts';
import {
  startScriptedServer,
  xmlResponse,
  type ScriptedServer,
} from '../../support/servers/scripted-server.ts';

const pem = (name: string) =>
  readFileSync(new URL(`../../support/certificates/${name}`, import.meta.url), 'utf8');
const ca = pem('ca.pem');
const tlsOf = (name: string) => ({ key: pem(`${name}.key`), cert: pem(`${name}.pem`) });
const listing = xmlResponse('<ListBucketResult/>');
const once = { maxTries: 1 };

const fail = async (server: ScriptedServer, caPem: string | null) => {
  const { client } = clientFor(server.endpoint, { caPem });
  const error = await errorOf(client.listObjects({ bucket: 'b' }, once));
  await client.close();
  return error;
};

describe('a TLS connection', () => {
  let good: ScriptedServer;
  let other: ScriptedServer;
  let expired: ScriptedServer;

  beforeAll(async () => {
    good = await startScriptedServer({ tls: tlsOf('server'), hostname: 'localhost' });
    other = await startScriptedServer({ tls: tlsOf('other'), hostname: 'localhost' });
    expired = await startScriptedServer({ tls: tlsOf('expired'), hostname: 'localhost' });
    good.answer(listing);
  });
  afterAll(async () => {
    await Promise.all([good.close(), other.close(), expired.close()]);
  });

  it("trusts a private authority only with the connection's PEM", async () => {
    const { client } = clientFor(good.endpoint, { caPem: ca });
    expect((await client.listObjects({ bucket: 'b' })).objects).toEqual([]);
    await client.close();
    expect(await fail(good, null)).toMatchObject({
      code: 'network',
      reason: 'tls-untrusted',
      retry: 'after-fix',
    });
  });

  it('refuses a certificate with another name or an expired one, with or without the PEM', async () => {
    expect(await fail(other, ca)).toMatchObject({ reason: 'tls-hostname', outcome: 'not-applied' });
    expect(await fail(expired, ca)).toMatchObject({ reason: 'tls-expired' });
  });

  it('to a plain HTTP port fails with tls-protocol', async () => {
    const plain = await startScriptedServer();
    const { client } = clientFor(plain.endpoint.replace('http:', 'https:'));
    expect(await errorOf(client.listObjects({ bucket: 'b' }, once))).toMatchObject({
      code: 'network',
      reason: 'tls-protocol',
    });
    await client.close();
    await plain.close();
  });

  it('with a PEM file without a certificate is refused at once', async () => {
    expect(await errorOf(() => clientFor(good.endpoint, { caPem: 'no PEM' }))).toMatchObject({
      code: 'invalid-argument',
      reason: 'ca-unreadable',
    });
  });

  it('sends a stream as UNSIGNED-PAYLOAD, since TLS protects it', async () => {
    good.answer({ headers: { etag: '"e"' } });
    const { client } = clientFor(good.endpoint, { caPem: ca });
    const { Readable } = await import('node:stream');
    await client.putObject({
      bucket: 'b',
      key: 'k',
      body: { sizeBytes: 3, open: () => Readable.from([Buffer.from('abc')]) },
    });
    expect(good.requests.at(-1)?.headers['x-amz-content-sha256']).toBe('UNSIGNED-PAYLOAD');
    good.answer(listing);
    await client.close();
  });

  it('sends a file through two blocks of memory unchanged', async () => {
    good.answer({ headers: { etag: '"e"' } });
    const { client } = clientFor(good.endpoint, { caPem: ca });
    const file = path.join(tempDir(), 'file');
    const bytes = bytesOf(12 << 20, 5);
    writeFileSync(file, bytes);
    const { signal } = new AbortController();
    const slice = { offset: 1, sizeBytes: bytes.length - 1, bytes: null, limiters: [], signal };
    const body = sliceBody({ ...slice, file: { path: file }, onBytes: () => undefined });
    await client.putObject({ bucket: 'b', key: 'k', body });
    expect(good.requests.at(-1)?.body.equals(bytes.subarray(1))).toBe(true);
    good.answer(listing);
    await client.close();
  });

  it('uses virtual-host style, but path style for a bucket with dots', async () => {
    const { client } = clientFor(`https://s3.localhost:${good.port}`, {
      caPem: ca,
      addressing: 'virtual-host',
    });
    await client.listObjects({ bucket: 'bucket' });
    expect(good.requests.at(-1)).toMatchObject({
      path: '/?encoding-type=url&list-type=2',
      headers: { host: `bucket.s3.localhost:${good.port}` },
    });
    await client.listObjects({ bucket: 'my.bucket' });
    expect(good.requests.at(-1)?.path).toBe('/my.bucket?encoding-type=url&list-type=2');
    await client.close();
  });

  it('yields the same errors in the connection probe', async () => {
    const peer = { hostname: 'localhost', port: good.port };
    const facts = await shakeHands(peer, ca);
    expect(facts).toMatchObject({ subject: 'localhost', issuer: 'Cooper test authority' });
    expect(facts.protocol).toMatch(/^TLSv1\.[23]$/);
    expect(await errorOf(shakeHands(peer, null))).toMatchObject({ reason: 'tls-untrusted' });
    expect(await errorOf(shakeHands({ ...peer, port: other.port }, ca))).toMatchObject({
      reason: 'tls-hostname',
    });
    expect(await errorOf(shakeHands({ ...peer, port: expired.port }, ca))).toMatchObject({
      reason: 'tls-expired',
    });
  });
});

describe('an unresponsive service', () => {
  it('with a closed port is reported as refused, also by the probe', async () => {
    const gone = await startScriptedServer();
    await gone.close();
    const { client } = clientFor(gone.endpoint);
    expect(await errorOf(client.listObjects({ bucket: 'b' }, once))).toMatchObject({
      code: 'network',
      reason: 'connection-refused',
      outcome: 'not-applied',
    });
    expect(await errorOf(openPort({ hostname: '127.0.0.1', port: gone.port }))).toMatchObject({
      reason: 'connection-refused',
    });
    await client.close();
  });

  it('with an unknown host name is reported as such, also by the probe', async () => {
    const { client } = clientFor('http://does-not-exist.invalid:1');
    expect(await errorOf(client.listObjects({ bucket: 'b' }, once))).toMatchObject({
      code: 'network',
      reason: 'dns',
    });
    expect(await errorOf(resolveName('does-not-exist.invalid'))).toMatchObject({ reason: 'dns' });
    expect(await resolveName('127.0.0.1')).toEqual(['127.0.0.1']);
    expect(await resolveName('[::1]')).toEqual(['::1']);
    await client.close();
  });

  it('is distinguished by silence before the first byte and within the body', async () => {
    const server = await startScriptedServer();
    const { client } = clientFor(server.endpoint, {}, { timeouts: { firstByteMs: 150, inactivityMs: 150 } });
    server.answer('hang');
    expect(await errorOf(client.listObjects({ bucket: 'b' }, once))).toMatchObject({
      code: 'timeout',
      reason: 'first-byte-timeout',
    });
    server.answer({ slowly: { pieces: ['<a>', ' '], pauseMs: 1500 } });
    expect(await errorOf(client.listObjects({ bucket: 'b' }, once))).toMatchObject({
      code: 'timeout',
      reason: 'inactivity',
    });
    await client.close();
    await server.close();
  });

  it('that does not speak HTTP is reported as such', async () => {
    const ssh = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.end('SSH-2.0-OpenSSH_9.2\r\n');
    });
    await new Promise<void>((resolve) => ssh.listen(0, '127.0.0.1', resolve));
    const { port } = ssh.address() as AddressInfo;
    const { client } = clientFor(`http://127.0.0.1:${port}`);
    expect(await errorOf(client.listObjects({ bucket: 'b' }, once))).toMatchObject({
      code: 'protocol',
      reason: 'not-http',
    });
    expect((await openPort({ hostname: '127.0.0.1', port })).address).toBe('127.0.0.1');
    await client.close();
    ssh.close();
  });

  it('ends a probe at once when it is aborted', async () => {
    const abort = new AbortController();
    abort.abort();
    const options = { signal: abort.signal };
    expect(await errorOf(openPort({ hostname: '127.0.0.1', port: 9 }, options))).toMatchObject({
      code: 'cancelled',
    });
    expect(await errorOf(resolveName('localhost', options))).toMatchObject({ code: 'cancelled' });
  });
});

const list = async (endpoint: string, proxyUrl: string | null) => {
  const { client } = clientFor(endpoint, { proxyUrl, caPem: ca });
  try {
    return await client.listObjects({ bucket: 'b', prefix: 'a b' }, once);
  } finally {
    await client.close();
  }
};

describe('a proxy', () => {
  const seen: string[] = [];
  let proxy: Server;
  let proxyUrl: string;
  let plain: ScriptedServer;
  let tls: ScriptedServer;

  beforeAll(async () => {
    plain = await startScriptedServer();
    tls = await startScriptedServer({ tls: tlsOf('server'), hostname: 'localhost' });
    plain.answer(listing);
    tls.answer(listing);
    proxy = createHttpServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      if (request.headers['proxy-authorization'] === undefined) {
        response.writeHead(407).end();
        return;
      }
      response.end('<ListBucketResult/>');
    });
    proxy.on('connect', (request, socket) => {
      seen.push(`CONNECT ${request.url}`);
      socket.on('error', () => socket.destroy());
      if (request.headers['proxy-authorization'] === undefined) {
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
        return;
      }
      const port = Number(request.url?.split(':')[1]);
      const upstream = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      upstream.on('error', () => socket.destroy());
      socket.on('close', () => upstream.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    proxyUrl = `http://user:pass@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await Promise.all([plain.close(), tls.close()]);
  });

  it('that is explicit tunnels https and forwards http with the raw path', async () => {
    await list(tls.endpoint, proxyUrl);
    expect(seen.at(-1)).toBe(`CONNECT localhost:${tls.port}`);
    await list(plain.endpoint, proxyUrl);
    expect(seen.at(-1)).toBe(`GET ${plain.endpoint}/b?encoding-type=url&list-type=2&prefix=a%20b`);
  });

  it('that requires a password is reported as proxy-auth', async () => {
    const bare = proxyUrl.replace('user:pass@', '');
    expect(await errorOf(list(tls.endpoint, bare))).toMatchObject({ code: 'network', reason: 'proxy-auth' });
    expect(await errorOf(list(plain.endpoint, bare))).toMatchObject({
      code: 'network',
      reason: 'proxy-auth',
    });
  });

  it('of the environment is used for other hosts, honouring NO_PROXY, never for localhost', async () => {
    vi.stubEnv('HTTP_PROXY', proxyUrl);
    vi.stubEnv('NO_PROXY', 'direct.invalid');
    try {
      const count = seen.length;
      await list(plain.endpoint, null);
      expect(seen).toHaveLength(count);
      await list('http://storage.invalid', null);
      expect(seen.at(-1)).toContain('GET http://storage.invalid/b?');
      expect(await errorOf(list('http://direct.invalid', null))).toMatchObject({ reason: 'dns' });
      expect(await errorOf(list('http://storage.invalid', 'none'))).toMatchObject({ reason: 'dns' });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('named by the system is used where neither the connection nor the environment names one', async () => {
    const asked: string[] = [];
    const { port } = proxy.address() as AddressInfo;
    // The first proxy does not respond, so the second attempt uses the next one of the PAC file.
    const system = systemProxy((url) => {
      asked.push(url);
      return Promise.resolve(`PROXY 127.0.0.1:9; PROXY 127.0.0.1:${String(port)}; DIRECT`);
    }, fakeClock());
    const { client } = clientFor('http://storage.invalid', { proxyUrl: null }, { systemProxy: system });
    const count = seen.length;
    expect(await errorOf(client.listObjects({ bucket: 'b' }, { maxTries: 2 }))).toMatchObject({
      reason: 'proxy-auth',
    });
    await client.close();
    expect(asked).toEqual(['http://storage.invalid/']);
    expect(seen.slice(count)).toEqual([expect.stringContaining('GET http://storage.invalid/b?')]);
  });

  it('named by the system yields to an explicit one, to the environment, and to this computer', async () => {
    const asked: string[] = [];
    const system = systemProxy((url) => {
      asked.push(url);
      return Promise.resolve('DIRECT');
    }, fakeClock());
    const listWith = async (endpoint: string, chosen: string | null) => {
      const { client } = clientFor(endpoint, { proxyUrl: chosen }, { systemProxy: system });
      await errorOf(client.listObjects({ bucket: 'b' }, once)).catch(() => null);
      await client.close();
    };
    await listWith(plain.endpoint, null);
    await listWith('http://storage.invalid', 'none');
    vi.stubEnv('HTTP_PROXY', proxyUrl);
    await listWith('http://storage.invalid', null);
    vi.unstubAllEnvs();
    expect(asked).toEqual([]);
    await listWith('http://storage.invalid', null);
    expect(asked).toEqual(['http://storage.invalid/']);
  });

  it('with an invalid URL is refused', async () => {
    expect(await errorOf(list(plain.endpoint, 'gopher://x'))).toMatchObject({
      code: 'invalid-argument',
      reason: 'proxy-invalid',
    });
  });
});
