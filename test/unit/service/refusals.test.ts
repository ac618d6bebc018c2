import { describe, expect, test } from 'vitest';
import { bucketWith, call, elementText, put, send as sendRaw, serve } from './harness.ts';
import { begin, codeOf, complete, filmPath, send } from './multipart-calls.ts';

const path = '/bucket/note.txt';

describe('a storage class', () => {
  test.each(['GLACIER', 'STANDARD_IA', 'cold', ''])('of %j is InvalidStorageClass', async (name) => {
    const service = await serve();
    await bucketWith(service, ['source']);
    const headers = { 'x-amz-storage-class': name };
    const copy = { ...headers, 'x-amz-copy-source': 'bucket/source' };
    const refused = [400, 'InvalidStorageClass'];
    expect(await codeOf(call(service, { method: 'PUT', path, body: 'x', headers }))).toEqual(refused);
    expect(await codeOf(call(service, { method: 'PUT', path, headers: copy }))).toEqual(refused);
    const begun = call(service, { method: 'POST', path, query: { uploads: '' }, headers });
    expect(await codeOf(begun)).toEqual(refused);
    expect((await call(service, { path })).status).toBe(404);
  });

  test.each(['STANDARD', 'COLD'])('of %s is stored', async (name) => {
    const service = await serve();
    await bucketWith(service, []);
    const headers = { 'x-amz-storage-class': name };
    expect((await call(service, { method: 'PUT', path, body: 'x', headers })).status).toBe(200);
    expect(elementText((await call(service, { path: '/bucket' })).text, 'StorageClass')).toBe(name);
  });

  test('of any name is accepted if a test allows it', async () => {
    const service = await serve({ quirks: { storageClasses: 'any' } });
    await bucketWith(service, []);
    const headers = { 'x-amz-storage-class': 'GLACIER' };
    expect((await call(service, { method: 'PUT', path, body: 'x', headers })).status).toBe(200);
    expect((await call(service, { path })).headers['x-amz-storage-class']).toBe('GLACIER');
  });
});

describe('a duplicate single-valued XML element is MalformedXML in', () => {
  test.each([
    '<PartNumber>1</PartNumber><PartNumber>2</PartNumber><ETag>E</ETag>',
    '<PartNumber>1</PartNumber><PartNumber>1</PartNumber><ETag>E</ETag>',
    '<PartNumber>1</PartNumber><ETag>E</ETag><ETag>E</ETag>',
    '<PartNumber>1</PartNumber><ETag>E</ETag><ChecksumCRC32>a</ChecksumCRC32><ChecksumCRC32>a</ChecksumCRC32>',
  ])('CompleteMultipartUpload: %s', async (inner) => {
    const service = await serve({ minPartBytes: 1 });
    const uploadId = await begin(service);
    const etag = await send(service, uploadId, 1, 'one');
    const part = inner.replaceAll('E</ETag>', `${etag.replaceAll('"', '&quot;')}</ETag>`);
    const body = `<CompleteMultipartUpload><Part>${part}</Part></CompleteMultipartUpload>`;
    expect(await codeOf(complete(service, uploadId, body))).toEqual([400, 'MalformedXML']);
    expect((await call(service, { path: filmPath })).status).toBe(404);
  });

  test.each([
    '<Object><Key>a</Key><Key>b</Key></Object>',
    '<Object><Key>a</Key><VersionId>null</VersionId><VersionId>null</VersionId></Object>',
    '<Object><Key>a</Key></Object><Quiet>true</Quiet><Quiet>false</Quiet>',
  ])('DeleteObjects: %s', async (inner) => {
    const service = await serve();
    await bucketWith(service, ['a', 'b']);
    const body = `<Delete>${inner}</Delete>`;
    const query = { delete: '' };
    expect(await codeOf(call(service, { method: 'POST', path: '/bucket', query, body }))).toEqual([
      400,
      'MalformedXML',
    ]);
    expect((await call(service, { path: '/bucket/a' })).status).toBe(200);
  });

  test.each(['/bucket', '/bucket/a'])('the tags of %s', async (at) => {
    const service = await serve();
    await bucketWith(service, ['a']);
    const set = '<TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet>';
    for (const inner of [set + set, set.replace('<Value>', '<Key>l</Key><Value>')]) {
      const body = `<Tagging>${inner}</Tagging>`;
      const reply = call(service, { method: 'PUT', path: at, query: { tagging: '' }, body });
      expect(await codeOf(reply)).toEqual([400, 'MalformedXML']);
    }
  });
});

describe('a conditional deletion', () => {
  const modified = 'Tue, 03 Feb 2026 10:00:00 GMT';
  const now = Date.parse(modified);

  test.each([
    ['x-amz-if-match-size', '4', 412],
    ['x-amz-if-match-size', '3', 204],
    ['x-amz-if-match-size', 'three', 400],
    ['x-amz-if-match-last-modified-time', 'Tue, 03 Feb 2026 09:59:59 GMT', 412],
    ['x-amz-if-match-last-modified-time', modified, 204],
    ['x-amz-if-match-last-modified-time', 'yesterday', 400],
  ])('with %s: %s responds %i', async (name, value, status) => {
    const service = await serve({ clock: { nowMs: () => now } });
    service.store.buckets.create('bucket', 0);
    const at = { now: new Date(now) };
    await call(service, { ...at, method: 'PUT', path, body: 'abc' });
    const reply = await call(service, { ...at, method: 'DELETE', path, headers: { [name]: value } });
    expect(reply.status).toBe(status);
    expect((await call(service, { ...at, path })).status).toBe(status === 204 ? 404 : 200);
  });

  test.each([
    ['<Size>4</Size>', 'PreconditionFailed'],
    ['<LastModifiedTime>2026-02-03T09:00:00Z</LastModifiedTime>', 'PreconditionFailed'],
    ['<Size>3</Size><LastModifiedTime>2026-02-03T10:00:00Z</LastModifiedTime>', null],
    [`<LastModifiedTime>${modified}</LastModifiedTime>`, null],
  ])('by DeleteObjects honours %s', async (further, code) => {
    const service = await serve({ clock: { nowMs: () => now } });
    service.store.buckets.create('bucket', 0);
    const at = { now: new Date(now) };
    await call(service, { ...at, method: 'PUT', path, body: 'abc' });
    const body = `<Delete><Object><Key>note.txt</Key>${further}</Object></Delete>`;
    const reply = await call(service, {
      ...at,
      method: 'POST',
      path: '/bucket',
      query: { delete: '' },
      body,
    });
    expect([reply.status, elementText(reply.text, 'Code')]).toEqual([200, code]);
    expect((await call(service, { ...at, path })).status).toBe(code === null ? 404 : 200);
  });

  test('of a missing object succeeds whatever the condition', async () => {
    const service = await serve();
    await bucketWith(service, []);
    const headers = { 'x-amz-if-match-size': '3' };
    expect((await call(service, { method: 'DELETE', path, headers })).status).toBe(204);
  });
});

test.each([
  ['gzip', 'gzip'],
  ['deflate, gzip', 'deflate, gzip'],
  ['deflate,gzip', 'deflate,gzip'],
  ['gzip ,  br', 'gzip ,  br'],
  ['aws-chunked, deflate, gzip', 'deflate, gzip'],
  ['deflate, gzip,aws-chunked', 'deflate, gzip'],
  ['AWS-Chunked', undefined],
])('Content-Encoding %j is stored as %j', async (sent, kept) => {
  const service = await serve();
  await bucketWith(service, []);
  await call(service, { method: 'PUT', path, body: 'x', headers: { 'content-encoding': sent } });
  expect((await call(service, { method: 'HEAD', path })).headers['content-encoding']).toBe(kept);
});

describe('SigV2 is refused as unsupported in', () => {
  const words = 'SigV2 is not supported; sign with SigV4.';

  test.each(['/bucket', '/open'])('a presigned URL below %s', async (bucket) => {
    const service = await serve({ publicBuckets: ['open'] });
    for (const name of ['bucket', 'open']) service.store.buckets.create(name, 0);
    await put(service, 'open', 'a');
    const query = 'AWSAccessKeyId=TESTKEY&Expires=4000000000&Signature=abc%3D';
    const reply = await sendRaw(service, 'GET', `${bucket}/a?${query}`);
    expect([reply.status, elementText(reply.text, 'Code'), elementText(reply.text, 'Message')]).toEqual([
      400,
      'InvalidRequest',
      words,
    ]);
  });

  test('a header', async () => {
    const service = await serve();
    const reply = await sendRaw(service, 'GET', '/', { authorization: 'AWS TESTKEY:abc=' });
    expect([reply.status, elementText(reply.text, 'Code'), elementText(reply.text, 'Message')]).toEqual([
      400,
      'InvalidRequest',
      words,
    ]);
  });
});

test.each([
  ['5', 416, 'InvalidPartNumber'],
  ['0', 400, 'InvalidArgument'],
  ['10001', 400, 'InvalidArgument'],
  ['x', 400, 'InvalidArgument'],
  ['', 400, 'InvalidArgument'],
] as const)('partNumber=%s of an object with two parts responds %i %s', async (partNumber, status, code) => {
  const service = await serve({ minPartBytes: 1 });
  const uploadId = await begin(service);
  const parts: [number, string][] = [
    [1, await send(service, uploadId, 1, 'a')],
    [2, await send(service, uploadId, 2, 'b')],
  ];
  await complete(service, uploadId, parts);
  expect(await codeOf(call(service, { path: filmPath, query: { partNumber } }))).toEqual([status, code]);
  const head = await call(service, { method: 'HEAD', path: filmPath, query: { partNumber } });
  expect(head.status).toBe(status);
});

test.each(['foo.-bar', 'foo-.bar', 'foo-.-bar'])('the bucket name %s is refused', async (name) => {
  const service = await serve();
  expect(await codeOf(call(service, { method: 'PUT', path: `/${name}` }))).toEqual([
    400,
    'InvalidBucketName',
  ]);
});

test.each(['200-ok', '100-continue, nonsense', 'nonsense'])(
  'Expect: %s is refused with 417 as XML',
  async (expected) => {
    const service = await serve();
    await bucketWith(service, []);
    const headers = { 'x-amz-meta-a': 'b' };
    const unsignedHeaders = { expect: expected };
    const reply = await call(service, { method: 'PUT', path, body: 'x', headers, unsignedHeaders });
    expect([reply.status, elementText(reply.text, 'Code'), reply.headers['content-type']]).toEqual([
      417,
      'ExpectationFailed',
      'application/xml',
    ]);
    expect((await call(service, { path })).status).toBe(404);
  },
);

test('DeleteBucket is refused while objects exist and removes incomplete uploads', async () => {
  const service = await serve({ minPartBytes: 1 });
  const uploadId = await begin(service);
  await send(service, uploadId, 1, 'x'.repeat(20_000));
  await put(service, 'bucket', 'a');
  const remove = (): Promise<[number, string | null]> =>
    codeOf(call(service, { method: 'DELETE', path: '/bucket' }));
  expect(await remove()).toEqual([409, 'BucketNotEmpty']);
  await call(service, { method: 'DELETE', path: '/bucket/a' });
  expect(await remove()).toEqual([204, null]);
  expect(service.store.uploads.get(uploadId)).toBeNull();
  service.store.buckets.create('bucket', 0);
  expect(await codeOf(call(service, { path: filmPath, query: { uploadId } }))).toEqual([404, 'NoSuchUpload']);
});
