import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { all, bucketWith, call, md5, elementText, pathOf, prepare, put, rootOf, serve } from './harness.ts';

const path = '/bucket/note.txt';

describe('buckets', () => {
  test('can be created, listed, found and deleted', async () => {
    const service = await serve();
    const location = `<CreateBucketConfiguration><LocationConstraint>eu-central-1</LocationConstraint></CreateBucketConfiguration>`;
    expect((await call(service, { method: 'PUT', path: '/new-one', body: location })).status).toBe(200);
    expect((await call(service, { method: 'PUT', path: '/another.one/' })).status).toBe(200);
    const listed = await call(service, { path: '/' });
    expect([rootOf(listed.text), all(listed.text, 'Name')]).toEqual([
      'ListAllMyBucketsResult',
      ['another.one', 'new-one'],
    ]);
    const head = await call(service, { method: 'HEAD', path: '/new-one' });
    expect([head.status, head.headers['x-amz-bucket-region']]).toEqual([200, 'eu-central-1']);
    const where = await call(service, { path: '/new-one', query: { location: '' } });
    expect(where.text).toContain('>eu-central-1</LocationConstraint>');
    expect((await call(service, { method: 'DELETE', path: '/new-one' })).status).toBe(204);
    expect((await call(service, { method: 'HEAD', path: '/new-one' })).status).toBe(404);
  });

  test.each(['ab', 'Upper', 'a..b', '-a-', '127.0.0.1', 'under_score', 'a'.repeat(64)])(
    'cannot have the name %s (InvalidBucketName)',
    async (name) => {
      const service = await serve();
      const reply = await call(service, { method: 'PUT', path: `/${name}` });
      expect([reply.status, elementText(reply.text, 'Code')]).toEqual([400, 'InvalidBucketName']);
    },
  );

  test('cannot be created twice or in another region', async () => {
    const service = await serve();
    await bucketWith(service, []);
    expect(elementText((await call(service, { method: 'PUT', path: '/bucket' })).text, 'Code')).toBe(
      'BucketAlreadyOwnedByYou',
    );
    const body =
      '<CreateBucketConfiguration><LocationConstraint>mars-1</LocationConstraint></CreateBucketConfiguration>';
    const reply = await call(service, { method: 'PUT', path: '/elsewhere', body });
    expect(elementText(reply.text, 'Code')).toBe('IllegalLocationConstraintException');
  });
});

describe('PutObject, HeadObject and GetObject', () => {
  test('return bytes, type, metadata and headers as sent', async () => {
    const service = await serve();
    await bucketWith(service, []);
    const kept = {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'max-age=60',
      'content-disposition': 'attachment; filename="a.txt"',
      'content-encoding': 'gzip',
      'content-language': 'eo',
      expires: 'Thu, 01 Jan 2032 00:00:00 GMT',
      'x-amz-meta-who': 'me',
      'x-amz-storage-class': 'COLD',
    };
    const sent = await call(service, { method: 'PUT', path, body: 'hello', headers: kept });
    expect(sent.headers.etag).toBe(`"${md5('hello')}"`);
    const got = await call(service, { path });
    expect(got.text).toBe('hello');
    expect(got.headers).toMatchObject({
      ...kept,
      etag: `"${md5('hello')}"`,
      'content-length': '5',
      'accept-ranges': 'bytes',
    });
    const head = await call(service, { method: 'HEAD', path });
    expect([head.headers['content-length'], head.text]).toEqual(['5', '']);
    expect(head.headers).toMatchObject(kept);
  });

  test.each([0, 1, 16 * 1024, 16 * 1024 + 1, 300_000])('return all %i bytes of an object', async (size) => {
    const service = await serve();
    await bucketWith(service, []);
    const bytes = Buffer.alloc(size, 'abcdefghijklm');
    await put(service, 'bucket', 'note.txt', bytes);
    const got = await call(service, { path });
    expect(got.bytes.equals(bytes)).toBe(true);
    expect(got.headers['content-length']).toBe(String(size));
  });

  test("send date, request ids and the bucket's region with every response", async () => {
    const service = await serve();
    await bucketWith(service, ['note.txt']);
    const { headers } = await call(service, { path });
    expect(headers['x-amz-request-id']).toMatch(/^[0-9A-F]{16}$/);
    expect(headers['x-amz-id-2']).toMatch(/./);
    expect(headers['x-amz-bucket-region']).toBe('eu-central-1');
    expect(Date.parse(headers.date ?? '')).not.toBeNaN();
  });

  test('send errors as S3 XML with the request id, and HEAD errors without a body', async () => {
    const service = await serve();
    await bucketWith(service, []);
    const got = await call(service, { path });
    expect([got.status, rootOf(got.text), elementText(got.text, 'Code')]).toEqual([
      404,
      'Error',
      'NoSuchKey',
    ]);
    expect(elementText(got.text, 'RequestId')).toBe(got.headers['x-amz-request-id']);
    const head = await call(service, { method: 'HEAD', path });
    expect([head.status, head.text]).toEqual([404, '']);
  });

  test('refuse a wrong Content-MD5 as BadDigest and an invalid one as InvalidDigest', async () => {
    const service = await serve();
    await bucketWith(service, []);
    const send = async (digest: string): Promise<string | null> => {
      const reply = await call(service, {
        method: 'PUT',
        path,
        body: 'hello',
        headers: { 'content-md5': digest },
      });
      return reply.status === 200 ? 'stored' : elementText(reply.text, 'Code');
    };
    expect(await send(Buffer.from(md5('other'), 'hex').toString('base64'))).toBe('BadDigest');
    expect(await send('rubbish')).toBe('InvalidDigest');
    expect((await call(service, { path })).status).toBe(404);
    expect(await send(Buffer.from(md5('hello'), 'hex').toString('base64'))).toBe('stored');
  });

  test.each([
    ['crc32', 'NhCmhg=='],
    ['crc32c', 'mnG7TA=='],
    ['crc64nvme', 'M3eFcAZSQlc='],
    ['sha1', createHash('sha1').update('hello').digest('base64')],
    ['sha256', createHash('sha256').update('hello').digest('base64')],
  ])('verify and store x-amz-checksum-%s', async (algorithm, value) => {
    const service = await serve();
    await bucketWith(service, []);
    const name = `x-amz-checksum-${algorithm}`;
    const sent = await call(service, { method: 'PUT', path, body: 'hello', headers: { [name]: value } });
    expect([sent.status, sent.headers[name]]).toEqual([200, value]);
    const got = await call(service, { path, headers: { 'x-amz-checksum-mode': 'ENABLED' } });
    expect(got.headers[name]).toBe(value);
    const wrong = await call(service, { method: 'PUT', path, body: 'hallo', headers: { [name]: value } });
    expect([wrong.status, elementText(wrong.text, 'Code')]).toEqual([400, 'BadDigest']);
    expect((await call(service, { path })).text).toBe('hello');
  });

  test('create only with If-None-Match: * and replace only a known object with If-Match', async () => {
    const service = await serve();
    await bucketWith(service, []);
    const write = async (body: string, headers: Record<string, string>): Promise<number> =>
      (await call(service, { method: 'PUT', path, body, headers })).status;
    expect(await write('a', { 'if-match': '"x"' })).toBe(404);
    expect(await write('a', { 'if-none-match': '*' })).toBe(200);
    expect(await write('b', { 'if-none-match': '*' })).toBe(412);
    expect(await write('b', { 'if-match': `"${md5('x')}"` })).toBe(412);
    expect(await write('b', { 'if-match': `"${md5('a')}"` })).toBe(200);
    expect((await call(service, { path })).text).toBe('b');
  });

  test.each([
    ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=7-99', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=4-2', 200, '0123456789', undefined],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
  ])('answer Range: %s with %i', async (range, status, body, contentRange) => {
    const service = await serve();
    await bucketWith(service, []);
    await put(service, 'bucket', 'note.txt', '0123456789');
    const got = await call(service, { path, headers: { range } });
    expect([got.status, got.text, got.headers['content-range']]).toEqual([status, body, contentRange]);
  });

  test('honour If-Range only if the object is unchanged', async () => {
    const service = await serve();
    await bucketWith(service, ['note.txt']);
    const read = async (condition: string): Promise<string> =>
      (await call(service, { path, headers: { range: 'bytes=0-3', 'if-range': condition } })).text;
    expect(await read(`"${md5('note.txt')}"`)).toBe('note');
    expect(await read('"other"')).toBe('note.txt');
    expect(await read('Thu, 01 Jan 2015 00:00:00 GMT')).toBe('note.txt');
  });

  test.each(['bytes=10-', 'bytes=10-12', 'bytes=-0'])('answer Range: %s with InvalidRange', async (range) => {
    const service = await serve();
    await bucketWith(service, []);
    await put(service, 'bucket', 'note.txt', '0123456789');
    const got = await call(service, { path, headers: { range } });
    expect([got.status, elementText(got.text, 'Code'), got.headers['content-range']]).toEqual([
      416,
      'InvalidRange',
      'bytes */10',
    ]);
  });

  test('honour the conditions of a read', async () => {
    const modified = Date.parse('2026-05-01T10:00:00.500Z');
    const service = await serve({ clock: { nowMs: () => modified } });
    service.store.buckets.create('bucket', 0);
    const now = new Date(modified);
    await call(service, { method: 'PUT', path, body: 'a', now });
    const read = async (headers: Record<string, string>): Promise<number> =>
      (await call(service, { path, headers, now })).status;
    const etag = `"${md5('a')}"`;
    const at = 'Fri, 01 May 2026 10:00:00 GMT';
    const before = 'Fri, 01 May 2026 09:59:59 GMT';
    expect(await read({ 'if-match': etag })).toBe(200);
    expect(await read({ 'if-match': '"other"' })).toBe(412);
    expect(await read({ 'if-none-match': etag })).toBe(304);
    expect(await read({ 'if-none-match': '"other"' })).toBe(200);
    expect(await read({ 'if-modified-since': at })).toBe(304);
    expect(await read({ 'if-modified-since': before })).toBe(200);
    expect(await read({ 'if-unmodified-since': at })).toBe(200);
    expect(await read({ 'if-unmodified-since': before })).toBe(412);
    expect(await read({ 'if-match': etag, 'if-unmodified-since': before })).toBe(200);
    expect(await read({ 'if-none-match': '"other"', 'if-modified-since': at })).toBe(200);
  });

  test('let response-* parameters override headers without header injection', async () => {
    const service = await serve();
    await bucketWith(service, ['note.txt']);
    const query = {
      'response-content-type': 'image/png',
      'response-content-disposition': 'attachment; filename="é.png"',
    };
    const got = await call(service, { path, query });
    expect(got.headers['content-type']).toBe('image/png');
    expect(Buffer.from(got.headers['content-disposition'] ?? '', 'latin1').toString()).toBe(
      'attachment; filename="é.png"',
    );
    const evil = await call(service, { path, query: { 'response-content-type': 'a\r\nx-evil: 1' } });
    expect(evil.status).toBe(400);
  });

  test('read one part of a multipart object with partNumber', async () => {
    const service = await serve({ minPartBytes: 1 });
    const bucket = service.store.buckets.create('bucket', 0);
    const id = service.store.createUpload(bucket?.id ?? 0, 'note.txt', {
      initiatedMs: 1,
      storageClass: 'STANDARD',
      attributes: { headers: {}, metadata: {} },
      checksumAlgorithm: null,
      checksumType: null,
    });
    await service.store.putPartBytes(id, 1, Buffer.from('first'), 1);
    await service.store.putPartBytes(id, 2, Buffer.from('second'), 1);
    const body = `<CompleteMultipartUpload>${['first', 'second'].map((text, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${md5(text)}</ETag></Part>`).join('')}</CompleteMultipartUpload>`;
    await call(service, { method: 'POST', path, query: { uploadId: id }, body });
    const got = await call(service, { path, query: { partNumber: '2' } });
    expect([got.status, got.text, got.headers['x-amz-mp-parts-count']]).toEqual([206, 'second', '2']);
  });

  test('accept a key of 1024 bytes and refuse one of 1025 as KeyTooLongError', async () => {
    const service = await serve();
    await bucketWith(service, []);
    const key = 'ä'.repeat(512);
    await put(service, 'bucket', key);
    expect((await call(service, { path: pathOf('bucket', key) })).text).toBe(key);
    const reply = await call(service, { method: 'PUT', path: pathOf('bucket', `${key}a`), body: '' });
    expect(elementText(reply.text, 'Code')).toBe('KeyTooLongError');
  });

  test.each(['/bucket/%ff', '/bucket/%zz', '/bucket/%c3'])(
    'refuse the path %s, which is not UTF-8, as InvalidURI',
    async (bad) => {
      const service = await serve();
      await bucketWith(service, []);
      const reply = await call(service, { path: bad });
      expect([reply.status, elementText(reply.text, 'Code')]).toEqual([400, 'InvalidURI']);
    },
  );

  test.each([
    { 'x-amz-server-side-encryption': 'AES256' },
    { 'x-amz-acl': 'public-read' },
    { 'x-amz-object-lock-mode': 'GOVERNANCE' },
  ])('refuse unsupported headers instead of ignoring them: %o', async (headers) => {
    const service = await serve();
    await bucketWith(service, []);
    const reply = await call(service, { method: 'PUT', path, body: 'x', headers });
    expect([reply.status, elementText(reply.text, 'Code')]).toEqual([501, 'NotImplemented']);
    expect((await call(service, { path })).status).toBe(404);
  });

  test.each(['acl', 'retention', 'torrent'])(
    'answer ?%s with NotImplemented and change nothing',
    async (name) => {
      const service = await serve();
      await bucketWith(service, ['note.txt']);
      const reply = await call(service, { method: 'PUT', path, query: { [name]: '' }, body: '<x/>' });
      expect([reply.status, elementText(reply.text, 'Code')]).toEqual([501, 'NotImplemented']);
      expect((await call(service, { path })).text).toBe('note.txt');
    },
  );

  test('send 100 Continue before the body, or an error instead', async () => {
    const service = await serve();
    await bucketWith(service, []);
    const exchange = async (bucket: string): Promise<string> => {
      const target = `/${bucket}/note.txt`;
      const request = await prepare(service, {
        method: 'PUT',
        path: target,
        body: 'hello',
        headers: { 'content-length': '5', expect: '100-continue', connection: 'close' },
      });
      const socket = net.connect(service.port, '127.0.0.1');
      const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`PUT ${request.target} HTTP/1.1\r\n${lines.join('')}\r\n`);
      let seen = '';
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        const before = seen;
        seen += chunk.toString('latin1');
        if (seen.includes('100 Continue') && !before.includes('100 Continue')) socket.write('hello');
        if (seen.includes('404')) break;
      }
      socket.destroy();
      return seen;
    };
    expect(await exchange('bucket')).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
    expect((await call(service, { path })).text).toBe('hello');
    expect(await exchange('nowhere')).toMatch(/^HTTP\/1\.1 404/);
  });

  test('leave neither object nor file of a body that breaks off', async () => {
    const dataDir = tempDir();
    const service = await serve({ dataDir });
    await bucketWith(service, []);
    const body = Buffer.alloc(500_000, 'x');
    const request = await prepare(service, {
      method: 'PUT',
      path,
      body,
      headers: { 'content-length': '1000000' },
    });
    await new Promise<void>((resolve) => {
      const socket = net.connect(service.port, '127.0.0.1', () => {
        const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.write(`PUT ${request.target} HTTP/1.1\r\n${lines.join('')}\r\n`);
        socket.write(body, () => socket.destroy());
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
    });
    // Once the folder of incoming files is empty, the service has noticed that the connection ended.
    await expect.poll(() => readdirSync(join(dataDir, 'incoming')), { interval: 5 }).toEqual([]);
    expect((await call(service, { path })).status).toBe(404);
    expect(readdirSync(join(dataDir, 'blobs'))).toEqual([]);
  });
});

describe('DeleteObject and DeleteObjects', () => {
  test('answer 204 whether or not the key exists', async () => {
    const service = await serve();
    await bucketWith(service, ['note.txt']);
    expect((await call(service, { method: 'DELETE', path })).status).toBe(204);
    expect((await call(service, { method: 'DELETE', path })).status).toBe(204);
    expect((await call(service, { path })).status).toBe(404);
  });

  test('report each key, or only errors if quiet', async () => {
    const service = await serve();
    await bucketWith(service, ['a&b', ' c ', 'd', 'e']);
    const remove = (keys: readonly string[], quiet: boolean): Promise<string> => {
      const objects = keys
        .map((key) => `<Object><Key>${key.replaceAll('&', '&amp;')}</Key></Object>`)
        .join('');
      const body = `<Delete>${objects}${quiet ? '<Quiet>true</Quiet>' : ''}</Delete>`;
      return call(service, { method: 'POST', path: '/bucket', query: { delete: '' }, body }).then(
        (reply) => reply.text,
      );
    };
    const xml = await remove(['a&b', ' c ', 'never was'], false);
    expect([rootOf(xml), all(xml, 'Key')]).toEqual(['DeleteResult', ['a&b', ' c ', 'never was']]);
    expect(all(await remove(['d'], true), 'Key')).toEqual([]);
    expect(all((await call(service, { path: '/bucket' })).text, 'Key')).toEqual(['e']);
  });

  test('delete a key with an ETag only if the key holds that object', async () => {
    const service = await serve();
    await bucketWith(service, ['a', 'b', 'c']);
    const head = await call(service, { method: 'HEAD', path: '/bucket/a' });
    const other = '"00000000000000000000000000000000"';
    const entries = [
      ['a', String(head.headers['etag'])],
      ['b', other],
      ['gone', other],
    ].map(([key = '', etag = '']) => `<Object><ETag>${etag}</ETag><Key>${key}</Key></Object>`);
    const body = `<Delete>${entries.join('')}</Delete>`;
    const xml = (await call(service, { method: 'POST', path: '/bucket', query: { delete: '' }, body })).text;
    expect(all(xml, 'Key')).toEqual(['a', 'b', 'gone']);
    expect(all(xml, 'Code')).toEqual(['PreconditionFailed']);
    expect(all((await call(service, { path: '/bucket' })).text, 'Key')).toEqual(['b', 'c']);
  });

  test('refuse more than 1000 keys, or characters that XML cannot carry, as MalformedXML', async () => {
    const service = await serve();
    await bucketWith(service, ['a']);
    const send = async (body: string): Promise<string | null> =>
      elementText(
        (await call(service, { method: 'POST', path: '/bucket', query: { delete: '' }, body })).text,
        'Code',
      );
    expect(await send(`<Delete>${'<Object><Key>a</Key></Object>'.repeat(1001)}</Delete>`)).toBe(
      'MalformedXML',
    );
    expect(await send('<Delete><Object><Key>a&#1;</Key></Object></Delete>')).toBe('MalformedXML');
    expect((await call(service, { path: '/bucket/a' })).status).toBe(200);
  });
});

describe('CopyObject and UploadPartCopy', () => {
  test('copy bytes and metadata, or take the metadata of the request with REPLACE', async () => {
    const service = await serve();
    await bucketWith(service, []);
    const key = 'a b/é+.txt';
    await call(service, {
      method: 'PUT',
      path: pathOf('bucket', key),
      body: 'text',
      headers: { 'x-amz-meta-a': '1', 'content-type': 'text/x' },
    });
    const source = { 'x-amz-copy-source': pathOf('bucket', key) };
    const copied = await call(service, { method: 'PUT', path: '/bucket/copy', headers: source });
    expect([rootOf(copied.text), elementText(copied.text, 'ETag')]).toEqual([
      'CopyObjectResult',
      `"${md5('text')}"`,
    ]);
    const headers = { ...source, 'x-amz-metadata-directive': 'REPLACE', 'x-amz-meta-b': '2' };
    await call(service, { method: 'PUT', path: '/bucket/replaced', headers });
    const first = await call(service, { path: '/bucket/copy' });
    expect([first.text, first.headers['x-amz-meta-a'], first.headers['content-type']]).toEqual([
      'text',
      '1',
      'text/x',
    ]);
    const second = await call(service, { path: '/bucket/replaced' });
    expect([second.text, second.headers['x-amz-meta-a'], second.headers['x-amz-meta-b']]).toEqual([
      'text',
      undefined,
      '2',
    ]);
  });

  test('make a copy that outlives its source', async () => {
    const service = await serve();
    await bucketWith(service, []);
    const bytes = Buffer.alloc(100_000, 'xyz');
    await put(service, 'bucket', 'source', bytes);
    await call(service, {
      method: 'PUT',
      path: '/bucket/copy',
      headers: { 'x-amz-copy-source': 'bucket/source' },
    });
    await call(service, { method: 'DELETE', path: '/bucket/source' });
    expect((await call(service, { path: '/bucket/copy' })).bytes.equals(bytes)).toBe(true);
  });

  test('refuse a copy onto itself without changes, and honour source conditions', async () => {
    const service = await serve();
    await bucketWith(service, ['note.txt']);
    const copy = async (to: string, headers: Record<string, string>): Promise<string | null> => {
      const reply = await call(service, {
        method: 'PUT',
        path: to,
        headers: { 'x-amz-copy-source': path, ...headers },
      });
      return reply.status === 200 ? 'copied' : elementText(reply.text, 'Code');
    };
    expect(await copy(path, {})).toBe('InvalidRequest');
    expect(await copy(path, { 'x-amz-metadata-directive': 'REPLACE' })).toBe('copied');
    expect(await copy('/bucket/to', { 'x-amz-copy-source-if-match': '"other"' })).toBe('PreconditionFailed');
    expect(await copy('/bucket/to', { 'x-amz-copy-source-if-none-match': `"${md5('note.txt')}"` })).toBe(
      'PreconditionFailed',
    );
    expect(await copy('/bucket/to', { 'x-amz-copy-source-if-match': `"${md5('note.txt')}"` })).toBe('copied');
    expect(await copy('/bucket/to', { 'x-amz-copy-source': '/bucket/nothing' })).toBe('NoSuchKey');
  });

  test('copy a whole object or a range into a part', async () => {
    const service = await serve({ minPartBytes: 1 });
    await bucketWith(service, []);
    await put(service, 'bucket', 'source', '0123456789');
    const begun = await call(service, { method: 'POST', path, query: { uploads: '' } });
    const uploadId = elementText(begun.text, 'UploadId') ?? '';
    const copyPart = (partNumber: string, headers: Record<string, string>): ReturnType<typeof call> =>
      call(service, {
        method: 'PUT',
        path,
        query: { uploadId, partNumber },
        headers: { 'x-amz-copy-source': '/bucket/source', ...headers },
      });
    const whole = await copyPart('1', {});
    expect([rootOf(whole.text), elementText(whole.text, 'ETag')]).toEqual([
      'CopyPartResult',
      `"${md5('0123456789')}"`,
    ]);
    const some = await copyPart('2', { 'x-amz-copy-source-range': 'bytes=2-4' });
    expect(elementText(some.text, 'ETag')).toBe(`"${md5('234')}"`);
    expect((await copyPart('3', { 'x-amz-copy-source-range': 'bytes=2-10' })).status).toBe(400);
    await call(service, { method: 'DELETE', path: '/bucket/source' });
    const parts = [whole, some].map(
      (part, index) =>
        `<Part><PartNumber>${index + 1}</PartNumber><ETag>${elementText(part.text, 'ETag')}</ETag></Part>`,
    );
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
    expect((await call(service, { method: 'POST', path, query: { uploadId }, body })).status).toBe(200);
    expect((await call(service, { path })).text).toBe('0123456789234');
  });
});
