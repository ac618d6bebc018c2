import { expect } from 'vitest';
import { all, call, elementText, prefixesOf, rootOf, send } from '../../../unit/service/harness.ts';
import { holding, holdingMany, pages, refusal, v1, v2 } from './asking.ts';
import type { Cases } from './claims.ts';

const tree = ['a', 'd/1', 'd/e/2', 'f/3', 'z'];

/** The headers of every response (claim 14-13), and those of HTTP itself. */
export const commonHeaders = [
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'server',
  'transfer-encoding',
  'x-amz-bucket-region',
  'x-amz-id-2',
  'x-amz-request-id',
];

const manyKeys = (): ReturnType<typeof holdingMany> =>
  holdingMany(
    Array.from({ length: 1005 }, (_, index) =>
      index < 4 ? `dir${index}/x` : `k${String(index).padStart(4, '0')}`,
    ),
  );

/** Returns the number of Contents and CommonPrefixes in a listing. */
const itemsOf = (text: string): number => all(text, 'Key').length + prefixesOf(text).length;

/** The cases of sections 4, 4.1, 4.2, 8 and 9: the two versions of the listing. */
export const listingCases: Cases = {
  '4-1': async () => {
    const service = await holding(['a']);
    service.store.buckets.create('other', 0);
    expect(all(await v2(service), 'Key')).toEqual(['a']);
    const other = await call(service, { path: '/other', query: { 'list-type': '2' } });
    expect([elementText(other.text, 'Name'), all(other.text, 'Key')]).toEqual(['other', []]);
    expect(await refusal(call(service, { path: '/none' }))).toEqual([404, 'NoSuchBucket']);
  },
  '4.1-1': async () => {
    const service = await holding(['a']);
    const reply = await call(service, { method: 'GET', path: '/bucket', query: { 'list-type': '2' } });
    expect([reply.status, elementText(reply.text, 'KeyCount')]).toEqual([200, '1']);
  },
  '4.1-2': async () => {
    const reply = await call(await holding([]), { path: '/bucket', query: { 'list-type': '2' } });
    expect(reply.headers['content-type']).toBe('application/xml');
    expect(rootOf(reply.text)).toBe('ListBucketResult');
  },
  '4.1-3': async () => {
    const service = await holding(['a']);
    expect(elementText(await v2(service), 'KeyCount')).toBe('1');
    // Any other value, or none, means version 1.
    for (const listType of ['1', '3', '']) {
      const text = await v1(service, { 'list-type': listType });
      expect([elementText(text, 'KeyCount'), text.includes('<Marker')]).toEqual([null, true]);
    }
  },
  '4.1-4': async () => {
    expect(all(await v2(await holding(tree)), 'Key')).toEqual(tree);
  },
  '4.1-5': async () => {
    const service = await holding(tree);
    const first = await v2(service, { 'max-keys': '2' });
    const token = elementText(first, 'NextContinuationToken') ?? '';
    expect(all(await v2(service, { 'continuation-token': token }), 'Key')).toEqual(['d/e/2', 'f/3', 'z']);
    expect(
      await refusal(
        call(service, { path: '/bucket', query: { 'list-type': '2', 'continuation-token': `${token}x` } }),
      ),
    ).toEqual([400, 'InvalidArgument']);
  },
  '4.1-6': async () => {
    const service = await holding(tree);
    const root = await v2(service, { delimiter: '/' });
    expect([all(root, 'Key'), prefixesOf(root)]).toEqual([
      ['a', 'z'],
      ['d/', 'f/'],
    ]);
    const inner = await v2(service, { delimiter: '/', prefix: 'd/' });
    expect([all(inner, 'Key'), prefixesOf(inner)]).toEqual([['d/1'], ['d/e/']]);
  },
  '4.1-7': async () => {
    const service = await holding(['a b/ü', 'c\u0001']);
    const text = await v2(service, { 'encoding-type': 'url' });
    expect(all(text, 'Key').map((key) => decodeURIComponent(key.replaceAll('+', ' ')))).toEqual([
      'a b/ü',
      'c\u0001',
    ]);
    expect(
      await refusal(
        call(service, { path: '/bucket', query: { 'list-type': '2', 'encoding-type': 'base64' } }),
      ),
    ).toEqual([400, 'InvalidArgument']);
  },
  '4.1-8': async () => {
    const service = await manyKeys();
    expect(itemsOf(await v2(service))).toBe(1000);
    const above = await v2(service, { 'max-keys': '5000', delimiter: '/' });
    expect([itemsOf(above), elementText(above, 'MaxKeys')]).toEqual([1000, '5000']);
    expect(prefixesOf(above)).toHaveLength(4);
    expect(itemsOf(await v2(service, { 'max-keys': '6', delimiter: '/' }))).toBe(6);
  },
  '4.1-9': async () => {
    const service = await holding(tree);
    expect(all(await v2(service, { prefix: 'd' }), 'Key')).toEqual(['d/1', 'd/e/2']);
    const text = await v2(service, { prefix: 'd', delimiter: '/' });
    expect([all(text, 'Key'), prefixesOf(text)]).toEqual([[], ['d/']]);
  },
  '4.1-10': async () => {
    const service = await holding(tree);
    expect(all(await v2(service, { 'start-after': 'd/1' }), 'Key')).toEqual(['d/e/2', 'f/3', 'z']);
    // `start-after` may name a key that does not exist.
    expect(all(await v2(service, { 'start-after': 'e' }), 'Key')).toEqual(['f/3', 'z']);
  },
  '4.1-11': async () => {
    const service = await holding(tree);
    const ask = (further: Readonly<Record<string, string>>): Promise<string> =>
      v2(service, { delimiter: '/', 'max-keys': '1', ...further });
    const responses = await pages(ask, 'continuation-token', 'NextContinuationToken');
    expect(responses.flatMap((text) => [...all(text, 'Key'), ...prefixesOf(text)])).toEqual([
      'a',
      'd/',
      'f/',
      'z',
    ]);
    expect(elementText(responses.at(-1) ?? '', 'IsTruncated')).toBe('false');
  },
  '4.2-1': async () => {
    const service = await holding(['a']);
    const reply = await call(service, { method: 'GET', path: '/bucket' });
    expect([reply.status, all(reply.text, 'Key'), elementText(reply.text, 'KeyCount')]).toEqual([
      200,
      ['a'],
      null,
    ]);
  },
  '4.2-2': async () => {
    const reply = await call(await holding([]), { path: '/bucket' });
    expect([reply.headers['content-type'], rootOf(reply.text)]).toEqual([
      'application/xml',
      'ListBucketResult',
    ]);
  },
  '4.2-3': async () => {
    expect(all(await v1(await holding(tree)), 'Key')).toEqual(tree);
  },
  '4.2-4': async () => {
    const service = await holding(tree);
    const text = await v1(service, { delimiter: '/', prefix: 'd/' });
    expect([all(text, 'Key'), prefixesOf(text)]).toEqual([['d/1'], ['d/e/']]);
  },
  '4.2-5': async () => {
    const text = await v1(await holding(['a b']), { 'encoding-type': 'url' });
    expect([elementText(text, 'Key'), elementText(text, 'EncodingType')]).toEqual(['a+b', 'url']);
  },
  '4.2-6': async () => {
    const service = await holding(tree);
    expect(all(await v1(service, { marker: 'd/1' }), 'Key')).toEqual(['d/e/2', 'f/3', 'z']);
    expect(all(await v1(service, { marker: 'zz' }), 'Key')).toEqual([]);
  },
  '4.2-7': async () => {
    const service = await manyKeys();
    expect(itemsOf(await v1(service))).toBe(1000);
    expect(itemsOf(await v1(service, { 'max-keys': '1001' }))).toBe(1000);
    expect(itemsOf(await v1(service, { 'max-keys': '5' }))).toBe(5);
  },
  '4.2-8': async () => {
    expect(all(await v1(await holding(tree), { prefix: 'd/' }), 'Key')).toEqual(['d/1', 'd/e/2']);
  },
  '4.2-9': async () => {
    const service = await holding(tree);
    const ask = (further: Readonly<Record<string, string>>): Promise<string> =>
      v1(service, { delimiter: '/', 'max-keys': '1', ...further });
    const responses = await pages(ask, 'marker', 'NextMarker');
    expect(responses.flatMap((text) => [...all(text, 'Key'), ...prefixesOf(text)])).toEqual([
      'a',
      'd/',
      'f/',
      'z',
    ]);
  },
  '4.3-10': async () => {
    await expectCommonHeaders({ 'list-type': '2' });
  },
  '4.3-11': async () => {
    await expectCommonHeaders({});
  },
  '8-1': async () => {
    const service = await manyKeys();
    for (const maxKeys of [undefined, '1000', '1001', '2147483647']) {
      const query = { delimiter: '/', ...(maxKeys === undefined ? {} : { 'max-keys': maxKeys }) };
      expect([itemsOf(await v2(service, query)), itemsOf(await v1(service, query))]).toEqual([1000, 1000]);
    }
    const fewer = { delimiter: '/', 'max-keys': '10' };
    expect([itemsOf(await v2(service, fewer)), itemsOf(await v1(service, fewer))]).toEqual([10, 10]);
  },
  '8-2': async () => {
    const service = await holding(tree);
    for (const maxKeys of ['0', '1', '3', '5', '1000']) {
      const text = await v2(service, { 'max-keys': maxKeys });
      expect(Number(elementText(text, 'KeyCount'))).toBeLessThanOrEqual(Number(elementText(text, 'MaxKeys')));
    }
  },
  '9-1': async () => {
    const service = await holding(['a']);
    expect((await v2(service)).includes('<KeyCount>')).toBe(true);
    expect((await v1(service)).includes('<KeyCount>')).toBe(false);
  },
  '9-2': async () => {
    // Version 1 is still supported, and returns the same facts about objects.
    const service = await holding(tree);
    for (const name of ['Key', 'ETag', 'Size', 'LastModified']) {
      expect(all(await v1(service), name)).toEqual(all(await v2(service), name));
    }
  },
  '9-3': async () => {
    const service = await holding(tree);
    const newer = await v2(service, { 'max-keys': '1', 'start-after': '0', marker: 'd' });
    expect(
      ['NextContinuationToken', 'StartAfter', 'KeyCount'].map((name) => elementText(newer, name) !== null),
    ).toEqual([true, true, true]);
    expect([all(newer, 'Key'), newer.includes('Marker')]).toEqual([['a'], false]);
    const older = await v1(service, { 'max-keys': '1', 'start-after': 'd', marker: '0' });
    expect([elementText(older, 'Marker'), elementText(older, 'NextMarker'), all(older, 'Key')]).toEqual([
      '0',
      'a',
      ['a'],
    ]);
    expect(/ContinuationToken|StartAfter|KeyCount/.test(older)).toBe(false);
  },
};

/** Checks that a listing needs only the signature's headers, and that the response has only common headers. */
async function expectCommonHeaders(query: Readonly<Record<string, string>>): Promise<void> {
  const service = await holding(['a']);
  const reply = await call(service, { path: '/bucket', query });
  expect(reply.status).toBe(200);
  expect(Object.keys(reply.headers).filter((name) => !commonHeaders.includes(name))).toEqual([]);
  expect((await send(service, 'GET', '/bucket')).status).toBe(403);
}
