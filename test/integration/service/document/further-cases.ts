import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { begin, complete, filmPath, partsXml, send } from '../../../unit/service/multipart-calls.ts';
import {
  all,
  call,
  crcOf,
  md5,
  ok,
  elementText,
  presign,
  put,
  region,
  rootOf,
  send as sendRaw,
  serve,
  sha256,
  type Reply,
} from '../../../unit/service/harness.ts';
import { completed, holding, refusal, sentUpload } from './asking.ts';
import type { Cases } from './claims.ts';

const path = '/bucket/note.txt';
const checked = { 'x-amz-checksum-mode': 'ENABLED' };
const crc = 'x-amz-checksum-crc32';

const checksumNames = (reply: Reply): string[] =>
  Object.keys(reply.headers).filter((name) => name.startsWith('x-amz-checksum-'));

/** Creates an upload of two parts with CRC-32 checksums. */
async function withCrc(type: 'COMPOSITE' | 'FULL_OBJECT') {
  const service = await holding([]);
  const uploadId = await begin(service, { 'x-amz-checksum-algorithm': 'CRC32', 'x-amz-checksum-type': type });
  const parts: [number, string, string][] = [];
  for (const [index, body] of ['one ', 'two'].entries()) {
    const etag = await send(service, uploadId, index + 1, body, { [crc]: crcOf(body) });
    parts.push([index + 1, etag, `<ChecksumCRC32>${crcOf(body)}</ChecksumCRC32>`]);
  }
  return { service, uploadId, parts };
}

/** The checksum of "checked" by each algorithm, from published implementations: zlib, hashlib, and CRC tables of the RFCs. */
const checksums: Readonly<Record<string, string>> = {
  crc32: crcOf('checked'),
  sha1: createHash('sha1').update('checked').digest('base64'),
  sha256: sha256('checked').toString('base64'),
};

/** The cases of sections 12 to 14: checksums, conditions, and other requests and refusals. */
export const furtherCases: Cases = {
  '12-1': async () => {
    const service = await holding([]);
    for (const [name, value] of Object.entries(checksums)) {
      const header = `x-amz-checksum-${name}`;
      const ask = (stated: string): Promise<Reply> =>
        call(service, {
          method: 'PUT',
          path: `/bucket/${name}`,
          body: 'checked',
          headers: { [header]: stated },
        });
      const wrong = Buffer.from(Buffer.from(value, 'base64').toReversed()).toString('base64');
      expect(await refusal(ask(wrong))).toEqual([400, 'BadDigest']);
      expect((await call(service, { path: `/bucket/${name}` })).status).toBe(404);
      expect((await ask(value)).headers[header]).toBe(value);
    }
    // CRC-32C and CRC-64/NVME of "123456789", as published with the definitions of these algorithms.
    for (const [name, value] of [
      ['crc32c', Buffer.from('e3069283', 'hex')],
      ['crc64nvme', Buffer.from('ae8b14860a799888', 'hex')],
    ] as const) {
      const headers = { [`x-amz-checksum-${name}`]: value.toString('base64') };
      ok(await call(service, { method: 'PUT', path, body: '123456789', headers }));
      const other = call(service, { method: 'PUT', path, body: '12345678', headers });
      expect(await refusal(other)).toEqual([400, 'BadDigest']);
    }
    const uploadId = await begin(service);
    const query = { uploadId, partNumber: '1' };
    const part = (stated: string): Promise<Reply> =>
      call(service, { method: 'PUT', path: filmPath, query, body: 'x', headers: { [crc]: stated } });
    expect(await refusal(part(crcOf('y')))).toEqual([400, 'BadDigest']);
    expect((await part(crcOf('x'))).headers[crc]).toBe(crcOf('x'));
  },
  '12-2': async () => {
    const service = await holding([]);
    ok(await call(service, { method: 'PUT', path, body: 'x', headers: { [crc]: crcOf('x') } }));
    for (const method of ['GET', 'HEAD']) {
      const reply = await call(service, { method, path, headers: checked });
      expect([reply.headers[crc], reply.headers['x-amz-checksum-type']]).toEqual([crcOf('x'), 'FULL_OBJECT']);
      expect(checksumNames(await call(service, { method, path }))).toEqual([]);
    }
  },
  '12-3': async () => {
    const { service, uploadId, parts } = await withCrc('COMPOSITE');
    ok(await complete(service, uploadId, parts));
    const range = await call(service, { path: filmPath, headers: { ...checked, range: 'bytes=0-2' } });
    expect([range.status, checksumNames(range)]).toEqual([206, []]);
    const part = await call(service, { path: filmPath, query: { partNumber: '2' }, headers: checked });
    expect([part.status, part.text, part.headers[crc]]).toEqual([206, 'two', crcOf('two')]);
  },
  '12-4': async () => {
    const service = await holding([]);
    const typeOf = async (algorithm: string, type?: string): Promise<unknown> => {
      const headers = { 'x-amz-checksum-algorithm': algorithm, ...(type && { 'x-amz-checksum-type': type }) };
      const reply = ok(
        await call(service, { method: 'POST', path: filmPath, query: { uploads: '' }, headers }),
      );
      return reply.headers['x-amz-checksum-type'];
    };
    for (const name of ['CRC32', 'CRC32C', 'SHA1', 'SHA256']) expect(await typeOf(name)).toBe('COMPOSITE');
    expect(await typeOf('CRC64NVME')).toBe('FULL_OBJECT');
    expect(await typeOf('CRC32', 'FULL_OBJECT')).toBe('FULL_OBJECT');
  },
  '12-5': async () => {
    const { service, uploadId, parts } = await withCrc('COMPOSITE');
    const query = { uploadId, partNumber: '3' };
    const bare = call(service, { method: 'PUT', path: filmPath, query, body: 'x' });
    expect(await refusal(bare)).toEqual([400, 'InvalidRequest']);
    const unstated = parts.map(([number, etag]) => [number, etag] as const);
    expect(await refusal(complete(service, uploadId, unstated))).toEqual([400, 'InvalidRequest']);
    expect((await complete(service, uploadId, parts)).status).toBe(200);
  },
  '12-6': async () => {
    const { service, uploadId } = await withCrc('COMPOSITE');
    const { text } = await call(service, { path: filmPath, query: { uploadId } });
    expect(all(text, 'ChecksumCRC32')).toEqual([crcOf('one '), crcOf('two')]);
  },
  '12-7': async () => {
    const { service, uploadId, parts } = await withCrc('FULL_OBJECT');
    for (const headers of [{ [crc]: crcOf('one twO') }, { 'x-amz-mp-object-size': '8' }]) {
      expect(await refusal(complete(service, uploadId, parts, headers))).toEqual([400, 'BadDigest']);
      expect((await call(service, { path: filmPath })).status).toBe(404);
    }
    const right = { [crc]: crcOf('one two'), 'x-amz-mp-object-size': '7' };
    const reply = await complete(service, uploadId, parts, right);
    expect([reply.status, elementText(reply.text, 'ChecksumCRC32')]).toEqual([200, crcOf('one two')]);
  },
  '13-1': async () => {
    const { service, uploadId, parts } = await sentUpload(['new']);
    await put(service, 'bucket', 'film.bin', 'there');
    const headers = { 'if-none-match': '*' };
    const again = call(service, { method: 'PUT', path: filmPath, body: 'x', headers });
    expect(await refusal(again)).toEqual([412, 'PreconditionFailed']);
    expect(await refusal(complete(service, uploadId, parts, headers))).toEqual([412, 'PreconditionFailed']);
    expect((await call(service, { path: filmPath })).text).toBe('there');
    ok(await call(service, { method: 'DELETE', path: filmPath }));
    expect((await complete(service, uploadId, parts, headers)).status).toBe(200);
  },
  '13-2': async () => {
    const { service, uploadId, parts } = await sentUpload(['new']);
    const { headers } = await put(service, 'bucket', 'film.bin', 'there');
    const other = { 'if-match': `"${md5('other')}"` };
    const again = call(service, { method: 'PUT', path: filmPath, body: 'x', headers: other });
    expect(await refusal(again)).toEqual([412, 'PreconditionFailed']);
    expect(await refusal(complete(service, uploadId, parts, other))).toEqual([412, 'PreconditionFailed']);
    const same = { 'if-match': headers.etag ?? '' };
    expect((await complete(service, uploadId, parts, same)).status).toBe(200);
  },
  '13-3': async () => {
    const service = await holding(['note.txt']);
    const etag = `"${md5('note.txt')}"`;
    const read = (headers: Readonly<Record<string, string>>): Promise<Reply> =>
      call(service, { path, headers });
    expect(await refusal(read({ 'if-match': '"other"' }))).toEqual([412, 'PreconditionFailed']);
    expect((await read({ 'if-match': etag })).status).toBe(200);
    expect((await read({ 'if-none-match': etag })).status).toBe(304);
    expect((await read({ 'if-none-match': '"other"' })).status).toBe(200);
  },
  '13-4': async () => {
    const service = await holding(['note.txt']);
    const modified = (await call(service, { method: 'HEAD', path })).headers['last-modified'] ?? '';
    const remove = (headers: Readonly<Record<string, string>>): Promise<Reply> =>
      call(service, { method: 'DELETE', path, headers });
    const refused = [412, 'PreconditionFailed'];
    expect(await refusal(remove({ 'if-match': '"other"' }))).toEqual(refused);
    expect(await refusal(remove({ 'x-amz-if-match-size': '7' }))).toEqual(refused);
    const before = new Date(0).toUTCString();
    expect(await refusal(remove({ 'x-amz-if-match-last-modified-time': before }))).toEqual(refused);
    const right = {
      'if-match': `"${md5('note.txt')}"`,
      'x-amz-if-match-size': '8',
      'x-amz-if-match-last-modified-time': modified,
    };
    expect((await remove(right)).status).toBe(204);
    expect((await call(service, { path })).status).toBe(404);
  },
  '14-1': async () => {
    const reply = await call(await holding([]), { path });
    expect(rootOf(reply.text)).toBe('Error');
    expect(
      ['Code', 'Message', 'Resource'].map((name) => (elementText(reply.text, name) ?? '') !== ''),
    ).toEqual([true, true, true]);
    expect(elementText(reply.text, 'Resource')).toBe(path);
    expect(elementText(reply.text, 'RequestId')).toBe(reply.headers['x-amz-request-id']);
  },
  '14-2': async () => {
    const service = await holding(['note.txt']);
    expect((await call(service, { path })).status).toBe(200);
    const address = await presign(service, { path, expiresInSeconds: 60 });
    expect((await sendRaw(service, 'GET', address)).text).toBe('note.txt');
    expect(await refusal(sendRaw(service, 'GET', path))).toEqual([403, 'AccessDenied']);
    const old = await sendRaw(
      service,
      'GET',
      `${path}?AWSAccessKeyId=TESTKEY&Expires=9999999999&Signature=x`,
    );
    expect(elementText(old.text, 'Message')).toBe('SigV2 is not supported; sign with SigV4.');
  },
  '14-3': async () => {
    const service = await holding([]);
    const store = (name: string): Promise<Reply> =>
      call(service, { method: 'PUT', path, body: 'x', headers: { 'x-amz-storage-class': name } });
    for (const name of ['STANDARD', 'COLD']) expect((await store(name)).status).toBe(200);
    for (const name of ['GLACIER', 'cold', 'STANDARD_IA']) {
      expect(await refusal(store(name))).toEqual([400, 'InvalidStorageClass']);
    }
  },
  '14-4': async () => {
    const mebi = 1024 * 1024;
    for (const [firstBytes, response] of [
      [5 * mebi - 1, 400],
      [5 * mebi, 200],
    ] as const) {
      const { service, uploadId, parts } = await sentUpload(['x'.repeat(firstBytes), 'y'], {}, {});
      const reply = await complete(service, uploadId, parts);
      expect([reply.status, elementText(reply.text, 'Code')]).toEqual([
        response,
        response === 400 ? 'EntityTooSmall' : null,
      ]);
    }
  },
  '14-5': async () => {
    const service = await holding([]);
    const uploadId = await begin(service);
    const store = (partNumber: string): Promise<Reply> =>
      call(service, { method: 'PUT', path: filmPath, query: { uploadId, partNumber }, body: 'x' });
    for (const number of ['1', '10000']) expect((await store(number)).status).toBe(200);
    for (const number of ['0', '10001', '-1', 'x']) {
      expect(await refusal(store(number))).toEqual([400, 'InvalidArgument']);
    }
  },
  '14-6': async () => {
    const { service, uploadId, parts } = await sentUpload(['one']);
    const whole = partsXml(parts);
    for (const name of ['PartNumber', 'ETag']) {
      const twice = whole.replace(new RegExp(`<${name}>.*?</${name}>`), '$&$&');
      expect(await refusal(complete(service, uploadId, twice))).toEqual([400, 'MalformedXML']);
    }
    expect((await complete(service, uploadId, whole)).status).toBe(200);
  },
  '14-7': async () => {
    const { service } = await completed(['one', 'two']);
    const read = (partNumber: string): Promise<Reply> =>
      call(service, { path: filmPath, query: { partNumber } });
    expect((await read('2')).text).toBe('two');
    for (const number of ['3', '10000']) {
      const reply = await read(number);
      expect([reply.status, elementText(reply.text, 'Code')]).toEqual([416, 'InvalidPartNumber']);
      expect([
        elementText(reply.text, 'PartNumberRequested'),
        elementText(reply.text, 'ActualPartCount'),
      ]).toEqual([number, '2']);
      expect(
        (await call(service, { method: 'HEAD', path: filmPath, query: { partNumber: number } })).status,
      ).toBe(416);
    }
    for (const number of ['0', '10001', 'x', '']) {
      expect(await refusal(read(number))).toEqual([400, 'InvalidArgument']);
    }
  },
  '14-8': async () => {
    const service = await serve();
    const make = (name: string): Promise<Reply> => call(service, { method: 'PUT', path: `/${name}` });
    for (const name of ['abc', 'a.b-c9', 'x'.repeat(63)]) expect((await make(name)).status).toBe(200);
    for (const name of ['ab', 'x'.repeat(64), 'Abc', 'a_b', '-ab', 'ab-', 'foo.-bar', 'foo-.bar', 'a..b']) {
      expect(await refusal(make(name))).toEqual([400, 'InvalidBucketName']);
    }
  },
  '14-9': async () => {
    const service = await holding([]);
    const store = (expected: string): Promise<Reply> =>
      call(service, { method: 'PUT', path, body: 'x', unsignedHeaders: { expect: expected } });
    expect((await store('100-continue')).status).toBe(200);
    expect(await refusal(store('a-miracle'))).toEqual([417, 'ExpectationFailed']);
  },
  '14-10': async () => {
    const service = await holding([]);
    for (const encoding of ['gzip', 'identity', 'x-own, gzip']) {
      const headers = { 'content-encoding': encoding };
      ok(await call(service, { method: 'PUT', path, body: 'x', headers }));
      expect((await call(service, { path })).headers['content-encoding']).toBe(encoding);
    }
  },
  '14-11': async () => {
    const service = await holding(['note.txt']);
    for (const name of ['cors', 'policy', 'acl', 'website', 'encryption', 'object-lock', 'replication']) {
      const reply = call(service, { path: '/bucket', query: { [name]: '' } });
      expect(await refusal(reply)).toEqual([501, 'NotImplemented']);
    }
  },
  '14-13': async () => {
    const service = await holding(['note.txt']);
    for (const asked of ['/bucket', path, '/bucket/none']) {
      const { headers } = await call(service, { path: asked });
      expect(headers['x-amz-request-id']).toMatch(/^\w+$/);
      expect([headers['x-amz-id-2'] === undefined, headers['x-amz-bucket-region']]).toEqual([false, region]);
    }
    const { headers } = await call(service, { path: '/' });
    expect([headers['x-amz-request-id'] === undefined, headers['x-amz-bucket-region']]).toEqual([
      false,
      undefined,
    ]);
  },
  '14-12': async () => {
    const service = await holding(['a']);
    for (const version of [{}, { 'list-type': '2' }]) {
      const ask = (maxKeys: string): Promise<Reply> =>
        call(service, { path: '/bucket', query: { ...version, 'max-keys': maxKeys } });
      const { text } = ok(await ask('0'));
      expect([all(text, 'Key'), elementText(text, 'IsTruncated')]).toEqual([[], 'false']);
      for (const value of ['-1', 'x']) expect(await refusal(ask(value))).toEqual([400, 'InvalidArgument']);
    }
  },
};
