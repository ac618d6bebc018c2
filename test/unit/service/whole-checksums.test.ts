import { createHash } from 'node:crypto';
import { assert, property, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runningChecksum } from '../../../electron/service/checksum-algorithms.ts';
import { combineCrcs } from '../../../electron/core/disk/combine-checksums.ts';
import type { Service } from '../../support/lab-service/server.ts';
import { bucketWith, call, crcOf, md5, elementText, serve, sha256 } from './harness.ts';
import { begin, codeOf, complete, filmPath as path, send } from './multipart-calls.ts';

const tiny = { minPartBytes: 1 };
const checked = { 'x-amz-checksum-mode': 'ENABLED' };

function checksumNames(headers: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(headers).filter((name) => name.startsWith('x-amz-checksum-'));
}

/** Creates an upload of two parts with a CRC-32 checksum, COMPOSITE or FULL_OBJECT. */
async function twoParts(
  service: Service,
  type: 'COMPOSITE' | 'FULL_OBJECT',
): Promise<{ readonly uploadId: string; readonly parts: [number, string, string][] }> {
  const headers = { 'x-amz-checksum-algorithm': 'CRC32', 'x-amz-checksum-type': type };
  const uploadId = await begin(service, headers);
  const parts: [number, string, string][] = [];
  for (const [index, body] of ['one ', 'two'].entries()) {
    const etag = await send(service, uploadId, index + 1, body, { 'x-amz-checksum-crc32': crcOf(body) });
    parts.push([index + 1, etag, `<ChecksumCRC32>${crcOf(body)}</ChecksumCRC32>`]);
  }
  return { uploadId, parts };
}

const composite = `${crcOf32([crcOf('one '), crcOf('two')])}-2`;

function crcOf32(parts: readonly string[]): string {
  const check = runningChecksum('crc32');
  for (const part of parts) check.update(Buffer.from(part, 'base64'));
  return check.digest().toString('base64');
}

describe('a checksum of the whole object is sent only with the whole object:', () => {
  test.each(['GET', 'HEAD'])('not with a range or partNumber of a %s object', async (method) => {
    const service = await serve();
    await bucketWith(service, []);
    const value = sha256('hello').toString('base64');
    const headers = { 'x-amz-checksum-sha256': value };
    await call(service, { method: 'PUT', path: '/bucket/a', body: 'hello', headers });
    const whole = await call(service, { method, path: '/bucket/a', headers: checked });
    expect([whole.status, whole.headers['x-amz-checksum-sha256']]).toEqual([200, value]);
    for (const range of ['bytes=0-2', 'bytes=2-', 'bytes=-1', 'bytes=0-']) {
      const got = await call(service, { method, path: '/bucket/a', headers: { ...checked, range } });
      expect([got.status, checksumNames(got.headers)]).toEqual([206, []]);
    }
    const part = await call(service, {
      method,
      path: '/bucket/a',
      query: { partNumber: '1' },
      headers: checked,
    });
    expect([part.status, checksumNames(part.headers)]).toEqual([206, []]);
  });

  test('a part of a COMPOSITE object has its own checksum', async () => {
    const service = await serve(tiny);
    const { uploadId, parts } = await twoParts(service, 'COMPOSITE');
    expect((await complete(service, uploadId, parts)).status).toBe(200);
    for (const [index, body] of ['one ', 'two'].entries()) {
      const query = { partNumber: String(index + 1) };
      const got = await call(service, { path, query, headers: checked });
      expect([got.status, got.text, got.headers['x-amz-checksum-crc32']]).toEqual([206, body, crcOf(body)]);
    }
    const range = await call(service, { path, headers: { ...checked, range: 'bytes=0-3' } });
    expect(checksumNames(range.headers)).toEqual([]);
    const whole = await call(service, { path, headers: checked });
    expect([whole.headers['x-amz-checksum-crc32'], whole.headers['x-amz-checksum-type']]).toEqual([
      composite,
      'COMPOSITE',
    ]);
  });

  test('a part of a FULL_OBJECT object has no checksum', async () => {
    const service = await serve(tiny);
    const { uploadId, parts } = await twoParts(service, 'FULL_OBJECT');
    expect((await complete(service, uploadId, parts)).status).toBe(200);
    const got = await call(service, { path, query: { partNumber: '2' }, headers: checked });
    expect([got.status, checksumNames(got.headers)]).toEqual([206, []]);
  });
});

describe('the checksum sent with CompleteMultipartUpload', () => {
  const whole = crcOf('one two');

  test.each([
    ['COMPOSITE', composite, whole],
    ['COMPOSITE', composite, `${crcOf('x')}-2`],
    ['COMPOSITE', composite, `${composite.slice(0, -2)}-3`],
    ['COMPOSITE', composite, 'bad'],
    ['FULL_OBJECT', whole, composite],
    ['FULL_OBJECT', whole, crcOf('one twO')],
    ['FULL_OBJECT', whole, 'bad'],
  ] as const)(
    'is verified for %s: %s is accepted, and %s is BadDigest and stores nothing',
    async (type, right, wrong) => {
      const service = await serve(tiny);
      const { uploadId, parts } = await twoParts(service, type);
      const name = 'x-amz-checksum-crc32';
      expect(await codeOf(complete(service, uploadId, parts, { [name]: wrong }))).toEqual([400, 'BadDigest']);
      expect((await call(service, { path })).status).toBe(404);
      const reply = await complete(service, uploadId, parts, { [name]: right });
      expect([
        reply.status,
        elementText(reply.text, 'ChecksumCRC32'),
        elementText(reply.text, 'ChecksumType'),
      ]).toEqual([200, right, type]);
      expect((await call(service, { path, headers: checked })).headers[name]).toBe(right);
    },
  );

  test('may omit the number of parts if it is COMPOSITE', async () => {
    const service = await serve(tiny);
    const { uploadId, parts } = await twoParts(service, 'COMPOSITE');
    const headers = { 'x-amz-checksum-crc32': composite.slice(0, -2) };
    expect((await complete(service, uploadId, parts, headers)).status).toBe(200);
  });

  test('is computed for FULL_OBJECT if the client sends none', async () => {
    const service = await serve(tiny);
    const { uploadId, parts } = await twoParts(service, 'FULL_OBJECT');
    expect(elementText((await complete(service, uploadId, parts)).text, 'ChecksumCRC32')).toBe(whole);
  });

  test('is compared with the bytes if the upload has no algorithm', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    const parts: [number, string][] = [
      [1, await send(service, uploadId, 1, 'one ')],
      [2, await send(service, uploadId, 2, 'two')],
    ];
    const name = 'x-amz-checksum-sha256';
    const wrong = { [name]: sha256('other').toString('base64') };
    expect(await codeOf(complete(service, uploadId, parts, wrong))).toEqual([400, 'BadDigest']);
    const right = { [name]: sha256('one two').toString('base64') };
    expect((await complete(service, uploadId, parts, right)).status).toBe(200);
    expect((await call(service, { path, headers: checked })).headers[name]).toBe(right[name]);
  });

  test('is InvalidRequest for another algorithm and BadDigest for another type', async () => {
    const service = await serve(tiny);
    const { uploadId, parts } = await twoParts(service, 'COMPOSITE');
    const other = { 'x-amz-checksum-sha256': sha256('one two').toString('base64') };
    expect(await codeOf(complete(service, uploadId, parts, other))).toEqual([400, 'InvalidRequest']);
    const type = { 'x-amz-checksum-type': 'FULL_OBJECT' };
    expect(await codeOf(complete(service, uploadId, parts, type))).toEqual([400, 'BadDigest']);
  });

  test('may come with x-amz-mp-object-size, which must match the object', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    const parts: [number, string][] = [[1, await send(service, uploadId, 1, '12345')]];
    const name = 'x-amz-mp-object-size';
    for (const wrong of ['4', '6', '0'])
      expect(await codeOf(complete(service, uploadId, parts, { [name]: wrong }))).toEqual([400, 'BadDigest']);
    expect(await codeOf(complete(service, uploadId, parts, { [name]: 'five' }))).toEqual([
      400,
      'InvalidArgument',
    ]);
    expect((await call(service, { path })).status).toBe(404);
    expect((await complete(service, uploadId, parts, { [name]: '5' })).status).toBe(200);
    expect(md5((await call(service, { path })).bytes)).toBe(md5('12345'));
  });
});

test.each(['crc32', 'crc32c', 'crc64nvme'] as const)(
  'the combined %s of two byte sequences equals that of their concatenation',
  (algorithm) => {
    const crc = (...runs: readonly Uint8Array[]): Buffer => {
      const check = runningChecksum(algorithm);
      for (const run of runs) check.update(run);
      return check.digest();
    };
    assert(
      property(uint8Array({ maxLength: 300 }), uint8Array({ maxLength: 300 }), (a, b) => {
        const combined = combineCrcs(algorithm, crc(a), crc(b), b.length);
        expect(combined.toString('hex')).toBe(crc(a, b).toString('hex'));
      }),
    );
    const big = createHash('sha256').update('big').digest();
    const long = Buffer.alloc(100_000, big);
    expect(combineCrcs(algorithm, crc(big), crc(long), long.length).equals(crc(big, long))).toBe(true);
  },
);
