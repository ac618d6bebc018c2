import { expect } from 'vitest';
import { begin, complete, filmPath, send } from '../../../unit/service/multipart-calls.ts';
import {
  all,
  call,
  md5,
  ok,
  elementText,
  pathOf,
  prefixesOf,
  put,
  rootOf,
  serve,
} from '../../../unit/service/harness.ts';
import { childrenOf, completed, holding, holdingMany, pages, refusal, sentUpload, v1, v2 } from './asking.ts';
import type { Cases } from './claims.ts';

const three = ['a', 'b', 'c'];

/** The cases of sections 1 and 2: the service's operations, and the contents of its responses. */
export const responseCases: Cases = {
  '1-1': async () => {
    const service = await holding(['a']);
    expect(elementText((await call(service, { path: '/' })).text, 'Name')).toBe('bucket');
    expect((await call(service, { path: '/bucket/a' })).text).toBe('a');
    expect(await refusal(call(service, { path: '/other/a' }))).toEqual([404, 'NoSuchBucket']);
  },
  '1-2': async () => {
    const keys = Array.from({ length: 1001 }, (_, index) => `k${String(index).padStart(4, '0')}`);
    const service = await holdingMany(keys);
    const replies = await pages(
      (further) => v2(service, further),
      'continuation-token',
      'NextContinuationToken',
    );
    expect(replies.map((answer) => all(answer, 'Key').length)).toEqual([1000, 1]);
    expect(replies.flatMap((answer) => all(answer, 'Key'))).toEqual(keys);
    // Version 1 of ListObjects returns all keys as well.
    const old = await pages((further) => v1(service, further), 'marker', 'NextMarker');
    expect(old.flatMap((answer) => all(answer, 'Key'))).toEqual(keys);
  },
  '1-3': async () => {
    const { service } = await completed(['one ', 'two']);
    expect((await call(service, { path: filmPath })).text).toBe('one two');
  },
  '1-4': async () => {
    // The parts are sent in reverse order.
    const { service } = await completed(['3', '2', '1', '0']);
    expect((await call(service, { path: filmPath })).text).toBe('3210');
  },
  '1-5': async () => {
    const { service, uploadId } = await completed();
    const listed = await call(service, { path: '/bucket', query: { uploads: '' } });
    expect(all(listed.text, 'UploadId')).toEqual([]);
    expect(await refusal(call(service, { path: filmPath, query: { uploadId } }))).toEqual([
      404,
      'NoSuchUpload',
    ]);
  },
  '2-1': async () => {
    const service = await holding(['a']);
    expect(elementText(await v2(service), 'Name')).toBe('bucket');
    expect(elementText(await v1(service), 'Name')).toBe('bucket');
  },
  '2-2': async () => {
    const keys = ['a b/ü', 'plus+&<>"', '好'];
    expect(all(await v2(await holding(keys)), 'Key')).toEqual(keys);
  },
  '2-3': async () => {
    const service = await holding([]);
    for (const [key, colour] of [
      ['a', 'red'],
      ['b', 'blue'],
    ] as const) {
      const headers = { 'x-amz-meta-colour': colour };
      ok(await call(service, { method: 'PUT', path: `/bucket/${key}`, body: 'same', headers }));
    }
    expect(all(await v2(service), 'ETag')).toEqual([`"${md5('same')}"`, `"${md5('same')}"`]);
  },
  '2-4': async () => {
    const nowMs = Math.floor(Date.now() / 1000) * 1000;
    const service = await holding(['a'], { clock: { nowMs: () => nowMs } });
    expect(elementText(await v2(service), 'LastModified')).toBe(new Date(nowMs).toISOString());
  },
  '2-5': async () => {
    const service = await holding([]);
    await put(service, 'bucket', 'a', 'ü好');
    expect(elementText(await v2(service), 'Size')).toBe('5');
  },
  '2-6': async () => {
    const service = await holding(['warm']);
    const headers = { 'x-amz-storage-class': 'COLD' };
    ok(await call(service, { method: 'PUT', path: '/bucket/cold', body: 'x', headers }));
    expect(all(await v2(service), 'StorageClass')).toEqual(['COLD', 'STANDARD']);
  },
  '2-7': async () => {
    const service = await holding(['photos/2025/a', 'photos/2026/b', 'photos/c']);
    expect(prefixesOf(await v2(service, { delimiter: '/', prefix: 'photos/' }))).toEqual([
      'photos/2025/',
      'photos/2026/',
    ]);
  },
  '2-8': async () => {
    const service = await serve();
    const ids = [await begin(service), await begin(service)];
    expect(new Set(ids).size).toBe(2);
    for (const uploadId of ids) ok(await call(service, { path: filmPath, query: { uploadId } }));
  },
  '2-9': async () => {
    const service = await serve();
    const uploadId = await begin(service);
    const etag = await send(service, uploadId, 7, 'seven');
    expect(etag).toBe(`"${md5('seven')}"`);
    const { text } = await call(service, { path: filmPath, query: { uploadId } });
    expect([elementText(text, 'PartNumber'), elementText(text, 'ETag')]).toEqual(['7', etag]);
  },
  '2-10': async () => {
    const service = await holding(three);
    expect(elementText(await v2(service, { 'max-keys': '2' }), 'IsTruncated')).toBe('true');
    expect(elementText(await v2(service, { 'max-keys': '3' }), 'IsTruncated')).toBe('false');
  },
  '2-11': async () => {
    const text = await v2(await holding(three));
    expect(all(text, 'Key')).toEqual(three);
    expect(childrenOf(text, 'Contents').toSorted()).toEqual([
      'ETag',
      'Key',
      'LastModified',
      'Size',
      'StorageClass',
    ]);
  },
  '2-12': async () => {
    expect(elementText(await v2(await holding([])), 'Name')).toBe('bucket');
  },
  '2-13': async () => {
    expect(await echoOf('prefix', 'a b/')).toContain('<Prefix>a b/</Prefix>');
  },
  '2-14': async () => {
    expect(elementText(await echoOf('delimiter', '-'), 'Delimiter')).toBe('-');
    expect(elementText(await v2(await holding([])), 'Delimiter')).toBeNull();
  },
  '2-15': async () => {
    expect(elementText(await echoOf('max-keys', '7'), 'MaxKeys')).toBe('7');
    const service = await holding(['a']);
    for (const asked of ['1000', '1001', '5000', '2147483647']) {
      expect(elementText(await v2(service, { 'max-keys': asked }), 'MaxKeys')).toBe(asked);
      expect(elementText(await v1(service, { 'max-keys': asked }), 'MaxKeys')).toBe(asked);
    }
  },
  '2-16': async () => {
    const text = await v2(await holding(['a/1', 'a/2', 'b/1', 'c']), { delimiter: '/' });
    expect([prefixesOf(text), all(text, 'Key')]).toEqual([['a/', 'b/'], ['c']]);
  },
  '2-17': async () => {
    const service = await holding(['a b']);
    const encoded = await v2(service, { 'encoding-type': 'url' });
    expect([elementText(encoded, 'EncodingType'), elementText(encoded, 'Key')]).toEqual(['url', 'a+b']);
    const plain = await v2(service);
    expect([elementText(plain, 'EncodingType'), elementText(plain, 'Key')]).toEqual([null, 'a b']);
  },
  '2-18': async () => {
    const service = await holding(['a/1', 'b', 'c']);
    for (const maxKeys of [1, 2, 3, 1000]) {
      const text = await v2(service, { delimiter: '/', 'max-keys': String(maxKeys) });
      expect(Number(elementText(text, 'KeyCount'))).toBe(Math.min(3, maxKeys));
      expect(Number(elementText(text, 'KeyCount'))).toBe(all(text, 'Key').length + prefixesOf(text).length);
    }
  },
  '2-19': async () => {
    const service = await holding(three);
    const first = await v2(service, { 'max-keys': '1' });
    expect(elementText(first, 'ContinuationToken')).toBeNull();
    const token = elementText(first, 'NextContinuationToken') ?? '';
    expect(elementText(await v2(service, { 'continuation-token': token }), 'ContinuationToken')).toBe(token);
  },
  '2-20': async () => {
    const service = await holding(three);
    const first = await v2(service, { 'max-keys': '2' });
    const token = elementText(first, 'NextContinuationToken') ?? '';
    const second = await v2(service, { 'max-keys': '2', 'continuation-token': token });
    expect(all(second, 'Key')).toEqual(['c']);
    expect(elementText(second, 'NextContinuationToken')).toBeNull();
  },
  '2-21': async () => {
    expect(elementText(await echoOf('start-after', 'a b'), 'StartAfter')).toBe('a b');
  },
  '2-22': async () => {
    const service = await holding(three);
    expect(elementText(await v1(service, { 'max-keys': '2' }), 'IsTruncated')).toBe('true');
    expect(elementText(await v1(service), 'IsTruncated')).toBe('false');
  },
  '2-23': async () => {
    const service = await holding(three);
    expect(elementText(await v1(service, { marker: 'a' }), 'Marker')).toBe('a');
    expect(await v1(service)).toMatch(/<Marker\s*\/>|<Marker><\/Marker>/);
  },
  '2-24': async () => {
    const service = await holding(three);
    const first = await v1(service, { 'max-keys': '2' });
    const marker = elementText(first, 'NextMarker') ?? '';
    const second = await v1(service, { 'max-keys': '2', marker });
    expect(all(second, 'Key')).toEqual(['c']);
    expect(elementText(second, 'NextMarker')).toBeNull();
  },
  '2-25': async () => {
    const children = childrenOf(await v1(await holding(['a'])), 'Contents');
    for (const name of ['ETag', 'Key', 'LastModified', 'Size', 'StorageClass']) {
      expect(children).toContain(name);
    }
  },
  '2-26': async () => {
    const service = await holding(['p/a b/1', 'p/c']);
    const query = { prefix: 'p/', delimiter: '/', 'max-keys': '5', 'encoding-type': 'url' };
    const text = await v1(service, query);
    expect(['Name', 'MaxKeys', 'EncodingType'].map((name) => elementText(text, name))).toEqual([
      'bucket',
      '5',
      'url',
    ]);
    expect(decodeURIComponent(elementText(text, 'Delimiter') ?? '')).toBe('/');
    expect(prefixesOf(text).map((prefix) => decodeURIComponent(prefix.replaceAll('+', ' ')))).toEqual([
      'p/a b/',
    ]);
    expect(elementText(await v1(service), 'EncodingType')).toBeNull();
  },
  '2-27': async () => {
    const { service, uploadId, parts } = await sentUpload();
    // The object consists of the listed parts only.
    expect((await complete(service, uploadId, parts.slice(0, 2))).status).toBe(200);
    expect((await call(service, { path: filmPath })).text).toBe('one two ');
  },
  '2-28': async () => {
    const service = await holding([]);
    const uploadId = await begin(service);
    const last = await send(service, uploadId, 900, 'last');
    const first = await send(service, uploadId, 3, 'first ');
    const parts = [
      [3, first],
      [900, last],
    ] as const;
    expect((await complete(service, uploadId, parts)).status).toBe(200);
    expect((await call(service, { path: filmPath })).text).toBe('first last');
  },
  '2-29': async () => {
    const { service, uploadId, parts } = await sentUpload(['one']);
    const wrong = [[1, `"${md5('other')}"`]] as const;
    expect(await refusal(complete(service, uploadId, wrong))).toEqual([400, 'InvalidPart']);
    expect((await complete(service, uploadId, parts)).status).toBe(200);
  },
  '2-30': async () => {
    const { service, reply } = await completed();
    const location = elementText(reply.text, 'Location') ?? '';
    expect(location).toBe(`${service.endpoint}${filmPath}`);
    const { pathname } = new URL(location);
    expect((await call(service, { path: pathname })).text).toBe('one two three');
  },
  '2-31': async () => {
    expect(elementText((await completed()).reply.text, 'Bucket')).toBe('bucket');
  },
  '2-32': async () => {
    const service = await holding([]);
    const key = 'a b/ü+.bin';
    const path = pathOf('bucket', key);
    const begun = ok(await call(service, { method: 'POST', path, query: { uploads: '' } }));
    const query = { uploadId: elementText(begun.text, 'UploadId') ?? '' };
    const part = { ...query, partNumber: '1' };
    const { headers } = ok(await call(service, { method: 'PUT', path, query: part, body: 'x' }));
    const body = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${headers.etag ?? ''}</ETag></Part></CompleteMultipartUpload>`;
    const reply = ok(await call(service, { method: 'POST', path, query, body }));
    expect([rootOf(reply.text), elementText(reply.text, 'Key')]).toEqual([
      'CompleteMultipartUploadResult',
      key,
    ]);
  },
  '2-33': async () => {
    const { service, reply } = await completed();
    const etag = elementText(reply.text, 'ETag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{32}-3"$/);
    expect(etag).not.toContain(md5('one two three'));
    expect((await call(service, { method: 'HEAD', path: filmPath })).headers.etag).toBe(etag);
  },
};

/** Returns the ListObjectsV2 response of an empty bucket to one parameter. */
async function echoOf(name: string, value: string): Promise<string> {
  return await v2(await holding([]), { [name]: value });
}
