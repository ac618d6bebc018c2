import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { inlineBytes } from '../../../electron/service/store/model.ts';
import type { Service } from '../../support/lab-service/server.ts';
import { begin, filmPath } from '../../unit/service/multipart-calls.ts';
import { bucketWith, crcOf, elementText, prepare, serve, type Call } from '../../unit/service/harness.ts';
import { sampleOf } from '../../support/sample.ts';
import { RawConnection, type Framing } from '../../unit/service/raw-connection.ts';

const sizes = [1_000, 300_000, 3_000_000, 30_000_000] as const;
const framings = ['length', 'chunked', 'aws-chunked'] as const;
const unsigned = 'UNSIGNED-PAYLOAD';
const trailerHash = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';

type Refusal = readonly [
  name: string,
  prepareCall: (service: Service, body: Buffer) => Promise<Call> | Call,
  codes: readonly string[],
];

/** Requests that are refused before, during or after reading their body, each with its acceptable error codes. */
const refusals: readonly Refusal[] = [
  ['a PUT into a missing bucket', () => ({ method: 'PUT', path: '/none/a' }), ['NoSuchBucket']],
  ['a PUT without a signature', () => ({ method: 'PUT', path: '/bucket/a', sign: false }), ['AccessDenied']],
  [
    'a PUT with a wrong secret',
    () => ({
      method: 'PUT',
      path: '/bucket/a',
      credentials: { accessKeyId: 'TESTKEY', secretAccessKey: 'wrong' },
    }),
    ['SignatureDoesNotMatch'],
  ],
  [
    'a PUT with the MD5 of other bytes',
    () => ({
      method: 'PUT',
      path: '/bucket/a',
      headers: { 'content-md5': createHash('md5').update('other').digest('base64') },
    }),
    ['BadDigest'],
  ],
  [
    'a deletion of many that is not XML',
    () => ({ method: 'POST', path: '/bucket', query: { delete: '' } }),
    ['MalformedXML', 'MaxMessageLengthExceeded'],
  ],
  [
    'a Complete that is not XML',
    async (service) => ({ method: 'POST', path: filmPath, query: { uploadId: await begin(service) } }),
    ['MalformedXML', 'MaxMessageLengthExceeded'],
  ],
];

/** Sends a refused request and another one on the same connection. Returns the first's error code and the second's text. */
async function answersTo(
  service: Service,
  request: Call,
  body: Buffer,
  framing: (typeof framings)[number],
): Promise<readonly [code: string | null, next: string]> {
  const isAws = framing === 'aws-chunked';
  const extra = {
    'x-amz-decoded-content-length': String(body.byteLength),
    'x-amz-trailer': 'x-amz-checksum-crc32',
  };
  const { method, target, headers } = await prepare(service, {
    payloadHash: isAws ? trailerHash : unsigned,
    ...request,
    headers: { ...request.headers, ...(isAws ? extra : {}) },
  });
  const sent = isAws
    ? Buffer.concat([
        Buffer.from(`${body.byteLength.toString(16)}\r\n`),
        body,
        Buffer.from(`\r\n0\r\nx-amz-checksum-crc32:${crcOf(body.toString())}\r\n\r\n`),
      ])
    : body;
  const read = await prepare(service, { path: '/bucket/there' });
  const connection = new RawConnection(service.port);
  const wire: Framing = framing === 'chunked' ? 'chunked' : 'length';
  const refused = await connection.ask(method, target, headers, sent, wire);
  return [elementText(refused.text, 'Code'), (await connection.ask('GET', read.target, read.headers)).text];
}

const cases = refusals.flatMap((refusal) => framings.map((framing) => [...refusal, framing] as const));

describe.each(sizes)('a body of %i bytes', (size) => {
  const body = Buffer.alloc(size, 'x');

  test.each(sampleOf(cases, 6, size))(
    'with %s is refused, and the connection accepts the next request: %#',
    async (_name, prepareCall, codes, framing) => {
      const service = await serve();
      await bucketWith(service, ['there']);
      const [code, next] = await answersTo(service, await prepareCall(service, body), body, framing);
      expect(codes).toContain(code);
      expect(next).toBe('there');
    },
  );

  test('with a wrong first chunk signature is refused, and the connection accepts the next request', async () => {
    const service = await serve();
    await bucketWith(service, ['there']);
    const { headers } = await prepare(service, {
      method: 'PUT',
      path: '/bucket/a',
      payloadHash: 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
      headers: { 'x-amz-decoded-content-length': String(size * 2) },
    });
    const chunk = `${size.toString(16)};chunk-signature=${'0'.repeat(64)}\r\n`;
    const end = Buffer.from('\r\n');
    const sent = Buffer.concat([Buffer.from(chunk), body, end, Buffer.from(chunk), body, end]);
    const read = await prepare(service, { path: '/bucket/there' });
    const connection = new RawConnection(service.port);
    const refused = await connection.ask('PUT', '/bucket/a', headers, sent);
    expect(elementText(refused.text, 'Code')).toBe('SignatureDoesNotMatch');
    expect((await connection.ask('GET', read.target, read.headers)).text).toBe('there');
  });
});

const stored = sizes.filter((size) => size > inlineBytes);
const storedFramings = stored.flatMap((size) => framings.map((framing) => [size, framing] as const));

test.each(sampleOf(storedFramings, 5))(
  'a PUT of %i bytes on a full disk is InternalError, and the connection stays usable: %s',
  async (size, framing) => {
    const service = await serve();
    await bucketWith(service, ['there']);
    const { blobs } = service.store;
    const create = blobs.create.bind(blobs);
    vi.spyOn(blobs, 'create').mockImplementation(async () => {
      const writer = await create();
      const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      vi.spyOn(writer, 'write').mockRejectedValue(full);
      return writer;
    });
    const put = { method: 'PUT', path: '/bucket/a' };
    const body = Buffer.alloc(size, 'x');
    expect(await answersTo(service, put, body, framing)).toEqual(['InternalError', 'there']);
  },
);
