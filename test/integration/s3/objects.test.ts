import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GetObjectInput } from '../../../electron/core/s3/model/object-types.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { bytesSource, clientFor, errorOf, textOf } from '../../support/servers/s3-client.ts';
import {
  errorResponse,
  startScriptedServer,
  type ScriptedServer,
} from '../../support/servers/scripted-server.ts';

let server: ScriptedServer;
let client: S3Client;
const log: { error: string | null; responseBytes: number }[] = [];

beforeAll(async () => {
  server = await startScriptedServer();
  client = clientFor(server.endpoint, {}, { requestLog: (entry) => log.push(entry) }).client;
});
afterAll(async () => {
  await client.close();
  await server.close();
});

const read = async (input: Partial<GetObjectInput> = {}) => {
  const object = await client.getObject({ bucket: 'b', key: 'k', ...input });
  return { ...object, text: await textOf(object.body) };
};

/** Breaks the connection in the middle of an object, and answers the request for the rest with these headers. */
function breaking(before: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): void {
  server.answer(
    { body: 'hello', cutAfterBytes: 2, headers: before },
    { status: 206, body: 'llo', headers: { 'content-range': 'bytes 2-4/5', ...now } },
  );
}

describe('reading an object', () => {
  const time = 'Thu, 01 Jan 2026 00:00:00 GMT';

  it.each([
    ['makes weak', { etag: '"e"', 'last-modified': time }, { etag: 'W/"e"', 'last-modified': time }],
    ['makes strong', { etag: 'W/"e"' }, { etag: '"e"' }],
    ['removes', { etag: '"e"', 'last-modified': time }, { 'last-modified': time }],
  ])('continues after a break if a proxy %s the ETag', async (_what, before, now) => {
    breaking(before, now);
    expect((await read()).text).toBe('hello');
  });

  it.each([
    ['another ETag', { etag: '"e"', 'last-modified': time }, { etag: '"f"', 'last-modified': time }],
    [
      'no ETag and another time',
      { etag: '"e"', 'last-modified': time },
      { 'last-modified': 'Fri, 02 Jan 2026 00:00:00 GMT' },
    ],
    ['no ETag, and no time is known', { etag: '"e"' }, { 'last-modified': time }],
  ])('does not continue after a break with an object that has %s', async (_what, before, now) => {
    breaking(before, now);
    expect(await errorOf(read())).toMatchObject({ code: 'conflict', reason: 'precondition-failed' });
  });

  it('returns its bytes and every header', async () => {
    server.answer({
      body: 'hello',
      headers: {
        etag: '"e"',
        'content-type': 'text/plain',
        'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
        'x-amz-meta-a': '=?UTF-8?B?w6k=?=',
        'x-amz-version-id': 'v',
        'x-amz-storage-class': 'COLD',
      },
    });
    expect(await read({ versionId: 'v 1' })).toMatchObject({
      text: 'hello',
      sizeBytes: 5,
      etag: '"e"',
      contentType: 'text/plain',
      lastModified: '2026-01-01T00:00:00.000Z',
      metadata: { a: 'é' },
      versionId: 'v',
      storageClass: 'COLD',
      contentRange: null,
    });
    expect(server.requests.at(-1)?.path).toBe('/b/k?versionId=v%201');
    expect(log.at(-1)).toMatchObject({ responseBytes: 5, error: null });
  });

  it('that ends early ends the stream with an error', async () => {
    server.answer({ headers: { etag: '"e"' }, body: 'hello world', cutAfterBytes: 5 });
    const object = await client.getObject({ bucket: 'b', key: 'k' });
    expect(await errorOf(textOf(object.body))).toMatchObject({ code: 'network', outcome: 'not-applied' });
    await expect.poll(() => log.at(-1)?.error).toMatch(/^network\//);
  });

  it('can be aborted by its signal halfway', async () => {
    const abort = new AbortController();
    server.answer({
      headers: { 'content-length': '1000', etag: '"e"' },
      slowly: { pieces: ['abc'], pauseMs: 1 },
      body: '',
    });
    const object = await client.getObject({ bucket: 'b', key: 'k' }, { signal: abort.signal });
    abort.abort();
    expect(await errorOf(textOf(object.body))).toMatchObject({ code: 'cancelled' });
  });

  it.each([
    ["a proxy's page", { headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' }],
    ['an error', errorResponse(200, 'InternalError')],
    ['nothing', { body: '' }],
  ])('is retried after %s with status 200', async (_what, response) => {
    const object = { headers: { etag: '"e"' }, body: 'hello' };
    server.answer(response, object);
    expect(await textOf((await client.getObject({ bucket: 'b', key: 'k' })).body)).toBe('hello');
    server.answer(response, object);
    expect(await client.headObject({ bucket: 'b', key: 'k' })).toMatchObject({ etag: '"e"', sizeBytes: 5 });
    server.answer(response);
    expect(await errorOf(read())).toMatchObject({ code: 'protocol', reason: 'unexpected-answer' });
  });

  it("that does not exist fails with the service's code", async () => {
    server.answer(errorResponse(404, 'NoSuchKey'));
    expect(await errorOf(read())).toMatchObject({ code: 'not-found', s3: { code: 'NoSuchKey' } });
  });
});

const partial = (contentRange: string, body = 'cde') => ({
  status: 206,
  headers: { 'content-range': contentRange, etag: '"e"' },
  body,
});

describe('reading a range', () => {
  const range = { firstByte: 2, lastByte: 4 };
  it('returns exactly these bytes of exactly this version', async () => {
    server.answer(partial('bytes 2-4/10'));
    expect(await read({ range, ifMatch: '"e"' })).toMatchObject({
      text: 'cde',
      contentRange: 'bytes 2-4/10',
      sizeBytes: 10,
    });
    expect(server.requests.at(-1)?.headers).toMatchObject({ range: 'bytes=2-4', 'if-match': '"e"' });
  });

  it('beyond the end returns what exists', async () => {
    server.answer(partial('bytes 2-3/4', 'cd'));
    expect((await read({ range: { firstByte: 2, lastByte: 100 } })).text).toBe('cd');
  });

  it.each([
    ['the whole object with 200', { status: 200, body: 'abcdefghij' }],
    ['another range', partial('bytes 0-2/10')],
    ['a longer range', partial('bytes 2-5/10', 'cdef')],
    ['a shorter range', partial('bytes 2-3/10', 'cd')],
    ['206 without Content-Range', { status: 206, body: 'cde' }],
    ['a wrong length', partial('bytes 2-4/10', 'cd')],
  ])('answered with %s is an error, so two versions are never spliced', async (_, response) => {
    server.answer(response);
    expect(await errorOf(read({ range }))).toMatchObject({ code: 'protocol', reason: 'range-ignored' });
  });

  it('of a changed object is a conflict', async () => {
    server.answer(errorResponse(412, 'PreconditionFailed'));
    expect(await errorOf(read({ range, ifMatch: '"old"' }))).toMatchObject({ code: 'conflict' });
  });

  it('that is empty is rejected', async () => {
    expect(await errorOf(read({ range: { firstByte: 4, lastByte: 2 } }))).toMatchObject({
      code: 'invalid-argument',
    });
  });

  it('is not mistaken for the whole object', async () => {
    server.answer(partial('bytes 0-2/10'));
    expect(await errorOf(read())).toMatchObject({ code: 'protocol' });
  });
});

describe('a HEAD request', () => {
  it('distinguishes 403 from a missing object', async () => {
    server.answer({ status: 403 });
    expect(await errorOf(client.headObject({ bucket: 'b', key: 'k' }))).toMatchObject({
      code: 'access-denied',
    });
    server.answer({ status: 404 });
    expect(await errorOf(client.headObject({ bucket: 'b', key: 'k' }))).toMatchObject({
      code: 'not-found',
      reason: 'no-such-key',
    });
    expect(await errorOf(client.headBucket({ bucket: 'b' }))).toMatchObject({ reason: 'no-such-bucket' });
  });

  it('returns the size without a body', async () => {
    server.answer({ headers: { 'content-length': '123456789012', etag: '"e"' } });
    expect(await client.headObject({ bucket: 'b', key: 'k' })).toMatchObject({ sizeBytes: 123456789012 });
  });
});

describe('writing an object', () => {
  it('sends its attributes as headers', async () => {
    server.answer({ headers: { etag: '"e"', 'x-amz-version-id': 'v' } });
    const put = await client.putObject({
      bucket: 'b',
      key: 'k',
      body: bytesSource('x'),
      contentType: 'text/plain',
      cacheControl: 'no-cache',
      storageClass: 'COLD',
      metadata: { Name: 'é' },
      ifNoneMatch: '*',
      contentMd5: 'nTQ=',
    });
    expect(put).toEqual({ etag: '"e"', versionId: 'v', checksums: {}, etagHidesMd5: false });
    expect(server.requests.at(-1)?.headers).toMatchObject({
      'content-type': 'text/plain',
      'cache-control': 'no-cache',
      'x-amz-storage-class': 'COLD',
      'x-amz-meta-name': '=?UTF-8?B?w6k=?=',
      'if-none-match': '*',
      'content-md5': 'nTQ=',
    });
  });

  it('rejects a header that would split the request', async () => {
    const before = server.requests.length;
    expect(
      await errorOf(
        client.putObject({
          bucket: 'b',
          key: 'k',
          body: bytesSource('x'),
          headers: { 'x-amz-acl': 'private\r\nx: y' },
        }),
      ),
    ).toMatchObject({ code: 'invalid-argument' });
    expect(server.requests.length).toBe(before);
  });

  it('that exists is a conflict if only creating was requested', async () => {
    server.answer(errorResponse(412, 'PreconditionFailed'));
    expect(
      await errorOf(client.putObject({ bucket: 'b', key: 'k', body: bytesSource('x'), ifNoneMatch: '*' })),
    ).toMatchObject({ code: 'conflict', outcome: 'not-applied' });
  });

  it.each(['<!DOCTYPE html><title>Sign in</title>', '\n<html><body>Welcome</body></html>'])(
    'answered 200 with a web page (%j) fails with an unknown outcome',
    async (body) => {
      server.answer({ status: 200, headers: { 'content-type': 'text/html' }, body });
      const page = { code: 'protocol', reason: 'html', outcome: 'unknown' };
      expect(
        await errorOf(client.putObject({ bucket: 'b', key: 'k', body: bytesSource('x') })),
      ).toMatchObject(page);
      expect(await errorOf(client.deleteObject({ bucket: 'b', key: 'k' }))).toMatchObject(page);
      expect(
        await errorOf(client.abortMultipartUpload({ bucket: 'b', key: 'k', uploadId: 'u' })),
      ).toMatchObject(page);
    },
  );

  it('answered 200 with an <Error> after white space fails with that error', async () => {
    server.answer({
      status: 200,
      body: `${' \n'.repeat(2000)}<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>`,
    });
    expect(await errorOf(client.deleteObject({ bucket: 'b', key: 'k' }))).toMatchObject({
      code: 'access-denied',
    });
  });

  it('has an unknown outcome if an earlier attempt may have created the object', async () => {
    server.answer('reset', errorResponse(412, 'PreconditionFailed'));
    expect(
      await errorOf(client.putObject({ bucket: 'b', key: 'k', body: bytesSource('x'), ifNoneMatch: '*' })),
    ).toMatchObject({ code: 'conflict', outcome: 'unknown' });
  });
});

describe('a web server without a storage service', () => {
  it('is distinguished from an empty account and a missing bucket', async () => {
    server.answer({
      status: 404,
      headers: { 'content-type': 'text/html' },
      body: '<html><h1>Not found</h1></html>',
    });
    expect(await errorOf(client.listBuckets())).toMatchObject({ code: 'protocol' });
    expect(await errorOf(client.listObjects({ bucket: 'b' }))).toMatchObject({ code: 'protocol' });
    server.answer({ status: 200, body: '<!doctype html><title>Hi</title>' });
    expect(await errorOf(client.listBuckets())).toMatchObject({ code: 'protocol', reason: 'html' });
  });
});
