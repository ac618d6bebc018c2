import { expect } from 'vitest';
import { begin, complete, filmPath, partsXml, send } from '../../../unit/service/multipart-calls.ts';
import {
  all,
  call,
  crcOf,
  md5,
  ok,
  elementText,
  pathOf,
  prefixesOf,
  prepare,
  presign,
  send as sendRaw,
  sha256,
  type Reply,
} from '../../../unit/service/harness.ts';
import { RawConnection } from '../../../unit/service/raw-connection.ts';
import { completed, holding, refusal, sentUpload, v1, v2 } from './asking.ts';
import type { Cases } from './claims.ts';

const path = '/bucket/note.txt';
const rulesPath = { path: '/bucket', query: { lifecycle: '' } };
const invalid = [400, 'InvalidArgument'];
const malformed = [400, 'MalformedXML'];

const ruleXml = (filter: string, action: string): string =>
  `<LifecycleConfiguration><Rule><Status>Enabled</Status><Filter>${filter}</Filter>${action}</Rule></LifecycleConfiguration>`;
const expiry = '<Expiration><Days>1</Days></Expiration>';
const sizesXml = (above: number, below: number): string =>
  `<And><ObjectSizeGreaterThan>${above}</ObjectSizeGreaterThan><ObjectSizeLessThan>${below}</ObjectSizeLessThan></And>`;
const tag = (key: string, value: string): string => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`;

/** Cases of sections 11 to 14: contradictory requests, ambiguous queries, truncated bodies, attributes. */
export const letterCases: Cases = {
  '11-8': async () => {
    const service = await holding([]);
    const store = (filter: string, action = expiry): Promise<Reply> =>
      call(service, { method: 'PUT', ...rulesPath, body: ruleXml(filter, action) });
    const abort =
      '<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload>';
    const markers = '<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>';
    for (const reply of [
      store(sizesXml(10, 5)),
      store(sizesXml(10, 10)),
      store(sizesXml(10, 11)),
      store(`<And>${tag('a', '1')}${tag('a', '2')}</And>`),
      store(`<And>${tag('a', '1')}${tag('a', '1')}</And>`),
      store(tag('a', '1'), markers),
      store(tag('a', '1'), abort),
      store(sizesXml(1, 10), abort),
    ]) {
      expect(await refusal(reply)).toEqual([400, 'InvalidRequest']);
    }
    expect((await call(service, rulesPath)).status).toBe(404);
    expect((await store(sizesXml(10, 12))).status).toBe(200);
    expect((await store(`<And>${tag('a', '1')}${tag('b', '1')}</And>`)).status).toBe(200);
  },
  '12-8': async () => {
    const service = await holding([]);
    const store = async (
      promised: string,
      trailers: readonly string[],
      hash = trailerHash,
    ): Promise<Reply> => {
      const body =
        hash === trailerHash
          ? `5\r\nhello\r\n0\r\n${trailers.map((line) => `${line}\r\n`).join('')}\r\n`
          : 'hello';
      const headers = {
        ...(hash === trailerHash ? { 'x-amz-decoded-content-length': '5' } : {}),
        ...(promised === '' ? {} : { 'x-amz-trailer': promised }),
      };
      const signed = await prepare(service, { method: 'PUT', path, headers, payloadHash: hash });
      return sendRaw(service, 'PUT', path, signed.headers, body);
    };
    const name = 'x-amz-checksum-crc32';
    const trailer = `${name}:${crcOf('hello')}`;
    for (const [promised, trailers] of [
      [name, []],
      [`${name},x-amz-checksum-sha1`, [trailer]],
      [name, [trailer, trailer]],
      [name, [trailer, 'x-amz-meta-a:1']],
      ['x-amz-checksum-sha1', [trailer]],
    ] as const) {
      expect(await refusal(store(promised, trailers))).toEqual([400, 'MalformedTrailerError']);
    }
    for (const [promised, trailers, hash] of [
      ['', [trailer], trailerHash],
      ['x-amz-meta-a', ['x-amz-meta-a:1'], trailerHash],
      [name, [], 'UNSIGNED-PAYLOAD'],
    ] as const) {
      expect(await refusal(store(promised, trailers, hash))).toEqual([400, 'InvalidRequest']);
    }
    expect((await call(service, { path })).status).toBe(404);
    expect((await store(name, [trailer])).headers[name]).toBe(crcOf('hello'));
  },
  '14-14': async () => {
    const service = await holding(['a']);
    for (const query of [{}, { 'list-type': '2' }, { versions: '' }, { uploads: '' }]) {
      for (const encoding of ['', 'URL', 'base64']) {
        const reply = call(service, { path: '/bucket', query: { ...query, 'encoding-type': encoding } });
        expect(await refusal(reply)).toEqual(invalid);
      }
      ok(await call(service, { path: '/bucket', query: { ...query, 'encoding-type': 'url' } }));
    }
    const signed = await prepare(service, { path: '/bucket' });
    for (const query of [
      'list-type=2&list-type=2',
      'list-type=1&list-type=2',
      'prefix=a&prefix=',
      'acl&acl',
    ]) {
      expect(await refusal(sendRaw(service, 'GET', `/bucket?${query}`, signed.headers))).toEqual(invalid);
    }
  },
  '14-15': async () => {
    const key = 'a\u0001b';
    const service = await holding([key, 'plain']);
    const queries = [{}, { 'list-type': '2' }, { versions: '' }] as const;
    for (const query of queries) {
      const reply = await call(service, { path: '/bucket', query });
      expect([reply.status, elementText(reply.text, 'Code')]).toEqual([400, 'InvalidRequest']);
      expect(elementText(reply.text, 'Message')).toContain('encoding-type=url');
      const encoded = { ...query, 'encoding-type': 'url' };
      expect(all(ok(await call(service, { path: '/bucket', query: encoded })).text, 'Key')).toEqual([
        'a%01b',
        'plain',
      ]);
      // A page that does not contain the key is returned.
      const others = { ...query, prefix: 'p' };
      expect(all(ok(await call(service, { path: '/bucket', query: others })).text, 'Key')).toEqual(['plain']);
    }
    const uploads = { uploads: '' };
    const begun = await call(service, { method: 'POST', path: pathOf('bucket', key), query: uploads });
    expect(elementText(begun.text, 'Key')).toBe('a\ufffdb');
    expect(await refusal(call(service, { path: '/bucket', query: uploads }))).toEqual([
      400,
      'InvalidRequest',
    ]);
    const missing = await call(service, { path: pathOf('bucket', '\u0002\uffff') });
    expect(elementText(missing.text, 'Key')).toBe('\ufffd\ufffd');
    // Characters that XML can write as references are not changed.
    ok(await call(service, { method: 'PUT', path: pathOf('bucket', 'z\t\r\n\u007f'), body: '' }));
    expect(all(await v2(service, { prefix: 'z' }), 'Key')).toEqual(['z\t\r\n\u007f']);
  },
  '14-16': async () => {
    const service = await holding(['a']);
    for (const list of [v1, v2]) {
      expect(await list(service)).not.toContain('<Owner>');
      expect(await list(service, { 'fetch-owner': 'false' })).not.toContain('<Owner>');
      expect(await list(service, { 'fetch-owner': 'true' })).toContain('<Owner>');
    }
  },
  '14-17': async () => {
    const service = await holding(['a', 'd/1', 'd/2', 'z']);
    const after = async (key: string): Promise<unknown[]> => {
      const newer = await v2(service, { delimiter: '/', 'start-after': key });
      const older = await v1(service, { delimiter: '/', marker: key });
      expect([all(older, 'Key'), prefixesOf(older)]).toEqual([all(newer, 'Key'), prefixesOf(newer)]);
      return [...prefixesOf(newer), ...all(newer, 'Key')];
    };
    expect(await after('d')).toEqual(['d/', 'z']);
    expect(await after('d/')).toEqual(['z']);
    expect(await after('d/1')).toEqual(['d/', 'z']);
    expect(await after('d/1x')).toEqual(['d/', 'z']);
    expect(await after('d/2')).toEqual(['z']);
  },
  '14-18': async () => {
    const { service, uploadId } = await sentUpload(['1', '2', '3']);
    await begin(service, {}, '/bucket/other');
    for (const key of ['a', 'b', 'c']) ok(await call(service, { method: 'PUT', path: `/bucket/${key}` }));
    const lists: readonly [string, Readonly<Record<string, string>>, string, readonly string[]][] = [
      ['/bucket', {}, 'max-keys', ['NextMarker']],
      ['/bucket', { 'list-type': '2' }, 'max-keys', ['NextContinuationToken']],
      ['/bucket', { versions: '' }, 'max-keys', ['NextKeyMarker', 'NextVersionIdMarker']],
      ['/bucket', { uploads: '' }, 'max-uploads', ['NextKeyMarker', 'NextUploadIdMarker']],
      [filmPath, { uploadId }, 'max-parts', ['NextPartNumberMarker']],
    ];
    for (const [at, query, limit, markers] of lists) {
      for (const [count, isTruncated] of [
        ['1', 'true'],
        ['0', 'false'],
        ['1000', 'false'],
      ] as const) {
        const { text } = ok(await call(service, { path: at, query: { ...query, [limit]: count } }));
        expect(elementText(text, 'IsTruncated')).toBe(isTruncated);
        const sent = markers.filter((name) => elementText(text, name) !== null);
        expect(sent).toEqual(isTruncated === 'true' ? markers : []);
      }
    }
  },
  '14-19': async () => {
    const service = await holding(['note.txt']);
    const body = Buffer.alloc(9_000_000, 'x');
    const unsigned = { payloadHash: 'UNSIGNED-PAYLOAD' };
    const put = await prepare(service, { method: 'PUT', path: '/none/a', ...unsigned });
    const read = await prepare(service, { path });
    const connection = new RawConnection(service.port);
    for (const framing of ['length', 'chunked'] as const) {
      const refused = await connection.ask('PUT', put.target, put.headers, body, framing);
      expect([refused.status, elementText(refused.text, 'Code')]).toEqual([404, 'NoSuchBucket']);
      expect((await connection.ask('GET', path, read.headers)).text).toBe('note.txt');
    }
    const last = await connection.ask('PUT', put.target, { ...put.headers, connection: 'close' }, body);
    expect(last.status).toBe(404);
    await connection.closed();
    // Refused before 100 Continue: the client sends no body, and the connection ends.
    const waiting = new RawConnection(service.port);
    const fields = Object.entries({ ...put.headers, expect: '100-continue', 'content-length': '9000000' });
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    await waiting.send(`PUT ${put.target} HTTP/1.1\r\n${lines}\r\n`);
    const { status, headers } = await waiting.reply();
    expect([status, headers.get('connection')]).toEqual([404, 'close']);
  },
  '14-20': async () => {
    const { service, uploadId, parts } = await sentUpload(['one']);
    ok(await call(service, { method: 'PUT', path: '/bucket/x\ufffd'.replace('\ufffd', '%EF%BF%BD') }));
    const remove = (body: string | Buffer): Promise<Reply> =>
      call(service, { method: 'POST', path: '/bucket', query: { delete: '' }, body });
    const object = '<Object><Key>note.txt</Key></Object>';
    for (const body of [
      Buffer.from('<Delete><Object><Key>x\xff</Key></Object></Delete>', 'latin1'),
      '<Delete><Object><Key>x&copy;</Key></Object></Delete>',
      '<Delete><Object><Key>x&#1;</Key></Object></Delete>',
      '<Delete><Object><Key>x\u0001</Key></Object></Delete>',
      '<!DOCTYPE Delete><Delete><Object><Key>x</Key></Object></Delete>',
      '<?xml version="1.1"?><Delete><Object><Key>x&#1;</Key></Object></Delete>',
      `<Delete>${object}`,
      `<Delete>${object}</Delete><Delete/>`,
      `<Delete>${object}<Prefix>x</Prefix></Delete>`,
      `<Delete>${object}x</Delete>`,
      '<Delete><Object><Key>x</Key><Name>y</Name></Object></Delete>',
      `<Delete ${Array.from({ length: 200_000 }, (_, index) => `a${index}=""`).join(' ')}>${object}</Delete>`,
      `<Delete>${'<Object>'.repeat(100_000)}${'</Object>'.repeat(100_000)}</Delete>`,
      `<Delete>${'<Quiet/>'.repeat(200_000)}${object}</Delete>`,
      `<Delete>${'<a:b xmlns:a="u"/>'.repeat(200_000)}${object}</Delete>`,
      '<a:Delete><Object><Key>x</Key></Object></a:Delete>',
    ]) {
      expect(await refusal(remove(body))).toEqual(malformed);
    }
    expect(all(await v2(service), 'Key')).toEqual(['x\ufffd']);
    const bodies: readonly [string, string, Readonly<Record<string, string>>][] = [
      [partsXml(parts).replace('</Part>', '<Part/>$&'), filmPath, { uploadId }],
      [
        '<VersioningConfiguration><Status>Enabled</Status><More/></VersioningConfiguration>',
        '/bucket',
        { versioning: '' },
      ],
      [`<Tagging><TagSet>${tag('a', '1')}<Key/></TagSet></Tagging>`, '/bucket', { tagging: '' }],
      [`<Tagging><TagSet>${tag('a', '1<b/>')}</TagSet><TagSet/></Tagging>`, '/bucket', { tagging: '' }],
      [ruleXml(tag('a', '1'), `${expiry}text`), '/bucket', { lifecycle: '' }],
      ['<CreateBucketConfiguration><Tags/></CreateBucketConfiguration>', '/another', {}],
    ];
    for (const [body, at, query] of bodies) {
      const method = at === filmPath ? 'POST' : 'PUT';
      expect(await refusal(call(service, { method, path: at, query, body }))).toEqual(malformed);
    }
    expect((await call(service, { path: '/another' })).status).toBe(404);
    // Comments, instructions, CDATA and another prefix of the namespace change nothing.
    const dressed =
      '<?xml version="1.0" encoding="UTF-8"?><!-- a --><s:Delete xmlns:s="http://s3.amazonaws.com/doc/2006-03-01/">' +
      '<?b?><s:Object><s:Key><![CDATA[x]]>&#xFFFD;</s:Key></s:Object><!-- c --></s:Delete>';
    expect((await remove(dressed)).status).toBe(200);
    expect(all(await v2(service), 'Key')).toEqual([]);
  },
  '14-21': async () => {
    const service = await holding(['source']);
    const link = await presign(service, { method: 'PUT', path, expiresInSeconds: 60 });
    for (const [name, value] of Object.entries({
      'x-amz-copy-source': '/bucket/source',
      'x-amz-tagging': 'a=1',
      'x-amz-meta-a': '1',
      'x-amz-metadata-directive': 'REPLACE',
      'x-amz-storage-class': 'COLD',
      'x-amz-acl': 'private',
      'x-amz-website-redirect-location': '/elsewhere',
      'x-amz-object-lock-mode': 'GOVERNANCE',
      'x-amz-server-side-encryption': 'AES256',
      'x-amz-checksum-crc32': crcOf('by link'),
      'x-amz-security-token': 'token',
    })) {
      const reply = await sendRaw(service, 'PUT', link, { [name]: value }, 'by link');
      expect([
        reply.status,
        elementText(reply.text, 'Code'),
        elementText(reply.text, 'HeadersNotSigned'),
      ]).toEqual([403, 'AccessDenied', name]);
    }
    expect((await call(service, { path })).status).toBe(404);
    const uploadId = await begin(service);
    const query = { uploadId, partNumber: '1' };
    const part = await presign(service, { method: 'PUT', path: filmPath, query, expiresInSeconds: 60 });
    const copy = sendRaw(service, 'PUT', part, { 'x-amz-copy-source': '/bucket/source' });
    expect(await refusal(copy)).toEqual([403, 'AccessDenied']);
    const harmless = { 'x-amz-user-agent': 'browser', 'x-amz-date': '20260101T000000Z' };
    expect((await sendRaw(service, 'PUT', link, harmless, 'by link')).status).toBe(200);
    expect((await call(service, { path })).text).toBe('by link');
    const noHost = await presign(service, { path, expiresInSeconds: 60, unsignedHost: true });
    expect(await refusal(sendRaw(service, 'GET', noHost))).toEqual([403, 'AccessDenied']);
    const inHeaders = call(service, { path, unsignedHeaders: { 'x-amz-user-agent': 'browser' } });
    expect(await refusal(inHeaders)).toEqual([403, 'AccessDenied']);
  },
  '14-22': async () => {
    const service = await holding([]);
    const crc = crcOf('hello');
    const headers = { 'x-amz-checksum-crc32': crc, 'x-amz-storage-class': 'COLD' };
    ok(await call(service, { method: 'PUT', path, body: 'hello', headers }));
    const ask = (names?: string): Promise<Reply> =>
      call(service, {
        path,
        query: { attributes: '' },
        headers: names === undefined ? {} : { 'x-amz-object-attributes': names },
      });
    const { text } = ok(await ask('ETag,Checksum, ObjectParts,StorageClass,ObjectSize'));
    const values = ['ETag', 'ChecksumCRC32', 'ChecksumType', 'StorageClass', 'ObjectSize'];
    expect(values.map((name) => elementText(text, name))).toEqual([
      md5('hello'),
      crc,
      'FULL_OBJECT',
      'COLD',
      '5',
    ]);
    expect(text).not.toContain('<ObjectParts>');
    const sizeAlone = ok(await ask('ObjectSize')).text;
    expect([elementText(sizeAlone, 'ObjectSize'), elementText(sizeAlone, 'ETag')]).toEqual(['5', null]);
    expect(await refusal(ask('ETag,Owner'))).toEqual(invalid);
    expect(await refusal(ask())).toEqual([400, 'InvalidRequest']);
    const missing = {
      path: '/bucket/none',
      query: { attributes: '' },
      headers: { 'x-amz-object-attributes': 'ETag' },
    };
    expect(await refusal(call(service, missing))).toEqual([404, 'NoSuchKey']);
  },
  '14-23': async () => {
    const service = await holding([]);
    const uploadId = await begin(service, { 'x-amz-checksum-algorithm': 'SHA256' });
    const bodies = ['one ', 'two ', 'three'];
    const sums = bodies.map((body) => sha256(body).toString('base64'));
    const parts: [number, string, string][] = [];
    for (const [index, body] of bodies.entries()) {
      const sum = sums[index] ?? '';
      const etag = await send(service, uploadId, index + 1, body, { 'x-amz-checksum-sha256': sum });
      parts.push([index + 1, etag, `<ChecksumSHA256>${sum}</ChecksumSHA256>`]);
    }
    ok(await complete(service, uploadId, parts));
    const ask = async (headers: Readonly<Record<string, string>> = {}): Promise<string> => {
      const wanted = { 'x-amz-object-attributes': 'ObjectParts', ...headers };
      return ok(await call(service, { path: filmPath, query: { attributes: '' }, headers: wanted })).text;
    };
    const whole = await ask();
    expect([
      elementText(whole, 'PartsCount'),
      elementText(whole, 'IsTruncated'),
      elementText(whole, 'NextPartNumberMarker'),
    ]).toEqual(['3', 'false', null]);
    expect([all(whole, 'PartNumber'), all(whole, 'Size'), all(whole, 'ChecksumSHA256')]).toEqual([
      ['1', '2', '3'],
      ['4', '4', '5'],
      sums,
    ]);
    const second = await ask({ 'x-amz-max-parts': '1', 'x-amz-part-number-marker': '1' });
    expect(
      ['MaxParts', 'PartNumberMarker', 'NextPartNumberMarker', 'IsTruncated'].map((name) =>
        elementText(second, name),
      ),
    ).toEqual(['1', '1', '2', 'true']);
    expect([all(second, 'PartNumber'), all(second, 'ChecksumSHA256')]).toEqual([['2'], [sums[1]]]);
    const plain = await completed(['a', 'b']);
    const attributes = { 'x-amz-object-attributes': 'ObjectParts,Checksum' };
    const reply = await call(plain.service, {
      path: filmPath,
      query: { attributes: '' },
      headers: attributes,
    });
    expect([all(reply.text, 'Size'), reply.text.includes('Checksum')]).toEqual([['1', '1'], false]);
    const bad = { 'x-amz-object-attributes': 'ObjectParts', 'x-amz-max-parts': 'x' };
    const asked = call(service, { path: filmPath, query: { attributes: '' }, headers: bad });
    expect(await refusal(asked)).toEqual(invalid);
  },
};

const trailerHash = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
