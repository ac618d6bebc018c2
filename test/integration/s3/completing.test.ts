import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseXml } from '../../../electron/core/s3/xml/parse.ts';
import type { CompletedPart } from '../../../electron/core/s3/model/multipart-types.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { clientFor, errorOf, type ClientUnderTest } from '../../support/servers/s3-client.ts';
import {
  errorResponse,
  startScriptedServer,
  xmlResponse,
  type ScriptedResponse,
  type ScriptedServer,
} from '../../support/servers/scripted-server.ts';

let server: ScriptedServer;
let under: ClientUnderTest;
let client: S3Client;

beforeAll(async () => {
  server = await startScriptedServer();
  under = clientFor(server.endpoint);
  client = under.client;
});
afterAll(async () => {
  await client.close();
  await server.close();
});

const result =
  '<CompleteMultipartUploadResult><Location>http://h/b/k</Location><Bucket>b</Bucket><Key>k</Key><ETag>&quot;abc-2&quot;</ETag></CompleteMultipartUploadResult>';
const twoParts: readonly CompletedPart[] = [
  { partNumber: 2, etag: '"b"' },
  { partNumber: 1, etag: '"a"' },
];
const complete = (parts = twoParts) =>
  client.completeMultipartUpload({ bucket: 'b', key: 'k', uploadId: 'u+1', parts });

async function failed(reply: ScriptedResponse) {
  const before = server.requests.length;
  server.answer(reply);
  const error = await errorOf(complete());
  return { error, requests: server.requests.length - before };
}

describe('CompleteMultipartUpload', () => {
  it('succeeds with the fields of its result', async () => {
    server.answer(xmlResponse(result, { 'x-amz-request-id': 'RID' }));
    expect(await complete()).toEqual({
      location: 'http://h/b/k',
      etag: '"abc-2"',
      checksums: {},
      requestId: 'RID',
    });
    expect(server.requests.at(-1)?.path).toBe('/b/k?uploadId=u%2B1');
  });

  it('sends its condition, whose refusal means not applied', async () => {
    const input = { bucket: 'b', key: 'k', uploadId: 'u', parts: twoParts };
    server.answer(xmlResponse(result));
    await client.completeMultipartUpload({ ...input, ifNoneMatch: '*' });
    expect(server.requests.at(-1)?.headers).toMatchObject({ 'if-none-match': '*' });
    server.answer(xmlResponse(result));
    await client.completeMultipartUpload({ ...input, ifMatch: '"e"' });
    expect(server.requests.at(-1)?.headers).toMatchObject({ 'if-match': '"e"' });
    server.answer(errorResponse(412, 'PreconditionFailed'));
    expect(await errorOf(client.completeMultipartUpload({ ...input, ifNoneMatch: '*' }))).toMatchObject({
      code: 'conflict',
      reason: 'precondition-failed',
      outcome: 'not-applied',
    });
  });

  it('reads an empty ETag as none (Ceph)', async () => {
    server.answer(
      xmlResponse('<CompleteMultipartUploadResult><ETag></ETag></CompleteMultipartUploadResult>'),
    );
    expect((await complete()).etag).toBeNull();
  });

  it('sends the parts in numeric order', async () => {
    server.answer(xmlResponse(result));
    await complete([10, 2, 1, 11, 9].map((partNumber) => ({ partNumber, etag: `"${partNumber}"` })));
    const sent = parseXml(server.requests.at(-1)?.body ?? Buffer.alloc(0));
    expect(sent.all('Part').map((part) => part.child('PartNumber'))).toEqual(['1', '2', '9', '10', '11']);
  });

  it("sends each ETag exactly as the service wrote it, escaped, with the parts' checksums", async () => {
    server.answer(xmlResponse(result));
    await complete([
      { partNumber: 1, etag: '"AbC&<>"', checksums: { crc32c: 'x==', sha256: 'y=' } },
      { partNumber: 2, etag: 'noquotes' },
    ]);
    const parts = parseXml(server.requests.at(-1)?.body ?? Buffer.alloc(0)).all('Part');
    expect(parts.map((part) => part.child('ETag'))).toEqual(['"AbC&<>"', 'noquotes']);
    expect(parts[0]?.child('ChecksumCRC32C')).toBe('x==');
    expect(parts[0]?.child('ChecksumSHA256')).toBe('y=');
  });

  it('reads the result after any amount of slow white space', async () => {
    server.answer({
      headers: { 'content-type': 'application/xml' },
      slowly: { pieces: ['<?xml version="1.0" encoding="UTF-8"?>\n', ' ', '   ', '\n'], pauseMs: 5 },
      body: result,
    });
    expect((await complete()).etag).toBe('"abc-2"');
    server.answer({
      slowly: { pieces: [' ', ' '.repeat(4096)], pauseMs: 5 },
      body: `<?xml version="1.0"?>${result}`,
    });
    expect((await complete()).etag).toBe('"abc-2"');
  });

  it('without a part is rejected before sending', async () => {
    const before = server.requests.length;
    expect(await errorOf(complete([]))).toMatchObject({ code: 'invalid-argument' });
    expect(server.requests.length).toBe(before);
  });
});

describe('a failed CompleteMultipartUpload is sent exactly once, and', () => {
  const spaces = ' '.repeat(4096);

  it.each<[string, ScriptedResponse, object]>([
    ['a 200 with InternalError', errorResponse(200, 'InternalError'), { code: 'server', outcome: 'unknown' }],
    [
      'a 200 with an error after white space',
      { body: `${spaces}<Error><Code>InternalError</Code></Error>` },
      { code: 'server', outcome: 'unknown' },
    ],
    ['a 200 with SlowDown', errorResponse(200, 'SlowDown'), { code: 'rate-limited', retry: 'backoff' }],
    ['an empty 200', { body: '' }, { code: 'protocol', outcome: 'unknown' }],
    ['a 200 with only white space', { body: spaces }, { code: 'protocol', outcome: 'unknown' }],
    ['a 200 with HTML', { body: '<html><body>x</body></html>' }, { code: 'protocol', outcome: 'unknown' }],
    ['a truncated 200', { body: result.slice(0, 80) }, { code: 'protocol', outcome: 'unknown' }],
    ['a 200 with another root', xmlResponse('<ListBucketResult/>'), { code: 'protocol', outcome: 'unknown' }],
    [
      'a connection broken within the response',
      { body: result, cutAfterBytes: 30 },
      { code: 'network', outcome: 'unknown' },
    ],
    ['a reset', 'reset', { code: 'network', reason: 'reset', outcome: 'unknown' }],
    ['500', errorResponse(500, 'InternalError'), { code: 'server', outcome: 'unknown' }],
    [
      "a proxy's 502",
      { status: 502, body: '<html>Bad Gateway</html>' },
      { code: 'server', outcome: 'unknown' },
    ],
    [
      "a proxy's 504",
      { status: 504, body: '<html>Gateway Time-out</html>' },
      { code: 'server', reason: 'gateway-timeout', outcome: 'unknown' },
    ],
    [
      'a 503 with Retry-After',
      errorResponse(503, 'ServiceUnavailable', { headers: { 'retry-after': '7' } }),
      { code: 'server', retryAfterMs: 7000 },
    ],
    ['NoSuchUpload', errorResponse(404, 'NoSuchUpload'), { code: 'upload-gone', outcome: 'not-applied' }],
    ['NoSuchKey (Ceph)', errorResponse(404, 'NoSuchKey'), { code: 'upload-gone' }],
    [
      'a truncated NoSuchUpload',
      { status: 404, body: '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchUp' },
      { code: 'protocol', reason: 'cut-short', outcome: 'unknown', retry: 'backoff' },
    ],
    [
      'an InvalidPart with a broken connection',
      { status: 400, body: '<Error><Code>InvalidPart</Code></Error>', cutAfterBytes: 30 },
      { code: 'protocol', reason: 'cut-short', outcome: 'unknown', retry: 'backoff' },
    ],
    [
      'a 404 with a web page',
      { status: 404, body: '<?xml version="1.0"?><html><head>' },
      { code: 'protocol', reason: 'unexpected-answer', outcome: 'not-applied', retry: 'after-fix' },
    ],
    [
      'InvalidPart',
      errorResponse(400, 'InvalidPart'),
      { code: 'parts-rejected', reason: 'invalid-part', retry: 'after-fix' },
    ],
    [
      'InvalidPartOrder',
      errorResponse(400, 'InvalidPartOrder'),
      { code: 'parts-rejected', reason: 'invalid-part-order' },
    ],
    [
      'EntityTooSmall',
      errorResponse(400, 'EntityTooSmall'),
      { code: 'parts-rejected', reason: 'part-too-small' },
    ],
  ])('%s is reported with its code and outcome', async (_, reply, expected) => {
    const { error, requests } = await failed(reply);
    expect(error).toMatchObject(expected);
    expect(requests).toBe(1);
    expect(under.clock.sleeps).toEqual([]);
  });

  it('a missing response is cancelled with an unknown outcome', async () => {
    const abort = new AbortController();
    server.answer('hang');
    const before = server.requests.length;
    const call = errorOf(
      client.completeMultipartUpload(
        { bucket: 'b', key: 'k', uploadId: 'u', parts: twoParts },
        { signal: abort.signal },
      ),
    );
    await expect.poll(() => server.requests.length).toBe(before + 1);
    abort.abort();
    expect(await call).toMatchObject({ code: 'cancelled', outcome: 'unknown' });
  });

  it('a refused connection counts as not applied', async () => {
    const gone = await startScriptedServer();
    await gone.close();
    const other = clientFor(gone.endpoint).client;
    expect(
      await errorOf(other.completeMultipartUpload({ bucket: 'b', key: 'k', uploadId: 'u', parts: twoParts })),
    ).toMatchObject({ code: 'network', reason: 'connection-refused', outcome: 'not-applied' });
  });
});

describe('a 200 with an <Error> inside is an error', () => {
  it('for CopyObject and UploadPartCopy, which are retried', async () => {
    server.answer(
      errorResponse(200, 'SlowDown'),
      xmlResponse('<CopyObjectResult><ETag>"e"</ETag></CopyObjectResult>'),
    );
    const copy = await client.copyObject({ bucket: 'b', key: 'k', source: { bucket: 'b', key: 'o' } });
    expect(copy.etag).toBe('"e"');
    server.answer(errorResponse(200, 'InternalError'));
    expect(
      await errorOf(
        client.uploadPartCopy(
          { bucket: 'b', key: 'k', uploadId: 'u', partNumber: 1, source: { bucket: 'b', key: 'o' } },
          { maxTries: 1 },
        ),
      ),
    ).toMatchObject({ code: 'server', outcome: 'unknown' });
  });

  it('for DeleteObjects', async () => {
    server.answer(errorResponse(200, 'AccessDenied'));
    expect(await errorOf(client.deleteObjects({ bucket: 'b', keys: [{ key: 'k' }] }))).toMatchObject({
      code: 'access-denied',
    });
  });
});

describe('CreateMultipartUpload', () => {
  it('is not repeated if it may have been applied', async () => {
    const before = server.requests.length;
    server.answer('reset');
    expect(await errorOf(client.createMultipartUpload({ bucket: 'b', key: 'k' }))).toMatchObject({
      outcome: 'unknown',
    });
    expect(server.requests.length).toBe(before + 1);
  });

  it('may have been applied if the response names no upload', async () => {
    const before = server.requests.length;
    server.answer({ status: 200, body: '<InitiateMultipartUploadResult/>' });
    expect(await errorOf(client.createMultipartUpload({ bucket: 'b', key: 'k' }))).toMatchObject({
      code: 'protocol',
      retry: 'backoff',
      outcome: 'unknown',
    });
    expect(server.requests.length).toBe(before + 1);
  });

  it('is repeated if the service was too busy', async () => {
    server.answer(
      errorResponse(503, 'SlowDown'),
      xmlResponse(
        '<InitiateMultipartUploadResult><UploadId>a/b+c=</UploadId></InitiateMultipartUploadResult>',
      ),
    );
    expect(
      await client.createMultipartUpload({ bucket: 'b', key: 'k', checksumAlgorithm: 'crc32c' }),
    ).toEqual({ uploadId: 'a/b+c=', checksumAlgorithm: null });
    expect(server.requests.at(-1)?.headers['x-amz-checksum-algorithm']).toBe('CRC32C');
  });

  it('sends no checksum header unless requested, as R2, B2 and Wasabi refuse them', async () => {
    const before = server.requests.length;
    server.answer({ headers: { etag: '"e"' } });
    await client.uploadPart({
      bucket: 'b',
      key: 'k',
      uploadId: 'u',
      partNumber: 1,
      body: { sizeBytes: 1, open: () => Buffer.from('x') },
    });
    const ref = { bucket: 'b', key: 'k' };
    await client.putObject({ ...ref, body: { sizeBytes: 1, open: () => Buffer.from('x') } });
    server.answer(
      xmlResponse('<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>'),
    );
    await client.createMultipartUpload(ref);
    server.answer({ body: result });
    await complete(twoParts);
    server.answer(xmlResponse('<CopyObjectResult><ETag>"e"</ETag></CopyObjectResult>'));
    await client.copyObject({ ...ref, source: ref });
    const sent = server.requests.slice(before);
    expect(sent).toHaveLength(5);
    const names = sent.flatMap(({ headers }) => Object.keys(headers));
    expect(names.filter((name) => /checksum|sdk|trailer|^expect$|transfer-encoding/.test(name))).toEqual([]);
  });
});
