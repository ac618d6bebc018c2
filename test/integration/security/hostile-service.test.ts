import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { maxXmlBytes } from '../../../electron/core/s3/http/timeouts.ts';
import { clientFor, errorOf } from '../../support/servers/s3-client.ts';

/** Tests responses of a malicious or broken service: each ends as an error, and reading stays within the memory limit. */
let closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers) close();
  closers = [];
});

const chunk = Buffer.alloc(256 * 1024, 'x');
/** Bytes that the sockets on both sides may buffer beyond those that were read. */
const inFlightBytes = 32 * 1024 * 1024;

async function serve(reply: (response: ServerResponse) => void): Promise<string> {
  const server = http.createServer((request, response) => {
    request.resume();
    response.on('error', () => undefined);
    reply(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** Sends pieces as long as the client reads them. Returns a function that reads the number of bytes sent. */
function pour(response: ServerResponse, maxBytes: number, end: string): { readonly sent: () => number } {
  let sent = 0;
  const more = (): void => {
    while (sent < maxBytes && !response.destroyed) {
      sent += chunk.length;
      if (!response.write(chunk)) {
        response.once('drain', more);
        return;
      }
    }
    if (!response.destroyed) response.end(end);
  };
  more();
  return { sent: () => sent };
}

describe('a hostile response', () => {
  test.each([
    ['200 MB in one element', 200 * 1024 * 1024, '</Key></Contents></ListBucketResult>'],
    ['an endless body', Number.POSITIVE_INFINITY, ''],
  ])('with %s is aborted at the size limit', { timeout: 60_000 }, async (_name, maxBytes, end) => {
    let poured: ReturnType<typeof pour> | null = null;
    const endpoint = await serve((response) => {
      response.writeHead(200, { 'content-type': 'application/xml' });
      response.write('<ListBucketResult><Contents><Key>');
      poured = pour(response, maxBytes, end);
    });
    const error = await errorOf(clientFor(endpoint).client.listObjects({ bucket: 'b' }));
    expect(error).toMatchObject({ code: 'protocol', reason: 'too-big' });
    expect((poured as ReturnType<typeof pour> | null)?.sent()).toBeLessThan(maxXmlBytes + inFlightBytes);
  });

  test('with a header of 1 MB is an error', async () => {
    const endpoint = await serve((response) => {
      response.writeHead(200, { 'x-amz-meta-long': 'x'.repeat(1024 * 1024) });
      response.end();
    });
    const error = await errorOf(clientFor(endpoint).client.headObject({ bucket: 'b', key: 'k' }));
    expect(['network', 'protocol']).toContain(error.code);
  });

  test.each([
    [
      'expanding entities',
      '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><l>&b;</l>',
    ],
    ['an entity of a local file', '<!DOCTYPE l [<!ENTITY f SYSTEM "file:///etc/passwd">]><l>&f;</l>'],
    ['an entity from another host', '<!DOCTYPE l SYSTEM "http://127.0.0.1:9/x.dtd"><l/>'],
    ['deep nesting', `${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}`],
  ])('with %s is an error, and nothing of it is read', async (_name, body) => {
    const endpoint = await serve((response) => {
      response.writeHead(200, { 'content-type': 'application/xml' });
      response.end(body);
    });
    const error = await errorOf(clientFor(endpoint).client.listBuckets());
    expect(error.code).toBe('protocol');
    expect(JSON.stringify(error)).not.toContain('root:');
  });

  test('that redirects to plain http gets no signature there', async () => {
    const seen: (string | undefined)[] = [];
    const plain = http.createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end();
    });
    await new Promise<void>((resolve) => {
      plain.listen(0, '127.0.0.1', resolve);
    });
    closers.push(() => {
      plain.closeAllConnections();
      plain.close();
    });
    const away = `http://localhost:${String((plain.address() as AddressInfo).port)}/b`;
    for (const status of [301, 302, 303, 307, 308]) {
      const endpoint = await serve((response) => {
        response.writeHead(status, { location: away }).end();
      });
      const error = await errorOf(clientFor(endpoint).client.listObjects({ bucket: 'b' }));
      expect(error.outcome).toBe('not-applied');
    }
    expect(seen).toEqual([]);
  });
});
