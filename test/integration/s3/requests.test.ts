import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profileKeys } from '../../../electron/core/connections/credentials.ts';
import type { Credentials, EndpointConfig } from '../../../electron/core/s3/model/connection-types.ts';
import { failure } from '../../../shared/errors.ts';
import {
  bytesSource,
  clientFor,
  errorOf,
  fakeClock,
  streamSource,
  testCredentials,
} from '../../support/servers/s3-client.ts';
import {
  errorResponse,
  startScriptedServer,
  xmlResponse,
  type ScriptedServer,
} from '../../support/servers/scripted-server.ts';

let server: ScriptedServer;

beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(async () => {
  await server.close();
});

const fresh = (config: Partial<EndpointConfig> = {}) => clientFor(server.endpoint, config);
const listing = xmlResponse('<ListBucketResult/>');
const since = (count: number) => server.requests.slice(count);
const regionOf = (authorization: string | undefined) =>
  /\/\d{8}\/([^/]+)\/s3\//.exec(authorization ?? '')?.[1];

describe('a temporary error', () => {
  it.each([
    ['429', { status: 429 }],
    ['500', errorResponse(500, 'InternalError')],
    ['502', { status: 502, body: '<html>' }],
    ['503', { status: 503 }],
    ['504', { status: 504 }],
    ['SlowDown', errorResponse(503, 'SlowDown')],
    ['RequestTimeout, which is a 400', errorResponse(400, 'RequestTimeout')],
    ['a reset', 'reset'],
    ['an error with a truncated reason', { status: 400, body: '<Error><Code>Expir' }],
  ] as const)('%s is retried on a fresh socket', async (_, reply) => {
    const { client, clock } = fresh();
    server.answer(listing, reply, listing);
    const before = server.requests.length;
    await client.listObjects({ bucket: 'b' });
    // undici returns a socket to its pool one turn of the event loop after the response.
    await new Promise((resolve) => setTimeout(resolve, 20));
    await client.listObjects({ bucket: 'b' });
    const [first, failed, again] = since(before);
    expect(failed?.socket).toBe(first?.socket);
    expect(again?.socket).not.toBe(first?.socket);
    expect(clock.sleeps).toHaveLength(1);
  });

  it('is retried with growing full jitter', async () => {
    const { client, clock } = fresh();
    server.answer({ status: 503 });
    expect(await errorOf(client.listObjects({ bucket: 'b' }))).toMatchObject({ code: 'server' });
    expect(clock.sleeps).toEqual([50, 100, 200, 400, 800]);
  });

  it('is retried after Retry-After in seconds or as a date', async () => {
    const { client, clock } = fresh();
    const date = new Date(clock.nowMs() + 9_000).toUTCString();
    server.answer(
      { status: 503, headers: { 'retry-after': '4' } },
      { status: 429, headers: { 'retry-after': date } },
      listing,
    );
    await client.listObjects({ bucket: 'b' }, { patienceMs: 10_000 });
    expect(clock.sleeps[0]).toBe(4_000);
    expect(clock.sleeps[1]).toBeGreaterThan(3_000);
    expect(clock.sleeps[1]).toBeLessThanOrEqual(9_000);
  });

  it.each([
    ['than may pass unnoticed', '4', {}],
    ['than the budget', '900', { patienceMs: 3_600_000 }],
  ])(
    'is not retried if Retry-After is longer %s, but reported with the wait',
    async (_what, seconds, options) => {
      const { client, clock } = fresh();
      server.answer({ status: 503, headers: { 'retry-after': seconds } });
      const error = await errorOf(client.listObjects({ bucket: 'b' }, options));
      expect(error).toMatchObject({ retryAfterMs: Number(seconds) * 1000 });
      expect(clock.sleeps).toEqual([]);
    },
  );

  it('is retried only as often as the caller allows', async () => {
    const before = server.requests.length;
    server.answer({ status: 503 });
    await errorOf(fresh().client.listObjects({ bucket: 'b' }, { maxTries: 1 }));
    expect(since(before)).toHaveLength(1);
  });

  it('is retried, and a permanent one is not', async () => {
    const before = server.requests.length;
    server.answer(errorResponse(403, 'AccessDenied'));
    await errorOf(fresh().client.listObjects({ bucket: 'b' }));
    expect(since(before)).toHaveLength(1);
  });
});

describe('a request body', () => {
  it('is reopened for each attempt and sent completely each time', async () => {
    const body = streamSource('0123456789');
    server.answer('reset', { status: 503 }, { headers: { etag: '"e"' } });
    const before = server.requests.length;
    expect(await fresh().client.putObject({ bucket: 'b', key: 'k', body })).toEqual({
      etag: '"e"',
      versionId: null,
      checksums: {},
      etagHidesMd5: false,
    });
    expect(body.opened).toBe(3);
    expect(since(before).map((request) => request.body.toString())).toEqual(
      Array.from({ length: 3 }, () => '0123456789'),
    );
  });

  it('is sent with its length and never chunked', async () => {
    server.answer({ headers: { etag: '"e"' } });
    const big = streamSource('x'.repeat(2 * 1024 * 1024));
    await fresh().client.putObject({ bucket: 'b', key: 'k', body: big });
    const sent = server.requests.at(-1);
    expect(sent?.headers['content-length']).toBe(String(big.sizeBytes));
    expect(sent?.headers['transfer-encoding']).toBeUndefined();
    expect(sent?.headers['x-amz-content-sha256']).toBe('UNSIGNED-PAYLOAD');
    await fresh().client.putObject({ bucket: 'b', key: 'empty', body: bytesSource('') });
    expect(server.requests.at(-1)?.headers['content-length']).toBe('0');
  });

  it('has its hash signed if it is small', async () => {
    server.answer({ headers: { etag: '"e"' } });
    await fresh().client.putObject({ bucket: 'b', key: 'k', body: bytesSource('Welcome to Amazon S3.') });
    expect(server.requests.at(-1)?.headers['x-amz-content-sha256']).toBe(
      '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    );
  });

  it('shorter or longer than announced is a file error, not a network error', async () => {
    server.answer({ headers: { etag: '"e"' } });
    for (const sizeBytes of [9, 11]) {
      for (const repeat of [1, 300_000]) {
        const body = { ...streamSource('0123456789'.repeat(repeat)), sizeBytes: sizeBytes * repeat };
        const error = await errorOf(
          fresh().client.putObject({ bucket: 'b', key: 'k', body }, { maxTries: 1 }),
        );
        expect(error).toMatchObject({ code: 'storage', reason: 'body-changed', outcome: 'not-applied' });
      }
    }
  });

  it('that cannot be read is a file error', async () => {
    const body = {
      sizeBytes: 3,
      open: () => {
        throw Object.assign(new Error("ENOENT: no such file or directory, open 'x'"), { code: 'ENOENT' });
      },
    };
    expect(await errorOf(fresh().client.putObject({ bucket: 'b', key: 'k', body }))).toMatchObject({
      code: 'storage',
      reason: 'body-unreadable',
      message: 'The data to send could not be read (ENOENT).',
    });
  });
});

describe('a wrong clock of this computer', () => {
  it('is corrected once from the Date header for all requests that share the offset', async () => {
    const { client, clock } = fresh();
    const serverDate = new Date(clock.nowMs() + 20 * 60_000);
    const skewed = errorResponse(403, 'RequestTimeTooSkewed', {
      headers: { date: serverDate.toUTCString() },
    });
    server.answer(skewed, listing);
    const before = server.requests.length;
    await client.listObjects({ bucket: 'b' });
    await client.listObjects({ bucket: 'b' });
    const times = since(before).map(({ headers }) => headers['x-amz-date'] ?? '');
    expect(times).toHaveLength(3);
    const expected = serverDate
      .toISOString()
      .replace(/[-:]|\.\d+/g, '')
      .slice(0, 11);
    expect(times[1]?.startsWith(expected.slice(0, 9))).toBe(true);
    expect(times[1]).not.toBe(times[0]);
    expect(times[2]).toBe(times[1]);
    expect(clock.sleeps).toEqual([]);
  });

  it('is also assumed if a HEAD is refused with a quite different Date', async () => {
    const { client, clock } = fresh();
    const date = new Date(clock.nowMs() - 60 * 60_000).toUTCString();
    server.answer({ status: 403, headers: { date } }, { status: 200, headers: { 'content-length': '0' } });
    expect(await client.headBucket({ bucket: 'b' })).toEqual({ region: null });
  });

  it('is corrected only once, then reported as clock-skew', async () => {
    const { client, clock } = fresh();
    server.answer((_, count) =>
      errorResponse(403, 'RequestTimeTooSkewed', {
        headers: { date: new Date(clock.nowMs() + count * 20 * 60_000).toUTCString() },
      }),
    );
    const before = server.requests.length;
    expect(await errorOf(client.listObjects({ bucket: 'b' }))).toMatchObject({ code: 'clock-skew' });
    expect(since(before)).toHaveLength(2);
  });

  it('is corrected for a refused CompleteMultipartUpload too', async () => {
    const { client, clock } = fresh();
    const date = new Date(clock.nowMs() + 20 * 60_000).toUTCString();
    server.answer(
      errorResponse(403, 'RequestTimeTooSkewed', { headers: { date } }),
      xmlResponse('<CompleteMultipartUploadResult/>'),
    );
    const parts = [{ partNumber: 1, etag: 'e' }];
    const done = await client.completeMultipartUpload({ bucket: 'b', key: 'k', uploadId: 'u', parts });
    expect(done.etag).toBeNull();
  });
});

describe('the region', () => {
  it('is learned from the response, used for a second attempt and remembered per bucket', async () => {
    const { client } = fresh({ region: null });
    server.answer(
      errorResponse(400, 'AuthorizationHeaderMalformed', { inner: '<Region>eu-9</Region>' }),
      listing,
    );
    const before = server.requests.length;
    await client.listObjects({ bucket: 'b' });
    await client.listObjects({ bucket: 'b' });
    await client.listObjects({ bucket: 'other' });
    expect(since(before).map(({ headers }) => regionOf(headers['authorization']))).toEqual([
      'us-east-1',
      'eu-9',
      'eu-9',
      'us-east-1',
    ]);
  });

  it('is corrected only once', async () => {
    const { client } = fresh();
    server.answer((_, count) =>
      errorResponse(301, 'PermanentRedirect', { headers: { 'x-amz-bucket-region': `region-${count}` } }),
    );
    const before = server.requests.length;
    expect(await errorOf(client.listObjects({ bucket: 'b' }))).toMatchObject({
      code: 'invalid-argument',
      reason: 'region-mismatch',
    });
    expect(since(before)).toHaveLength(2);
  });

  it('of a HEAD without body and header is learned with a GET', async () => {
    const { client } = fresh();
    server.answer((request) => {
      const right = regionOf(request.headers['authorization']) === 'eu-9';
      if (request.method === 'HEAD') return { status: right ? 200 : 400 };
      if (right) return xmlResponse('<LocationConstraint>eu-9</LocationConstraint>');
      return errorResponse(400, 'AuthorizationHeaderMalformed', { inner: '<Region>eu-9</Region>' });
    });
    await client.headBucket({ bucket: 'b' });
    expect(server.requests.at(-1)?.method).toBe('HEAD');
  });

  it('is not blamed for expired keys, which a HEAD learns from the GET', async () => {
    const { client } = fresh({
      credentials: ({ refresh }) =>
        refresh
          ? Promise.reject(failure('auth-expired', 'The keys have ended.'))
          : Promise.resolve(testCredentials),
    });
    server.answer(({ method }) => (method === 'HEAD' ? { status: 400 } : errorResponse(400, 'ExpiredToken')));
    expect(await errorOf(client.headObject({ bucket: 'b', key: 'k' }))).toMatchObject({
      code: 'auth-expired',
    });
  });

  it('in a redirect to a foreign host is not followed, so no keys are sent there', async () => {
    const { client } = fresh();
    const stranger = await startScriptedServer();
    server.answer({ status: 307, headers: { location: `${stranger.endpoint}/b` } });
    const error = await errorOf(client.listObjects({ bucket: 'b' }));
    expect(error).toMatchObject({ code: 'protocol', reason: 'redirect-refused' });
    expect(error.message).toContain(stranger.endpoint);
    expect(stranger.requests).toHaveLength(0);
    await stranger.close();
  });
});

const source = (fresherThere: boolean) => {
  const asked: boolean[] = [];
  let current: Credentials = { ...testCredentials, sessionToken: 'OLD' };
  const credentials = ({ refresh }: { readonly refresh: boolean }): Promise<Credentials> => {
    asked.push(refresh);
    if (refresh && !fresherThere) return Promise.reject(failure('auth-expired', 'The keys have ended.'));
    if (refresh) current = { ...testCredentials, sessionToken: 'NEW' };
    return Promise.resolve(current);
  };
  return { asked, credentials };
};

describe('temporary keys', () => {
  it('that expired are renewed once and the request is repeated', async () => {
    const { credentials, asked } = source(true);
    server.answer(({ headers }) =>
      headers['x-amz-security-token'] === 'NEW' ? listing : errorResponse(400, 'ExpiredToken'),
    );
    await fresh({ credentials }).client.listObjects({ bucket: 'b' });
    expect(asked).toEqual([false, false, true, false]);
  });

  it('that another request has already renewed are used without renewing them again', async () => {
    const keys = ['OLD', 'NEW'].map((sessionToken) => ({ ...testCredentials, sessionToken }));
    let reads = 0;
    const read = () => Promise.resolve(keys[Math.min(reads++, 1)] ?? testCredentials);
    const isRenewed = Promise.withResolvers<void>();
    let refusals = 0;
    server.answer(async ({ headers }) => {
      if (headers['x-amz-security-token'] === 'NEW') {
        isRenewed.resolve();
        return listing;
      }
      refusals += 1;
      if (refusals === 2) await isRenewed.promise;
      return errorResponse(400, 'ExpiredToken');
    });
    const { client } = fresh({ credentials: profileKeys('work', fakeClock(), read) });
    await Promise.all([client.listObjects({ bucket: 'b' }), client.listObjects({ bucket: 'b' })]);
    expect([refusals, reads]).toEqual([2, 2]);
  });

  it('without renewal fail the request as auth-expired', async () => {
    const { credentials } = source(false);
    server.answer(errorResponse(400, 'ExpiredToken'));
    expect(await errorOf(fresh({ credentials }).client.listObjects({ bucket: 'b' }))).toMatchObject({
      code: 'auth-expired',
      outcome: 'not-applied',
    });
  });

  it('that are refused although new fail the request without a loop', async () => {
    const { credentials, asked } = source(true);
    server.answer(errorResponse(400, 'ExpiredToken'));
    expect(await errorOf(fresh({ credentials }).client.listObjects({ bucket: 'b' }))).toMatchObject({
      code: 'auth-expired',
    });
    expect(asked.filter(Boolean)).toHaveLength(1);
  });
});

describe('a write with a lost response', () => {
  it('counts as done if the next attempt finds it done', async () => {
    const { client } = fresh();
    server.answer('reset', errorResponse(409, 'BucketAlreadyOwnedByYou'));
    await expect(client.createBucket({ bucket: 'b' })).resolves.toBeUndefined();
    server.answer('reset', errorResponse(404, 'NoSuchBucket'));
    await expect(client.deleteBucket({ bucket: 'b' })).resolves.toBeUndefined();
  });

  it('differs from one refused at once, which fails', async () => {
    const { client } = fresh();
    server.answer(errorResponse(409, 'BucketAlreadyOwnedByYou'));
    expect(await errorOf(client.createBucket({ bucket: 'b' }))).toMatchObject({ code: 'conflict' });
    server.answer(errorResponse(404, 'NoSuchBucket'));
    expect(await errorOf(client.deleteBucket({ bucket: 'b' }))).toMatchObject({ code: 'not-found' });
  });
});

describe('an anonymous connection', () => {
  it('signs no request', async () => {
    server.answer(listing);
    await fresh({ credentials: null }).client.listObjects({ bucket: 'b' });
    const { headers } = server.requests.at(-1) ?? { headers: {} };
    expect(
      Object.keys(headers).filter((name) => name.startsWith('x-amz-') || name === 'authorization'),
    ).toEqual([]);
  });
});

const withToken = () => Promise.resolve({ ...testCredentials, sessionToken: 'SESSIONTOKEN123456' });

describe('the request log', () => {
  it('has a line with the outcome of every attempt', async () => {
    const { client, log } = fresh();
    server.answer(
      { status: 503, headers: { 'x-amz-request-id': 'A' } },
      'reset',
      xmlResponse('<ListBucketResult/>', { 'x-amz-request-id': 'C' }),
    );
    await client.listObjects({ bucket: 'b' });
    expect(log).toMatchObject([
      {
        operation: 'ListObjectsV2',
        method: 'GET',
        tryNumber: 1,
        status: 503,
        requestId: 'A',
        error: 'server/unavailable',
      },
      { tryNumber: 2, status: null, requestId: null, error: 'network/reset' },
      { tryNumber: 3, status: 200, requestId: 'C', error: null },
    ]);
    expect(log[2]?.responseBytes).toBeGreaterThan(20);
    expect(log[2]?.path).toBe('/b?encoding-type=url&list-type=2');
  });

  it('contains no secret, and neither does an error, whatever the service sends', async () => {
    const { client, log } = fresh({ credentials: withToken });
    server.answer(({ headers }) => ({
      status: 403,
      body: `<Error><Code>SignatureDoesNotMatch</Code><Message>${testCredentials.secretAccessKey} SESSIONTOKEN123456 ${headers['authorization']}</Message></Error>`,
    }));
    const error = await errorOf(
      client.putObject({
        bucket: 'b',
        key: 'k',
        body: bytesSource('x'),
        headers: { 'x-amz-server-side-encryption-customer-key': 'CUSTOMERKEY' },
      }),
    );
    const signature =
      /Signature=(\w+)/.exec(server.requests.at(-1)?.headers['authorization'] ?? '')?.[1] ?? '-';
    expect(error.s3?.code).toBe('SignatureDoesNotMatch');
    const written = JSON.stringify([error, log]);
    for (const secret of [testCredentials.secretAccessKey, 'SESSIONTOKEN123456', signature, 'CUSTOMERKEY']) {
      expect(written).not.toContain(secret);
    }
  });
});

describe('signed links', () => {
  it('expire after the requested time, or with the keys', async () => {
    const { client, clock } = fresh();
    const link = await client.presign({ bucket: 'b', key: 'a b/../c', method: 'GET', expiresInSeconds: 60 });
    expect(link.url.startsWith(`${server.endpoint}/b/a%20b/../c?X-Amz-Algorithm=`)).toBe(true);
    // Signatures have whole seconds, so the stated end is rounded down.
    expect(Date.parse(link.expiresAt)).toBe(Math.floor(clock.nowMs() / 1000) * 1000 + 60_000);
    const endsAtMs = clock.nowMs() + 10_000;
    const short = fresh({
      credentials: () => Promise.resolve({ ...testCredentials, expiresAtMs: endsAtMs }),
    });
    const shortLink = await short.client.presign({
      bucket: 'b',
      key: 'k',
      method: 'PUT',
      expiresInSeconds: 3600,
    });
    expect(shortLink.expiresAt).toBe(new Date(endsAtMs).toISOString());
  });

  it('are refused for more than seven days or without a key', async () => {
    const ask = (expiresInSeconds: number) =>
      fresh().client.presign({ bucket: 'b', key: 'k', method: 'GET', expiresInSeconds });
    for (const seconds of [604_801, 0, 1.5]) {
      expect(await errorOf(ask(seconds))).toMatchObject({ code: 'invalid-argument' });
    }
    const anonymous = fresh({ credentials: null }).client;
    expect(
      await errorOf(anonymous.presign({ bucket: 'b', key: 'k', method: 'GET', expiresInSeconds: 5 })),
    ).toMatchObject({ code: 'unsupported' });
    expect(anonymous.objectUrl({ bucket: 'b', key: 'a b' })).toBe(`${server.endpoint}/b/a%20b`);
  });
});

describe('closing the client', () => {
  it('rejects requests in flight and later ones as cancelled', async () => {
    const { client } = fresh();
    server.answer('hang');
    const before = server.requests.length;
    const call = errorOf(client.listObjects({ bucket: 'b' }));
    await expect.poll(() => server.requests.length).toBe(before + 1);
    await client.close();
    expect(await call).toMatchObject({ code: 'cancelled' });
    expect(await errorOf(client.listObjects({ bucket: 'b' }))).toMatchObject({ code: 'cancelled' });
  });
});
