import { describe, expect, test } from 'vitest';
import { all, bucketWith, call, ok, elementText, prefixesOf, put, rootOf, serve } from './harness.ts';
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
  const bucket = service.store.buckets.create('bucket', 0);
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

describe('the elements of a listing (§2):', () => {
  test('Contents holds Key, ETag, LastModified, Size and StorageClass', async () => {
    const service = await serve({ clock: { nowMs: () => Date.parse('2026-03-01T12:30:45.678Z') } });
    service.store.buckets.create('bucket', 0);
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
    expect(elementText(reply.text, 'Key')).toBe('notes.txt');
    expect(elementText(reply.text, 'ETag')).toBe('"5d41402abc4b2a76b9719d911017c592"');
    expect(elementText(reply.text, 'LastModified')).toBe('2026-03-01T12:30:45.000Z');
    expect(elementText(reply.text, 'Size')).toBe('5');
    expect(elementText(reply.text, 'StorageClass')).toBe('COLD');
  });

  test('StorageClass is STANDARD if none was requested', async () => {
    const service = await serve();
    await bucketWith(service, ['a']);
    expect(elementText(await list(service), 'StorageClass')).toBe('STANDARD');
  });

  test.each([
    ['V1', {}],
    ['V2', v2()],
  ])('in %s the root is ListBucketResult and the content type XML', async (_, query) => {
    const service = await serve();
    await bucketWith(service, []);
    const reply = await call(service, { path: '/bucket', query });
    expect(rootOf(reply.text)).toBe('ListBucketResult');
    expect(reply.headers['content-type']).toBe('application/xml');
  });

  test.each([
    ['V1', {}],
    ['V2', v2()],
  ])('in %s Name, Prefix, Delimiter and MaxKeys echo the request', async (_, query) => {
    const service = await serve();
    await bucketWith(service, tree);
    const xml = await list(service, { ...query, prefix: 'b/c', delimiter: '/', 'max-keys': '7' });
    expect(elementText(xml, 'Name')).toBe('bucket');
    expect(elementText(xml.replace(/<CommonPrefixes>.*<\/CommonPrefixes>/, ''), 'Prefix')).toBe('b/c');
    expect(elementText(xml, 'Delimiter')).toBe('/');
    expect(elementText(xml, 'MaxKeys')).toBe('7');
  });

  test.each([
    ['V1', {}],
    ['V2', v2()],
  ])('in %s EncodingType is present only if encoding-type was sent', async (_, query) => {
    const service = await serve();
    await bucketWith(service, tree);
    expect(elementText(await list(service, query), 'EncodingType')).toBeNull();
    expect(elementText(await list(service, { ...query, 'encoding-type': 'url' }), 'EncodingType')).toBe(
      'url',
    );
  });

  test('in V2 KeyCount counts keys and common prefixes and never exceeds MaxKeys', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    expect(elementText(await list(service, v2({ delimiter: '/' })), 'KeyCount')).toBe('4');
    const page = await list(service, v2({ delimiter: '/', 'max-keys': '3' }));
    expect(elementText(page, 'KeyCount')).toBe('3');
    expect(elementText(page, 'MaxKeys')).toBe('3');
  });

  test('in V2 ContinuationToken and StartAfter echo the request', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    const first = await list(service, v2({ 'max-keys': '1', 'start-after': 'a.txt' }));
    expect(elementText(first, 'StartAfter')).toBe('a.txt');
    expect(elementText(first, 'ContinuationToken')).toBeNull();
    const token = elementText(first, 'NextContinuationToken') ?? '';
    const second = await list(service, v2({ 'max-keys': '1', 'continuation-token': token }));
    expect(elementText(second, 'ContinuationToken')).toBe(token);
    expect(elementText(second, 'StartAfter')).toBeNull();
  });

  test('in V2 NextContinuationToken is present only if IsTruncated is true', async () => {
    const service = await serve();
    await bucketWith(service, ['a', 'b']);
    const truncated = await list(service, v2({ 'max-keys': '1' }));
    expect([
      elementText(truncated, 'IsTruncated'),
      elementText(truncated, 'NextContinuationToken') !== null,
    ]).toEqual(['true', true]);
    const whole = await list(service, v2({ 'max-keys': '2' }));
    expect([elementText(whole, 'IsTruncated'), elementText(whole, 'NextContinuationToken')]).toEqual([
      'false',
      null,
    ]);
  });

  test('in V1 Marker echoes the request, and NextMarker is present if the list is truncated', async () => {
    const service = await serve();
    await bucketWith(service, ['a', 'b', 'c']);
    const truncated = await list(service, { marker: 'a', 'max-keys': '1' });
    expect(elementText(truncated, 'Marker')).toBe('a');
    expect(elementText(truncated, 'NextMarker')).toBe('b');
    expect(elementText(await list(service), 'NextMarker')).toBeNull();
  });

  test('V1 has no KeyCount, ContinuationToken or StartAfter, and V2 no Marker', async () => {
    const service = await serve();
    await bucketWith(service, ['a', 'b']);
    expect(await list(service, { 'max-keys': '1' })).not.toMatch(/KeyCount|ContinuationToken|StartAfter/);
    expect(await list(service, v2({ 'max-keys': '1' }))).not.toMatch(/Marker/);
  });
});

describe('ListObjectsV2 (§4.1):', () => {
  test('a delimiter puts files into Contents and directories into CommonPrefixes', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    const xml = await list(service, v2({ delimiter: '/' }));
    expect(all(xml, 'Key')).toEqual(['a.txt', 'd.txt']);
    expect(prefixesOf(xml)).toEqual(['b/', 'e/']);
  });

  test('a delimiter with a prefix lists what is inside that prefix', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    const xml = await list(service, v2({ delimiter: '/', prefix: 'b/' }));
    expect(all(xml, 'Key')).toEqual(['b/1', 'b/2']);
    expect(prefixesOf(xml)).toEqual(['b/c/']);
  });

  test('any string can be the delimiter', async () => {
    const service = await serve();
    await bucketWith(service, ['x--1', 'x--2', 'y-1', 'мир', 'мор']);
    expect(prefixesOf(await list(service, v2({ delimiter: '--' })))).toEqual(['x--']);
    expect(prefixesOf(await list(service, v2({ delimiter: 'о' })))).toEqual(['мо']);
  });

  test('encoding-type=url encodes keys, prefixes and delimiters as AWS does', async () => {
    const service = await serve();
    await bucketWith(service, ['a b/é+(1)%.txt', 'a b/c/d']);
    const xml = await list(
      service,
      v2({ prefix: 'a b/', delimiter: '/', 'encoding-type': 'url', 'start-after': 'a ' }),
    );
    expect(all(xml, 'Key')).toEqual(['a+b/%C3%A9%2B%281%29%25.txt']);
    expect(prefixesOf(xml)).toEqual(['a+b/c/']);
    expect(xml).toContain('<Prefix>a+b/</Prefix><Delimiter>/</Delimiter>');
    expect(elementText(xml, 'StartAfter')).toBe('a+');
  });

  test('another encoding-type is InvalidArgument', async () => {
    const service = await serve();
    await bucketWith(service, []);
    const reply = await call(service, { path: '/bucket', query: v2({ 'encoding-type': 'base64' }) });
    expect([reply.status, elementText(reply.text, 'Code')]).toEqual([400, 'InvalidArgument']);
  });

  test('without encoding-type, keys are escaped as XML 1.0 allows', async () => {
    const service = await serve();
    await bucketWith(service, ['del\u007f<&>"\r.txt']);
    const xml = await list(service, v2());
    expect(xml).toContain('<Key>del&#x7f;&lt;&amp;&gt;&quot;&#xd;.txt</Key>');
  });

  test('a server that ignores encoding-type writes characters outside XML 1.0 as references, as AWS does', async () => {
    const service = await serve({ quirks: { encodingType: 'ignored' } });
    await bucketWith(service, ['bell\u0007.txt']);
    const xml = await list(service, v2({ 'encoding-type': 'url' }));
    expect(xml).toContain('<Key>bell&#x7;.txt</Key>');
  });

  test('max-keys limits the number of keys and prefixes together', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    const xml = await list(service, v2({ delimiter: '/', 'max-keys': '2' }));
    expect([...all(xml, 'Key'), ...prefixesOf(xml)]).toEqual(['a.txt', 'b/']);
    expect(elementText(xml, 'IsTruncated')).toBe('true');
  });

  test('max-keys=0 returns an empty page that is not truncated', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    const xml = await list(service, v2({ 'max-keys': '0' }));
    expect([elementText(xml, 'KeyCount'), elementText(xml, 'IsTruncated'), all(xml, 'Key')]).toEqual([
      '0',
      'false',
      [],
    ]);
  });

  test.each(['-1', 'ten', '1.5', '99999999999'])('max-keys=%s is InvalidArgument', async (value) => {
    const service = await serve();
    await bucketWith(service, []);
    const reply = await call(service, { path: '/bucket', query: v2({ 'max-keys': value }) });
    expect([reply.status, elementText(reply.text, 'Code')]).toEqual([400, 'InvalidArgument']);
  });

  test('prefix selects only keys that start with it', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    expect(all(await list(service, v2({ prefix: 'b/' })), 'Key')).toEqual(['b/1', 'b/2', 'b/c/3']);
    expect(all(await list(service, v2({ prefix: 'zzz' })), 'Key')).toEqual([]);
  });

  test('start-after starts after that key, whether or not it exists', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    expect(all(await list(service, v2({ 'start-after': 'b/2' })), 'Key')).toEqual(['b/c/3', 'd.txt', 'e/4']);
    expect(all(await list(service, v2({ 'start-after': 'b/zzz' })), 'Key')).toEqual(['d.txt', 'e/4']);
  });

  test('start-after inside a common prefix keeps the prefix while its keys follow', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    expect(prefixesOf(await list(service, v2({ delimiter: '/', 'start-after': 'b/1' })))).toEqual([
      'b/',
      'e/',
    ]);
  });

  test('paging with continuation-token yields every key exactly once', async () => {
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
      token = elementText(xml, 'NextContinuationToken');
      expect(elementText(xml, 'IsTruncated')).toBe(String(token !== null));
      pages++;
    } while (token !== null);
    expect(found).toEqual(tree);
    expect(pages).toBe(tree.length);
  });

  test('a continuation token takes precedence over start-after', async () => {
    const service = await serve();
    await bucketWith(service, ['a', 'b', 'c']);
    const token = elementText(await list(service, v2({ 'max-keys': '1' })), 'NextContinuationToken') ?? '';
    const xml = await list(service, v2({ 'continuation-token': token, 'start-after': 'b' }));
    expect(all(xml, 'Key')).toEqual(['b', 'c']);
  });

  test.each(['rubbish', '', 'AAAAAAAAAAAAAAAAAAAAAAAA'])(
    'continuation-token %j is InvalidArgument',
    async (token) => {
      const service = await serve();
      await bucketWith(service, ['a', 'b']);
      const reply = await call(service, { path: '/bucket', query: v2({ 'continuation-token': token }) });
      expect([reply.status, elementText(reply.text, 'Code')]).toEqual([400, 'InvalidArgument']);
    },
  );

  test('a changed continuation token, or one of another bucket, is InvalidArgument', async () => {
    const service = await serve();
    await bucketWith(service, ['a', 'b']);
    await bucketWith(service, ['a', 'b'], 'other-bucket');
    const token = elementText(await list(service, v2({ 'max-keys': '1' })), 'NextContinuationToken') ?? '';
    const changed = `${token.slice(0, -1)}${token.endsWith('Q') ? 'g' : 'Q'}`;
    const first = await call(service, { path: '/bucket', query: v2({ 'continuation-token': changed }) });
    const second = await call(service, { path: '/other-bucket', query: v2({ 'continuation-token': token }) });
    expect([first.status, second.status]).toEqual([400, 400]);
  });

  test('a missing bucket is NoSuchBucket', async () => {
    const service = await serve();
    const reply = await call(service, { path: '/nowhere', query: v2() });
    expect([reply.status, elementText(reply.text, 'Code')]).toEqual([404, 'NoSuchBucket']);
  });
});

describe('ListObjects V1 (§4.2):', () => {
  test('marker selects the keys after it', async () => {
    const service = await serve();
    await bucketWith(service, ['a', 'b', 'c']);
    expect(all(await list(service, { marker: 'b' }), 'Key')).toEqual(['c']);
    expect(all(await list(service, { marker: 'aa' }), 'Key')).toEqual(['b', 'c']);
  });

  test('delimiter and prefix work as in V2', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    const xml = await list(service, { prefix: 'b/', delimiter: '/' });
    expect(all(xml, 'Key')).toEqual(['b/1', 'b/2']);
    expect(prefixesOf(xml)).toEqual(['b/c/']);
  });

  test('encoding-type also encodes Marker and NextMarker', async () => {
    const service = await serve();
    await bucketWith(service, ['a a', 'b b', 'c c']);
    const xml = await list(service, { 'encoding-type': 'url', marker: 'a a', 'max-keys': '1' });
    expect([elementText(xml, 'Marker'), all(xml, 'Key'), elementText(xml, 'NextMarker')]).toEqual([
      'a+a',
      ['b+b'],
      'b+b',
    ]);
  });

  test('paging with NextMarker reaches the end, also through common prefixes', async () => {
    const service = await serve();
    await bucketWith(service, tree);
    const found: string[] = [];
    let marker: string | null = '';
    while (marker !== null) {
      const xml: string = await list(service, { delimiter: '/', 'max-keys': '1', marker });
      found.push(...all(xml, 'Key'), ...prefixesOf(xml));
      marker = elementText(xml, 'NextMarker');
      expect(elementText(xml, 'IsTruncated')).toBe(String(marker !== null));
    }
    expect(found).toEqual(['a.txt', 'b/', 'd.txt', 'e/']);
  });
});

describe('the limits and versions of listings (§8, §9):', () => {
  test.each([
    ['V1', {}],
    ['V2', v2()],
  ])('a page in %s has at most 1000 entries, which is also the default', async (_, query) => {
    const service = await serve();
    await thousands(service, 1500);
    const byDefault = await list(service, query);
    expect([
      all(byDefault, 'Key').length,
      elementText(byDefault, 'MaxKeys'),
      elementText(byDefault, 'IsTruncated'),
    ]).toEqual([1000, '1000', 'true']);
    const wanted = await list(service, { ...query, 'max-keys': '5000' });
    expect([all(wanted, 'Key').length, elementText(wanted, 'MaxKeys')]).toEqual([1000, '5000']);
  });

  test('exactly 1000 keys are one page that is not truncated', async () => {
    const service = await serve();
    await thousands(service, 1000);
    expect(elementText(await list(service, v2()), 'IsTruncated')).toBe('false');
  });

  test('list-type=2 selects V2, and any other or no value V1', async () => {
    const service = await serve();
    await bucketWith(service, ['a']);
    expect(await list(service, v2())).toContain('<KeyCount>');
    expect(await list(service)).toContain('<Marker>');
    expect(await list(service, { 'list-type': '1' })).toContain('<Marker>');
  });

  test('keys are sorted by UTF-8 bytes, not as JavaScript strings', async () => {
    const service = await serve();
    const names = ['z', '\uFF5E', '\u{1F600}', 'é'];
    await bucketWith(service, names);
    await put(service, 'bucket', 'Z');
    expect(all(await list(service), 'Key')).toEqual(['Z', 'z', 'é', '\uFF5E', '\u{1F600}']);
  });
});
