import { describe, expect, test } from 'vitest';
import { all, bucketWith, call, ok, one, prefixesOf, put, rootOf, serve } from './harness.ts';
import type { Service } from '../../support/lab-service/server.ts';

async function list(
  service: Service,
  query: Record<string, string> = {},
  bucket = 'bucket',
): Promise<string> {
  return ok(await call(service, { path: `/${bucket}`, query })).text;
}

const v2 = (query: Record<string, string> = {}): Record<string, string> => ({ 'list-type': '2', ...query });
const tree = ['a.txt', 'b/1', 'b/2', 'b/c/3', 'd.txt', 'e/4'];

async function thousands(service: Service, count: number): Promise<void> {
  const bucket = service.store.createBucket('bucket', 0);
  const names = Array.from({ length: count }, (_, index) => `k${String(index).padStart(5, '0')}`);
  const object = {
    content: { kind: 'none' },
    sizeBytes: 0,
    etag: 'e',
    modifiedMs: 0,
    storageClass: 'STANDARD',
    attributes: { headers: {}, metadata: {} },
  } as const;
  service.store.putObjects(
    bucket?.id ?? 0,
    names.map((name) => [name, object] as const),
  );
}

describe('§2 The elements of a listing', () => {
  test('§2 Object: Contents holds Key, ETag, LastModified, Size and StorageClass', async () => {
    const service = await serve({ clock: { nowMs: () => Date.parse('2026-03-01T12:30:45.678Z') } });
    service.store.createBucket('bucket', 0);
    await call(service, {
      method: 'PUT',
      path: '/bucket/notes.txt',
      body: 'hello',
      headers: { 'x-amz-storage-class': 'COLD', 'x-amz-meta-a': 'not part of the hash' },
      now: new Date('2026-03-01T12:30:45Z'),
    });
    const reply = await call(service, {
      path: '/bucket',
      query: v2(),
      now: new Date('2026-03-01T12:30:45Z'),
    });
    expect(one(reply.text, 'Key')).toBe('notes.txt');
    expect(one(reply.text, 'ETag')).toBe('"5d41402abc4b2a76b9719d911017c592"');
    expect(one(reply.text, 'LastModified')).toBe('2026-03-01T12:30:45.000Z');
    expect(one(reply.text, 'Size')).toBe('5');
    expect(one(reply.text, 'StorageClass')).toBe('COLD');
  });

  test('§2 Object: StorageClass is STANDARD when nothing was asked for', async () => {
    const service = await serve();
    await bucketWith(service, ['a']);
    expect(one(await list(service), 'StorageClass')).toBe('STANDARD');
  });

  test.each([
    ['V1', {}],
    ['V2', v2()],
  ])('§2 %s: the root is ListBucketResult, and the payload XML', async (_, query) => {
    const service = await serve();
    await bucketWith(service, []);
    const reply = await call(service, { path: '/bucket', query });
    expect(rootOf(reply.text)).toBe('ListBucketResult');
    expect(reply.headers['content-type']).toBe('application/xml');
  });

  test.each([
    ['V1', {}],
    ['V2', v2()],
  ])('§2 %s: Name, Prefix, Delimiter and MaxKeys echo the request', async (_, query) => {
    const service = await serve();
    await bucketWith(service, tree);
    const xml = await list(service, { ...query, prefix: 'b/c', delimiter: '/', 'max-keys': '7' });
    expect(one(xml, 'Name')).toBe('bucket');
    expect(one(xml.replace(/<CommonPrefixes>.*<\/CommonPrefixes>/, ''), 'Prefix')).toBe('b/c');
    expect(one(xml, 'Delimiter')).toBe('/');
    expect(one(xml, 'MaxKeys')).toBe('7');
  });

  test.each([
    ['V1', {}],
    ['V2', v2()],
  ])('§2 %s: EncodingType is present only if encoding-type was passed', async (_, query) => {
    const service = await serve();
    await bucketWith(service, tree);
    expect(one(await list(service, query), 'EncodingType')).toBeNull();
    expect(one(await list(service, { ...query, 'encoding-type': 'url' }), 'EncodingType')).toBe('url');
  });

  test('§2 V2: KeyCount counts keys and common prefixes, and is never above MaxKeys', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    expect(one(await list(service, v2({ delimiter: '/' })), 'KeyCount')).toBe('4');
    const page = await list(service, v2({ delimiter: '/', 'max-keys': '3' }));
    expect(one(page, 'KeyCount')).toBe('3');
    expect(one(page, 'MaxKeys')).toBe('3');
  });

  test('§2 V2: ContinuationToken and StartAfter echo the request', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    const first = await list(service, v2({ 'max-keys': '1', 'start-after': 'a.txt' }));
    expect(one(first, 'StartAfter')).toBe('a.txt');
    expect(one(first, 'ContinuationToken')).toBeNull();
    const token = one(first, 'NextContinuationToken') ?? '';
    const second = await list(service, v2({ 'max-keys': '1', 'continuation-token': token }));
    expect(one(second, 'ContinuationToken')).toBe(token);
    expect(one(second, 'StartAfter')).toBeNull();
  });

  test('§2 V2: NextContinuationToken is returned only when IsTruncated is true', async () => {
    const service = await serve();
    await bucketWith(service, ['a', 'b']);
    const truncated = await list(service, v2({ 'max-keys': '1' }));
    expect([one(truncated, 'IsTruncated'), one(truncated, 'NextContinuationToken') !== null]).toEqual([
      'true',
      true,
    ]);
    const whole = await list(service, v2({ 'max-keys': '2' }));
    expect([one(whole, 'IsTruncated'), one(whole, 'NextContinuationToken')]).toEqual(['false', null]);
  });

  test('§2 V1: Marker echoes the request; NextMarker is there when the list does not fit', async () => {
    const service = await serve();
    await bucketWith(service, ['a', 'b', 'c']);
    const truncated = await list(service, { marker: 'a', 'max-keys': '1' });
    expect(one(truncated, 'Marker')).toBe('a');
    expect(one(truncated, 'NextMarker')).toBe('b');
    expect(one(await list(service), 'NextMarker')).toBeNull();
  });

  test('§2 V1 has no KeyCount, ContinuationToken or StartAfter; V2 no Marker', async () => {
    const service = await serve();
    await bucketWith(service, ['a', 'b']);
    expect(await list(service, { 'max-keys': '1' })).not.toMatch(/KeyCount|ContinuationToken|StartAfter/);
    expect(await list(service, v2({ 'max-keys': '1' }))).not.toMatch(/Marker/);
  });
});

describe('§4.1 ListObjectsV2', () => {
  test('§4.1 delimiter: files appear in Contents and directories in CommonPrefixes', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    const xml = await list(service, v2({ delimiter: '/' }));
    expect(all(xml, 'Key')).toEqual(['a.txt', 'd.txt']);
    expect(prefixesOf(xml)).toEqual(['b/', 'e/']);
  });

  test('§4.1 delimiter with prefix: the listing covers what is inside that prefix', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    const xml = await list(service, v2({ delimiter: '/', prefix: 'b/' }));
    expect(all(xml, 'Key')).toEqual(['b/1', 'b/2']);
    expect(prefixesOf(xml)).toEqual(['b/c/']);
  });

  test('§4.1 delimiter: any string may be one', async () => {
    const service = await serve();
    await bucketWith(service, ['x--1', 'x--2', 'y-1', 'мир', 'мор']);
    expect(prefixesOf(await list(service, v2({ delimiter: '--' })))).toEqual(['x--']);
    expect(prefixesOf(await list(service, v2({ delimiter: 'о' })))).toEqual(['мо']);
  });

  test('§4.1 encoding-type=url: keys, prefixes and delimiters are encoded as AWS does it', async () => {
    const service = await serve();
    await bucketWith(service, ['a b/é+(1)%.txt', 'a b/c/d']);
    const xml = await list(
      service,
      v2({ prefix: 'a b/', delimiter: '/', 'encoding-type': 'url', 'start-after': 'a ' }),
    );
    expect(all(xml, 'Key')).toEqual(['a+b/%C3%A9%2B%281%29%25.txt']);
    expect(prefixesOf(xml)).toEqual(['a+b/c/']);
    expect(xml).toContain('<Prefix>a+b/</Prefix><Delimiter>/</Delimiter>');
    expect(one(xml, 'StartAfter')).toBe('a+');
  });

  test('§4.1 encoding-type: another value is InvalidArgument', async () => {
    const service = await serve();
    await bucketWith(service, []);
    const reply = await call(service, { path: '/bucket', query: v2({ 'encoding-type': 'base64' }) });
    expect([reply.status, one(reply.text, 'Code')]).toEqual([400, 'InvalidArgument']);
  });

  test('§4.1 without encoding-type, a key is escaped as XML 1.0 can carry it', async () => {
    const service = await serve();
    await bucketWith(service, ['del\u007f<&>"\r.txt']);
    const xml = await list(service, v2());
    expect(xml).toContain('<Key>del&#x7f;&lt;&amp;&gt;&quot;&#xd;.txt</Key>');
  });

  test('§4.1 a server that ignores encoding-type writes what XML 1.0 cannot carry as a reference, as AWS does', async () => {
    const service = await serve({ quirks: { encodingType: 'ignored' } });
    await bucketWith(service, ['bell\u0007.txt']);
    const xml = await list(service, v2({ 'encoding-type': 'url' }));
    expect(xml).toContain('<Key>bell&#x7;.txt</Key>');
  });

  test('§4.1 max-keys: lowers the number of items, prefixes counted with keys', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    const xml = await list(service, v2({ delimiter: '/', 'max-keys': '2' }));
    expect([...all(xml, 'Key'), ...prefixesOf(xml)]).toEqual(['a.txt', 'b/']);
    expect(one(xml, 'IsTruncated')).toBe('true');
  });

  test('§4.1 max-keys=0 is an empty page that is not truncated', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    const xml = await list(service, v2({ 'max-keys': '0' }));
    expect([one(xml, 'KeyCount'), one(xml, 'IsTruncated'), all(xml, 'Key')]).toEqual(['0', 'false', []]);
  });

  test.each(['-1', 'ten', '1.5', '99999999999'])('§4.1 max-keys=%s is InvalidArgument', async (value) => {
    const service = await serve();
    await bucketWith(service, []);
    const reply = await call(service, { path: '/bucket', query: v2({ 'max-keys': value }) });
    expect([reply.status, one(reply.text, 'Code')]).toEqual([400, 'InvalidArgument']);
  });

  test('§4.1 prefix: only keys that start with it are selected', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    expect(all(await list(service, v2({ prefix: 'b/' })), 'Key')).toEqual(['b/1', 'b/2', 'b/c/3']);
    expect(all(await list(service, v2({ prefix: 'zzz' })), 'Key')).toEqual([]);
  });

  test('§4.1 start-after: the listing starts after that key, whether or not it exists', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    expect(all(await list(service, v2({ 'start-after': 'b/2' })), 'Key')).toEqual(['b/c/3', 'd.txt', 'e/4']);
    expect(all(await list(service, v2({ 'start-after': 'b/zzz' })), 'Key')).toEqual(['d.txt', 'e/4']);
  });

  test('§4.1 start-after inside a common prefix keeps that prefix while keys of it follow', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    expect(prefixesOf(await list(service, v2({ delimiter: '/', 'start-after': 'b/1' })))).toEqual([
      'b/',
      'e/',
    ]);
  });

  test('§4.1 paging: continuation-token leads to the end, and no key comes twice or is left out', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    const found: string[] = [];
    let token: string | null = null;
    let pages = 0;
    do {
      const xml: string = await list(
        service,
        v2({ 'max-keys': '1', ...(token === null ? {} : { 'continuation-token': token }) }),
      );
      found.push(...all(xml, 'Key'));
      token = one(xml, 'NextContinuationToken');
      expect(one(xml, 'IsTruncated')).toBe(String(token !== null));
      pages++;
    } while (token !== null);
    expect(found).toEqual(tree);
    expect(pages).toBe(tree.length);
  });

  test('§4.1 paging: a token wins over start-after', async () => {
    const service = await serve();
    await bucketWith(service, ['a', 'b', 'c']);
    const token = one(await list(service, v2({ 'max-keys': '1' })), 'NextContinuationToken') ?? '';
    const xml = await list(service, v2({ 'continuation-token': token, 'start-after': 'b' }));
    expect(all(xml, 'Key')).toEqual(['b', 'c']);
  });

  test.each(['rubbish', '', 'AAAAAAAAAAAAAAAAAAAAAAAA'])(
    '§4.1 continuation-token %j is InvalidArgument',
    async (token) => {
      const service = await serve();
      await bucketWith(service, ['a', 'b']);
      const reply = await call(service, { path: '/bucket', query: v2({ 'continuation-token': token }) });
      expect([reply.status, one(reply.text, 'Code')]).toEqual([400, 'InvalidArgument']);
    },
  );

  test('§4.1 continuation-token: one that was changed, or of another bucket, is InvalidArgument', async () => {
    const service = await serve();
    await bucketWith(service, ['a', 'b']);
    await bucketWith(service, ['a', 'b'], 'other-bucket');
    const token = one(await list(service, v2({ 'max-keys': '1' })), 'NextContinuationToken') ?? '';
    const changed = `${token.slice(0, -1)}${token.endsWith('Q') ? 'g' : 'Q'}`;
    const first = await call(service, { path: '/bucket', query: v2({ 'continuation-token': changed }) });
    const second = await call(service, { path: '/other-bucket', query: v2({ 'continuation-token': token }) });
    expect([first.status, second.status]).toEqual([400, 400]);
  });

  test('§4.1 a bucket that is not there is NoSuchBucket', async () => {
    const service = await serve();
    const reply = await call(service, { path: '/nowhere', query: v2() });
    expect([reply.status, one(reply.text, 'Code')]).toEqual([404, 'NoSuchBucket']);
  });
});

describe('§4.2 ListObjects (V1)', () => {
  test('§4.2 V1: marker keeps the keys that follow it', async () => {
    const service = await serve();
    await bucketWith(service, ['a', 'b', 'c']);
    expect(all(await list(service, { marker: 'b' }), 'Key')).toEqual(['c']);
    expect(all(await list(service, { marker: 'aa' }), 'Key')).toEqual(['b', 'c']);
  });

  test('§4.2 V1: delimiter and prefix work as in V2', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    const xml = await list(service, { prefix: 'b/', delimiter: '/' });
    expect(all(xml, 'Key')).toEqual(['b/1', 'b/2']);
    expect(prefixesOf(xml)).toEqual(['b/c/']);
  });

  test('§4.2 V1: encoding-type encodes Marker and NextMarker as well', async () => {
    const service = await serve();
    await bucketWith(service, ['a a', 'b b', 'c c']);
    const xml = await list(service, { 'encoding-type': 'url', marker: 'a a', 'max-keys': '1' });
    expect([one(xml, 'Marker'), all(xml, 'Key'), one(xml, 'NextMarker')]).toEqual(['a+a', ['b+b'], 'b+b']);
  });

  test('§4.2 V1 paging: NextMarker as marker leads to the end, through common prefixes too', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    const found: string[] = [];
    let marker: string | null = '';
    while (marker !== null) {
      const xml: string = await list(service, { delimiter: '/', 'max-keys': '1', marker });
      found.push(...all(xml, 'Key'), ...prefixesOf(xml));
      marker = one(xml, 'NextMarker');
      expect(one(xml, 'IsTruncated')).toBe(String(marker !== null));
    }
    expect(found).toEqual(['a.txt', 'b/', 'd.txt', 'e/']);
  });
});

describe('§8 Limits and §9 versions', () => {
  test.each([
    ['V1', {}],
    ['V2', v2()],
  ])('§8 %s: a page has at most 1000 items, which is also the default', async (_, query) => {
    const service = await serve();
    await thousands(service, 1500);
    const byDefault = await list(service, query);
    expect([all(byDefault, 'Key').length, one(byDefault, 'MaxKeys'), one(byDefault, 'IsTruncated')]).toEqual([
      1000,
      '1000',
      'true',
    ]);
    const wanted = await list(service, { ...query, 'max-keys': '5000' });
    expect([all(wanted, 'Key').length, one(wanted, 'MaxKeys')]).toEqual([1000, '5000']);
  });

  test('§8 exactly 1000 keys are one page that is not truncated', async () => {
    const service = await serve();
    await thousands(service, 1000);
    expect(one(await list(service, v2()), 'IsTruncated')).toBe('false');
  });

  test('§9 list-type=2 selects V2; without it, or with another value, V1 answers', async () => {
    const service = await serve();
    await bucketWith(service, ['a']);
    expect(await list(service, v2())).toContain('<KeyCount>');
    expect(await list(service)).toContain('<Marker>');
    expect(await list(service, { 'list-type': '1' })).toContain('<Marker>');
  });

  test('keys come in the order of their UTF-8 bytes, not of JavaScript strings', async () => {
    const service = await serve();
    const names = ['z', '\uFF5E', '\u{1F600}', 'é'];
    await bucketWith(service, names);
    await put(service, 'bucket', 'Z');
    expect(all(await list(service), 'Key')).toEqual(['Z', 'z', 'é', '\uFF5E', '\u{1F600}']);
  });
});
