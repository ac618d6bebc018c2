import { expect, test } from 'vitest';
import { noQuirks, type Quirks, type Service } from '../../support/lab-service/server.ts';
import { all, bucketWith, call, md5, elementText, serve, type Reply } from './harness.ts';

async function quirky(quirks: Partial<Quirks>): Promise<Service> {
  const service = await serve({ quirks, minPartBytes: 1 });
  await bucketWith(service, ['a b', 'c', 'd']);
  return service;
}

const list = (service: Service, query: Record<string, string>): Promise<Reply> =>
  call(service, { path: '/bucket', query });
const v2 = { 'list-type': '2' };

async function uploadOf(service: Service, parts: readonly string[], path = '/bucket/big'): Promise<string> {
  const begun = await call(service, { method: 'POST', path, query: { uploads: '' } });
  const uploadId = elementText(begun.text, 'UploadId') ?? '';
  for (const [index, body] of parts.entries()) {
    await call(service, { method: 'PUT', path, query: { uploadId, partNumber: String(index + 1) }, body });
  }
  return uploadId;
}

function complete(service: Service, uploadId: string, etags: readonly string[]): Promise<Reply> {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
  );
  const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
  return call(service, { method: 'POST', path: '/bucket/big', query: { uploadId }, body });
}

test('without quirks the service follows the specification', async () => {
  expect((await quirky({})).quirks).toEqual(noQuirks);
});

test('the quirk listV2 answers V2 requests as V1 or refuses them', async () => {
  const service = await quirky({ listV2: 'treated-as-v1' });
  expect((await list(service, v2)).text).toContain('<Marker>');
  service.quirks.listV2 = 'not-implemented';
  expect(elementText((await list(service, v2)).text, 'Code')).toBe('NotImplemented');
});

test('a quirk omits NextMarker and NextContinuationToken from truncated pages', async () => {
  const service = await quirky({ nextMarker: 'never', nextContinuationToken: 'never' });
  const first = (await list(service, { 'max-keys': '1' })).text;
  expect([elementText(first, 'IsTruncated'), elementText(first, 'NextMarker')]).toEqual(['true', null]);
  const second = (await list(service, { ...v2, 'max-keys': '1' })).text;
  expect([elementText(second, 'IsTruncated'), elementText(second, 'NextContinuationToken')]).toEqual([
    'true',
    null,
  ]);
  service.quirks.nextMarker = 'with-delimiter';
  expect(elementText((await list(service, { 'max-keys': '1' })).text, 'NextMarker')).toBeNull();
  expect(elementText((await list(service, { 'max-keys': '1', delimiter: '/' })).text, 'NextMarker')).toBe(
    'a b',
  );
});

test('a quirk ignores encoding-type or encodes spaces as %20', async () => {
  const service = await quirky({ encodingType: 'ignored' });
  const plain = (await list(service, { ...v2, 'encoding-type': 'url' })).text;
  expect([all(plain, 'Key')[0], elementText(plain, 'EncodingType')]).toEqual(['a b', null]);
  Object.assign(service.quirks, { encodingType: 'honoured', spaceEncoding: 'percent' });
  expect(all((await list(service, { ...v2, 'encoding-type': 'url' })).text, 'Key')[0]).toBe('a%20b');
});

test('quirks deny ListBuckets and answer a listing with HTML', async () => {
  const service = await quirky({ listBuckets: 'denied', listing: 'html' });
  expect((await call(service, { path: '/' })).status).toBe(403);
  expect((await list(service, v2)).headers['content-type']).toBe('text/html');
  expect((await list(service, {})).status).toBe(200);
});

test('a quirk completes an upload with an empty ETag', async () => {
  const service = await quirky({ completionEtag: 'empty' });
  const reply = await complete(service, await uploadOf(service, ['x']), [md5('x')]);
  expect([reply.status, elementText(reply.text, 'ETag')]).toEqual([200, '']);
});

test('a quirk responds to a repeated CompleteMultipartUpload with 404, the same 200, or 500', async () => {
  const service = await quirky({});
  const uploadId = await uploadOf(service, ['x']);
  const first = await complete(service, uploadId, [md5('x')]);
  expect((await complete(service, uploadId, [md5('x')])).status).toBe(404);
  service.quirks.repeatedCompletion = 'same-result';
  expect((await complete(service, uploadId, [md5('x')])).text).toBe(first.text);
  service.quirks.repeatedCompletion = 'internal-error';
  expect((await complete(service, uploadId, [md5('x')])).status).toBe(500);
});

test.each([
  ['NoSuchKey', 404],
  ['InternalError', 500],
] as const)('a quirk answers an unknown upload with %s', async (missingUpload, status) => {
  const service = await quirky({ missingUpload });
  const reply = await call(service, { path: '/bucket/big', query: { uploadId: 'unknown' } });
  expect([reply.status, elementText(reply.text, 'Code')]).toEqual([status, missingUpload]);
});

test('a quirk lists uploads for an exact key only, or not at all', async () => {
  const service = await quirky({ listUploads: 'exact-key' });
  await uploadOf(service, ['x']);
  const listed = async (query: Record<string, string>): Promise<string[]> =>
    all((await list(service, { uploads: '', ...query })).text, 'Key');
  expect(await listed({})).toEqual([]);
  expect(await listed({ prefix: 'big' })).toEqual(['big']);
  service.quirks.listUploads = 'none';
  expect(await listed({ prefix: 'big' })).toEqual([]);
});

test('a quirk gives parts and objects ETags that are not MD5s and still completes', async () => {
  const service = await quirky({ etags: 'opaque' });
  const uploadId = await uploadOf(service, ['x']);
  const parts = await call(service, { path: '/bucket/big', query: { uploadId } });
  const etag = elementText(parts.text, 'ETag') ?? '';
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  expect(etag).not.toBe(`"${md5('x')}"`);
  expect((await complete(service, uploadId, [etag])).status).toBe(200);
});

test('a quirk requires all parts but the last to have the same size', async () => {
  const service = await quirky({ equalPartSizes: true });
  const refused = await complete(service, await uploadOf(service, ['xx', 'yyy', 'z']), [
    md5('xx'),
    md5('yyy'),
    md5('z'),
  ]);
  expect(elementText(refused.text, 'Code')).toBe('InvalidPart');
  const allowed = await complete(service, await uploadOf(service, ['xx', 'yy', 'zzz']), [
    md5('xx'),
    md5('yy'),
    md5('zzz'),
  ]);
  expect(allowed.status).toBe(200);
});

test('a quirk refuses optional checksum headers', async () => {
  const service = await quirky({ checksumHeaders: 'refused' });
  const put = (headers: Record<string, string>): Promise<Reply> =>
    call(service, { method: 'PUT', path: '/bucket/x', body: 'x', headers });
  expect((await put({})).status).toBe(200);
  expect((await put({ 'x-amz-checksum-crc32': 'jNyK8w==' })).status).toBe(501);
});

test('a quirk weakens ETags as a proxy does, so no If-Match but * holds', async () => {
  const service = await quirky({ etagHeaders: 'weak' });
  const path = '/bucket/c';
  const etag = `"${md5('c')}"`;
  const head = await call(service, { method: 'HEAD', path });
  expect(head.headers['etag']).toBe(`W/${etag}`);
  const get = (ifMatch: string): Promise<Reply> => call(service, { path, headers: { 'if-match': ifMatch } });
  for (const condition of [`W/${etag}`, etag]) {
    expect((await get(condition)).status).toBe(412);
    const put = await call(service, { method: 'PUT', path, body: 'c', headers: { 'if-match': condition } });
    expect(put.status).toBe(412);
    const gone = await call(service, { method: 'DELETE', path, headers: { 'if-match': condition } });
    expect(gone.status).toBe(412);
  }
  expect((await get('*')).status).toBe(200);
  expect(all((await list(service, v2)).text, 'ETag')[0]).toBe(`"${md5('a b')}"`);
});

test('without the proxy quirk a weak If-Match fails too, while If-None-Match compares weakly', async () => {
  const service = await quirky({});
  const path = '/bucket/c';
  const weak = `W/"${md5('c')}"`;
  expect((await call(service, { path, headers: { 'if-match': weak } })).status).toBe(412);
  expect((await call(service, { path, headers: { 'if-none-match': weak } })).status).toBe(304);
  const copy = await call(service, {
    method: 'PUT',
    path: '/bucket/to',
    headers: { 'x-amz-copy-source': '/bucket/c', 'x-amz-copy-source-if-match': weak },
  });
  expect(elementText(copy.text, 'Code')).toBe('PreconditionFailed');
});

test('a quirk refuses exactly the requests with a condition as 400 InvalidArgument', async () => {
  const service = await quirky({ conditionalWrites: 'refused-400', conditionalReads: 'refused-400' });
  const etag = `"${md5('c')}"`;
  const path = '/bucket/c';
  const code = async (request: Parameters<typeof call>[1]): Promise<string | null> => {
    const { status, text } = await call(service, request);
    return status === 400 ? elementText(text, 'Code') : String(status);
  };
  const ifMatch = { 'if-match': etag };
  expect(await code({ path, headers: ifMatch })).toBe('InvalidArgument');
  expect(await code({ path })).toBe('200');
  expect(await code({ method: 'PUT', path, body: 'x', headers: { 'if-none-match': '*' } })).toBe(
    'InvalidArgument',
  );
  const source = { 'x-amz-copy-source': '/bucket/c' };
  const to = '/bucket/to';
  expect(await code({ method: 'PUT', path: to, headers: { ...source, 'if-none-match': '*' } })).toBe(
    'InvalidArgument',
  );
  expect(
    await code({ method: 'PUT', path: to, headers: { ...source, 'x-amz-copy-source-if-match': etag } }),
  ).toBe('InvalidArgument');
  expect(await code({ method: 'PUT', path: to, headers: source })).toBe('200');
  expect(await code({ method: 'DELETE', path, headers: ifMatch })).toBe('InvalidArgument');
  const body = `<Delete><Object><Key>c</Key><ETag>${md5('c')}</ETag></Object></Delete>`;
  expect(await code({ method: 'POST', path: '/bucket', query: { delete: '' }, body })).toBe(
    'InvalidArgument',
  );
  const uploadId = await uploadOf(service, ['1']);
  const complete = {
    method: 'POST',
    path: '/bucket/big',
    query: { uploadId },
    headers: { 'if-none-match': '*' },
    body: `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${md5('1')}</ETag></Part></CompleteMultipartUpload>`,
  };
  expect(await code(complete)).toBe('InvalidArgument');
  expect(await code({ method: 'DELETE', path })).toBe('204');
});
