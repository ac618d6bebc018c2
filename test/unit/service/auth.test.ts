import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Service } from '../../support/lab-service/server.ts';
import {
  bucketWith,
  call,
  hmacSha256,
  keys,
  md5,
  elementText,
  pathOf,
  prepare,
  presign,
  put,
  region,
  send,
  serve,
  type Call,
  crcOf,
  sha256,
} from './harness.ts';

const now = new Date('2026-04-05T06:07:08Z');
const clock = { nowMs: () => now.getTime() };
const path = '/bucket/note.txt';

async function service(options: Parameters<typeof serve>[0] = {}): Promise<Service> {
  const started = await serve({ clock, ...options });
  started.store.buckets.create('bucket', 0);
  await call(started, { method: 'PUT', path, body: 'hello', now });
  return started;
}

async function codeOf(target: Service, request: Call): Promise<string | null> {
  const reply = await call(target, { now, ...request });
  return reply.status < 300 ? 'ok' : elementText(reply.text, 'Code');
}

describe('a header signature', () => {
  test("of the vendor's signer is accepted", async () => {
    expect(await codeOf(await service(), { path })).toBe('ok');
  });

  test('with a wrong secret is SignatureDoesNotMatch, and the response shows what was signed', async () => {
    const reply = await call(await service(), {
      path,
      now,
      credentials: { ...keys, secretAccessKey: 'wrong' },
    });
    expect([reply.status, elementText(reply.text, 'Code')]).toEqual([403, 'SignatureDoesNotMatch']);
    expect(elementText(reply.text, 'StringToSign')).toContain('AWS4-HMAC-SHA256');
    expect(reply.text).not.toContain(keys.secretAccessKey);
  });

  test('with an unknown key is InvalidAccessKeyId', async () => {
    expect(await codeOf(await service(), { path, credentials: { ...keys, accessKeyId: 'NOBODY' } })).toBe(
      'InvalidAccessKeyId',
    );
  });

  test('that is missing is AccessDenied, unless the bucket is public', async () => {
    const target = await service({ publicBuckets: ['bucket'] });
    target.store.buckets.create('private', 0);
    expect(await codeOf(target, { path: '/private', sign: false })).toBe('AccessDenied');
    expect(await codeOf(target, { path: '/', sign: false })).toBe('AccessDenied');
    expect(await codeOf(target, { path, sign: false })).toBe('ok');
    expect(await codeOf(target, { method: 'DELETE', path, sign: false })).toBe('AccessDenied');
  });

  test.each([
    ['another method', { method: 'DELETE' }],
    ['another path', { target: '/bucket/other.txt' }],
    ['another query', { target: `${path}?response-content-type=text/html` }],
    ['another signed header', { headers: { 'x-amz-meta-a': '2' } }],
  ])(
    'for %s than the one sent is SignatureDoesNotMatch',
    async (_, change: { method?: string; target?: string; headers?: Record<string, string> }) => {
      const target = await service();
      const signed = await prepare(target, { path, now, headers: { 'x-amz-meta-a': '1' } });
      const reply = await send(target, change.method ?? signed.method, change.target ?? signed.target, {
        ...signed.headers,
        ...change.headers,
      });
      expect([reply.status, elementText(reply.text, 'Code')]).toEqual([403, 'SignatureDoesNotMatch']);
      expect(await codeOf(target, { path })).toBe('ok');
    },
  );

  test('without an x-amz- header that is sent is AccessDenied', async () => {
    expect(await codeOf(await service(), { path, unsignedHeaders: { 'x-amz-meta-a': '1' } })).toBe(
      'AccessDenied',
    );
  });

  test('for another body is XAmzContentSHA256Mismatch, and the body is not stored', async () => {
    const target = await service();
    const payloadHash = createHash('sha256').update('hello').digest('hex');
    expect(await codeOf(target, { method: 'PUT', path, body: 'hallo', payloadHash })).toBe(
      'XAmzContentSHA256Mismatch',
    );
    expect((await call(target, { path, now })).text).toBe('hello');
    expect(
      await codeOf(target, { method: 'PUT', path, body: 'hallo', payloadHash: 'UNSIGNED-PAYLOAD' }),
    ).toBe('ok');
  });

  test.each([
    [-15 * 60, 'ok'],
    [15 * 60, 'ok'],
    [-15 * 60 - 1, 'RequestTimeTooSkewed'],
    [15 * 60 + 1, 'RequestTimeTooSkewed'],
    [20 * 60, 'RequestTimeTooSkewed'],
  ])('with a clock off by %i seconds: %s', async (seconds, expected) => {
    const target = await service();
    const reply = await call(target, { path, now: new Date(now.getTime() + seconds * 1000) });
    expect(reply.status < 300 ? 'ok' : elementText(reply.text, 'Code')).toBe(expected);
    expect(reply.headers.date).toBe('Sun, 05 Apr 2026 06:07:08 GMT');
  });

  test('for another region is AuthorizationHeaderMalformed and names the right one', async () => {
    const reply = await call(await service(), { path, now, region: 'us-west-2' });
    expect([reply.status, elementText(reply.text, 'Code'), elementText(reply.text, 'Region')]).toEqual([
      400,
      'AuthorizationHeaderMalformed',
      region,
    ]);
    expect(reply.headers['x-amz-bucket-region']).toBe(region);
  });

  test.each([
    ['AWS4-HMAC-SHA256 rubbish', 'AuthorizationHeaderMalformed'],
    ['AWS TESTKEY:c2lnbmF0dXJl', 'InvalidRequest'],
    ['Basic dXNlcjpwYXNz', 'InvalidRequest'],
  ])('in the form %s is %s', async (authorization, code) => {
    expect(await codeOf(await service(), { path, sign: false, headers: { authorization } })).toBe(code);
  });

  test.each(['..', '.', 'a//b', '/x', 'a b+c', 'é', '%', '%2F', 'a?b#c', "('!*~)", '\u0001\u007f', '😀'])(
    'covers the raw path of the key %j',
    async (key) => {
      const target = await service();
      const at = pathOf('bucket', key);
      expect(await codeOf(target, { method: 'PUT', path: at, body: key })).toBe('ok');
      expect((await call(target, { path: at, now })).text).toBe(key);
    },
  );

  test('covers characters that the client left unencoded in the path as if encoded', async () => {
    const target = await service();
    const signed = await prepare(target, { path: '/bucket/note%28.txt', method: 'PUT', body: 'x', now });
    expect((await send(target, 'PUT', '/bucket/note(.txt', signed.headers, 'x')).status).toBe(200);
  });
});

describe('a session token', () => {
  const token = 'the-session-token';
  const expiresAtMs = now.getTime() + 1000;

  test('is required if the key has one', async () => {
    const target = await serve({ clock, credentials: [{ ...keys, sessionToken: token }] });
    expect(await codeOf(target, { path: '/' })).toBe('InvalidToken');
    expect(await codeOf(target, { path: '/', credentials: { ...keys, sessionToken: 'other' } })).toBe(
      'InvalidToken',
    );
    expect(await codeOf(target, { path: '/', credentials: { ...keys, sessionToken: token } })).toBe('ok');
  });

  test('that has expired is ExpiredToken', async () => {
    let nowMs = now.getTime();
    const target = await serve({
      clock: { nowMs: () => nowMs },
      credentials: [{ ...keys, sessionToken: token, expiresAtMs }],
    });
    const credentials = { ...keys, sessionToken: token };
    expect(await codeOf(target, { path: '/', credentials })).toBe('ok');
    nowMs = expiresAtMs;
    expect(await codeOf(target, { path: '/', credentials })).toBe('ExpiredToken');
  });
});

describe('a presigned URL', () => {
  test('works for GET and PUT', async () => {
    const target = await service();
    const upload = await presign(target, { method: 'PUT', path: '/bucket/a%20b', expiresInSeconds: 60, now });
    expect((await send(target, 'PUT', upload, {}, 'by address')).status).toBe(200);
    const read = await presign(target, { path: '/bucket/a%20b', expiresInSeconds: 60, now });
    expect((await send(target, 'GET', read)).text).toBe('by address');
  });

  test('is refused for another method, another key or a changed parameter', async () => {
    const target = await service();
    const address = await presign(target, { path, expiresInSeconds: 60, now });
    expect((await send(target, 'GET', address)).text).toBe('hello');
    for (const [method, changed] of [
      ['PUT', address],
      ['GET', address.replace('note', 'nota')],
      ['GET', address.replace('Expires=60', 'Expires=6000')],
      ['GET', `${address}&response-content-type=text%2Fhtml`],
    ] as const) {
      expect(elementText((await send(target, method, changed)).text, 'Code')).toBe('SignatureDoesNotMatch');
    }
  });

  test('that has expired is AccessDenied with "Request has expired"', async () => {
    let nowMs = now.getTime();
    const target = await service({ clock: { nowMs: () => nowMs } });
    const address = await presign(target, { path, expiresInSeconds: 60, now });
    nowMs += 60_000;
    expect((await send(target, 'GET', address)).status).toBe(200);
    nowMs += 1;
    const reply = await send(target, 'GET', address);
    expect([reply.status, elementText(reply.text, 'Code'), elementText(reply.text, 'Message')]).toEqual([
      403,
      'AccessDenied',
      'Request has expired',
    ]);
  });

  test.each([0, 604_801])('with X-Amz-Expires=%i is AuthorizationQueryParametersError', async (seconds) => {
    const target = await service();
    const address = await presign(target, { path, expiresInSeconds: 60, now });
    const reply = await send(target, 'GET', address.replace('Expires=60', `Expires=${seconds}`));
    expect([reply.status, elementText(reply.text, 'Code')]).toEqual([
      400,
      'AuthorizationQueryParametersError',
    ]);
  });
});

describe('bucket addressing', () => {
  test.each(['bucket.localhost', 'bucket.s3.localhost', 'BUCKET.LOCALHOST:80'])(
    'accepts the bucket in the Host header: %s',
    async (host) => {
      const target = await service();
      expect((await call(target, { path: '/note.txt', headers: { host }, now })).text).toBe('hello');
      const listed = await call(target, { path: '/', headers: { host }, now });
      expect(elementText(listed.text, 'Name')).toBe('bucket');
    },
  );

  test('accepts a bucket with dots in its name in both styles', async () => {
    const target = await service();
    target.store.buckets.create('my.bucket', 0);
    await call(target, { method: 'PUT', path: '/my.bucket/a', body: 'dots', now });
    expect((await call(target, { path: '/a', headers: { host: 'my.bucket.localhost' }, now })).text).toBe(
      'dots',
    );
  });
});

function spoilTrailer(body: string): string {
  return body.replace(/(trailer-signature:)./, '$1_');
}

describe('an aws-chunked body', () => {
  const time = '20260405T060708Z';
  const scope = `20260405/${region}/s3/aws4_request`;
  const empty = createHash('sha256').digest('hex');

  interface Chunked {
    readonly payloadHash: string;
    readonly chunks: readonly string[];
    readonly trailer?: readonly [string, string];
    readonly spoil?: (body: string) => string;
  }

  async function upload(
    target: Service,
    { payloadHash, chunks, trailer, spoil }: Chunked,
  ): Promise<string | null> {
    const length = chunks.join('').length;
    const headers: Record<string, string> = {
      'content-encoding': 'aws-chunked,gzip',
      'x-amz-decoded-content-length': String(length),
    };
    if (trailer !== undefined) headers['x-amz-trailer'] = trailer[0];
    const signed = await prepare(target, { method: 'PUT', path, payloadHash, headers, now });
    const isSigned = payloadHash.startsWith('STREAMING-AWS4');
    let signature = /Signature=([0-9a-f]+)/.exec(signed.headers['authorization'] ?? '')?.[1] ?? '';
    let key = hmacSha256(`AWS4${keys.secretAccessKey}`, '20260405');
    for (const part of [region, 's3', 'aws4_request']) key = hmacSha256(key, part);
    let body = '';
    for (const chunk of [...chunks, '']) {
      signature = hmacSha256(
        key,
        ['AWS4-HMAC-SHA256-PAYLOAD', time, scope, signature, empty, sha256(chunk).toString('hex')].join('\n'),
      ).toString('hex');
      body += `${chunk.length.toString(16)}${isSigned ? `;chunk-signature=${signature}` : ''}\r\n`;
      if (chunk !== '') body += `${chunk}\r\n`;
    }
    if (trailer !== undefined) {
      body += `${trailer[0]}:${trailer[1]}\r\n`;
      const text = [
        'AWS4-HMAC-SHA256-TRAILER',
        time,
        scope,
        signature,
        sha256(`${trailer[0]}:${trailer[1]}\n`).toString('hex'),
      ].join('\n');
      if (isSigned) body += `x-amz-trailer-signature:${hmacSha256(key, text).toString('hex')}\r\n`;
    }
    const reply = await send(
      target,
      'PUT',
      path,
      signed.headers,
      spoil === undefined ? `${body}\r\n` : spoil(`${body}\r\n`),
    );
    return reply.status === 200 ? 'ok' : elementText(reply.text, 'Code');
  }

  const signedChunks = {
    payloadHash: 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    chunks: ['first ', 'second ', 'third'],
  };
  const withTrailer = {
    payloadHash: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    chunks: ['chunky'],
    trailer: ['x-amz-checksum-crc32', crcOf('chunky')],
  } as const;

  test('with signed chunks is joined, and aws-chunked is removed from Content-Encoding', async () => {
    const target = await service();
    expect(await upload(target, signedChunks)).toBe('ok');
    const got = await call(target, { path, now });
    expect([got.text, got.headers['content-encoding'], got.headers.etag]).toEqual([
      'first second third',
      'gzip',
      `"${md5('first second third')}"`,
    ]);
  });

  test.each([
    ['a byte of a chunk', (body: string) => body.replace('second', 'sekond')],
    ['a signature of a chunk', (body: string) => body.replace(/chunk-signature=./g, 'chunk-signature=0')],
  ])('with %s changed is SignatureDoesNotMatch, and nothing is stored', async (_, spoil) => {
    const target = await service();
    expect(await upload(target, { ...signedChunks, spoil })).toBe('SignatureDoesNotMatch');
    expect((await call(target, { path, now })).text).toBe('hello');
  });

  test.each([
    ['the last chunk is missing', (body: string) => body.slice(0, body.lastIndexOf('0;chunk'))],
    ['a size is invalid', (body: string) => `zz${body}`],
    ['a chunk is longer than its size', (body: string) => body.replace('second ', 'second and more ')],
  ])('is IncompleteBody and not stored if %s', async (_, spoil) => {
    const target = await service();
    expect(['IncompleteBody', 'SignatureDoesNotMatch']).toContain(
      await upload(target, { ...signedChunks, spoil }),
    );
    expect((await call(target, { path, now })).text).toBe('hello');
  });

  test('has its trailing checksum verified, signed or not', async () => {
    const target = await service();
    expect(await upload(target, withTrailer)).toBe('ok');
    expect((await call(target, { path, now })).text).toBe('chunky');
    expect(await upload(target, { ...withTrailer, chunks: ['chunks'] })).toBe('BadDigest');
    const signedTrailer = { ...withTrailer, payloadHash: 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER' };
    expect(await upload(target, signedTrailer)).toBe('ok');
    const spoilt = { ...signedTrailer, spoil: spoilTrailer };
    expect(await upload(target, spoilt)).toBe('SignatureDoesNotMatch');
  });

  test('makes the same object as one sent whole', async () => {
    const target = await service();
    await upload(target, signedChunks);
    const chunked = await call(target, { method: 'HEAD', path, now });
    await call(target, { method: 'PUT', path: '/bucket/whole', body: 'first second third', now });
    expect((await call(target, { method: 'HEAD', path: '/bucket/whole', now })).headers.etag).toBe(
      chunked.headers.etag,
    );
  });
});

test('the service accepts requests of a client whose clock is not fixed', async () => {
  const target = await serve();
  await bucketWith(target, []);
  expect((await put(target, 'bucket', 'a')).status).toBe(200);
});
