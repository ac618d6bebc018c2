import { describe, expect, test } from 'vitest';
import type { Service } from '../../support/lab-service/server.ts';
import { all, call, crcOf, md5, elementText, prefixesOf, put, rootOf, serve, sha256 } from './harness.ts';
import { begin, codeOf, complete, filmPath, partsXml, send, type Listed } from './multipart-calls.ts';

const mebi = 1024 * 1024;
const path = filmPath;

const tiny = { minPartBytes: 1 };

describe('multipart states and transitions (§3):', () => {
  test('the completed object is assembled from the parts in numeric order', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    const third = await send(service, uploadId, 10, 'three');
    const first = await send(service, uploadId, 1, 'one ');
    const second = await send(service, uploadId, 2, 'two ');
    const reply = await complete(service, uploadId, [
      [1, first],
      [2, second],
      [10, third],
    ]);
    expect(reply.status).toBe(200);
    expect((await call(service, { path })).text).toBe('one two three');
  });

  test('a completed upload is no longer listed', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    const etag = await send(service, uploadId, 1, 'x');
    await complete(service, uploadId, [[1, etag]]);
    expect(all((await call(service, { path: '/bucket', query: { uploads: '' } })).text, 'UploadId')).toEqual(
      [],
    );
  });

  test.each(['completed', 'deleted'])('any request for a %s upload is NoSuchUpload', async (state) => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    const etag = await send(service, uploadId, 1, 'x');
    await put(service, 'bucket', 'source');
    if (state === 'completed') await complete(service, uploadId, [[1, etag]]);
    else await call(service, { method: 'DELETE', path, query: { uploadId } });
    const gone = [404, 'NoSuchUpload'];
    const partQuery = { uploadId, partNumber: '1' };
    expect(await codeOf(complete(service, uploadId, [[1, etag]]))).toEqual(gone);
    expect(await codeOf(call(service, { method: 'PUT', path, query: partQuery, body: 'y' }))).toEqual(gone);
    expect(await codeOf(call(service, { path, query: { uploadId } }))).toEqual(gone);
    expect(await codeOf(call(service, { method: 'DELETE', path, query: { uploadId } }))).toEqual(gone);
    const headers = { 'x-amz-copy-source': '/bucket/source' };
    expect(await codeOf(call(service, { method: 'PUT', path, query: partQuery, headers }))).toEqual(gone);
  });
});

describe('CompleteMultipartUpload (§4.3):', () => {
  test('the response has Location, Bucket, Key and ETag', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    const etag = await send(service, uploadId, 1, 'x');
    const reply = await complete(service, uploadId, [[1, etag]]);
    expect(rootOf(reply.text)).toBe('CompleteMultipartUploadResult');
    expect(elementText(reply.text, 'Location')).toBe(`http://127.0.0.1:${service.port}/bucket/film.bin`);
    expect(elementText(reply.text, 'Bucket')).toBe('bucket');
    expect(elementText(reply.text, 'Key')).toBe('film.bin');
    expect(elementText(reply.text, 'ETag')).toBe(`"${md5(Buffer.from(md5('x'), 'hex'))}-1"`);
  });

  test('the composite ETag is not the MD5 of the object, and the listing shows the same (§2)', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    const etags = [await send(service, uploadId, 1, 'a'), await send(service, uploadId, 2, 'b')];
    const reply = await complete(
      service,
      uploadId,
      etags.map((etag, index) => [index + 1, etag]),
    );
    const expected = `"${md5(Buffer.from(md5('a') + md5('b'), 'hex'))}-2"`;
    expect(elementText(reply.text, 'ETag')).toBe(expected);
    expect(elementText((await call(service, { path: '/bucket' })).text, 'ETag')).toBe(expected);
    expect((await call(service, { method: 'HEAD', path })).headers.etag).toBe(expected);
  });

  test('only the listed parts are used, and the others are deleted with the upload', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    await send(service, uploadId, 1, 'left out');
    const etag = await send(service, uploadId, 2, 'kept');
    await complete(service, uploadId, [[2, etag]]);
    expect((await call(service, { path })).text).toBe('kept');
  });

  test('an ETag is accepted with or without quotes', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    const etag = await send(service, uploadId, 1, 'x');
    expect((await complete(service, uploadId, [[1, etag.replaceAll('"', '')]])).status).toBe(200);
  });

  test('metadata, type and storage class come from CreateMultipartUpload', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service, {
      'content-type': 'video/mp4',
      'x-amz-meta-owner': 'me',
      'x-amz-storage-class': 'COLD',
    });
    const etag = await send(service, uploadId, 1, 'x');
    await complete(service, uploadId, [[1, etag]]);
    const { headers } = await call(service, { method: 'HEAD', path });
    expect([headers['content-type'], headers['x-amz-meta-owner'], headers['x-amz-storage-class']]).toEqual([
      'video/mp4',
      'me',
      'COLD',
    ]);
  });

  test('a part sent twice counts as sent last', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    const before = await send(service, uploadId, 1, 'before');
    const after = await send(service, uploadId, 1, 'after');
    expect(await codeOf(complete(service, uploadId, [[1, before]]))).toEqual([400, 'InvalidPart']);
    await complete(service, uploadId, [[1, after]]);
    expect((await call(service, { path })).text).toBe('after');
  });

  test('a range of the object is read across part boundaries', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    const big = Buffer.alloc(20_000, 'B');
    const etags = [
      await send(service, uploadId, 1, 'aaaa'),
      await send(service, uploadId, 2, big),
      await send(service, uploadId, 3, 'cccc'),
    ];
    await complete(
      service,
      uploadId,
      etags.map((etag, index) => [index + 1, etag]),
    );
    const whole = `aaaa${big.toString()}cccc`;
    for (const [first, last] of [
      [0, 4],
      [3, 4],
      [2, 20_005],
      [4, 20_003],
      [20_003, 20_007],
      [19_999, 20_004],
    ] as const) {
      const reply = await call(service, { path, headers: { range: `bytes=${first}-${last}` } });
      expect(reply.text).toBe(whole.slice(first, last + 1));
    }
  });

  test.each([
    ['no XML at all', 'PartNumber=1'],
    ['an empty body', ''],
    ['a truncated document', partsXml([[1, 'x']]).slice(0, -10)],
    ['another root', '<Delete><Part><PartNumber>1</PartNumber><ETag>x</ETag></Part></Delete>'],
    ['no part', '<CompleteMultipartUpload></CompleteMultipartUpload>'],
    [
      'a part without a number',
      '<CompleteMultipartUpload><Part><ETag>x</ETag></Part></CompleteMultipartUpload>',
    ],
    [
      'a part without an ETag',
      '<CompleteMultipartUpload><Part><PartNumber>1</PartNumber></Part></CompleteMultipartUpload>',
    ],
    ['an invalid part number', partsXml([['one', 'x']])],
    ['a document type', `<!DOCTYPE a [<!ENTITY b "c">]>${partsXml([[1, 'x']])}`],
  ])('%s is MalformedXML, and the upload is kept', async (_, body) => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    await send(service, uploadId, 1, 'x');
    expect(await codeOf(complete(service, uploadId, body))).toEqual([400, 'MalformedXML']);
    expect((await call(service, { path, query: { uploadId } })).status).toBe(200);
  });

  test('a missing or empty uploadId assembles nothing', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    const etag = await send(service, uploadId, 1, 'x');
    const body = partsXml([[1, etag]]);
    expect((await call(service, { method: 'POST', path, body })).status).toBeGreaterThanOrEqual(400);
    expect(await codeOf(complete(service, '', [[1, etag]]))).toEqual([404, 'NoSuchUpload']);
    expect((await call(service, { path })).status).toBe(404);
    expect((await complete(service, uploadId, [[1, etag]])).status).toBe(200);
  });

  test('of several concurrent ones, one assembles the object and the others are NoSuchUpload', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    const etag = await send(service, uploadId, 1, 'x');
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => codeOf(complete(service, uploadId, [[1, etag]]))),
    );
    expect(responses.filter(([status]) => status === 200)).toHaveLength(1);
    expect(responses.filter(([, code]) => code === 'NoSuchUpload')).toHaveLength(5);
    expect((await call(service, { path })).text).toBe('x');
  });

  test('If-None-Match: * refuses to overwrite and keeps the upload', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    const etag = await send(service, uploadId, 1, 'new');
    await put(service, 'bucket', 'film.bin', 'old');
    const refused = complete(service, uploadId, [[1, etag]], { 'if-none-match': '*' });
    expect(await codeOf(refused)).toEqual([412, 'PreconditionFailed']);
    expect((await call(service, { path })).text).toBe('old');
    expect((await complete(service, uploadId, [[1, etag]])).status).toBe(200);
    expect((await call(service, { path })).text).toBe('new');
  });
});

describe('multipart errors (§7):', () => {
  test('an unknown upload id, or one of another key, is NoSuchUpload', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    const etag = await send(service, uploadId, 1, 'x');
    expect(await codeOf(complete(service, 'made-up', [[1, etag]]))).toEqual([404, 'NoSuchUpload']);
    const other = call(service, {
      method: 'POST',
      path: '/bucket/other',
      query: { uploadId },
      body: partsXml([[1, etag]]),
    });
    expect(await codeOf(other)).toEqual([404, 'NoSuchUpload']);
  });

  test('a listed part that was not uploaded is InvalidPart', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    const etag = await send(service, uploadId, 1, 'x');
    expect(
      await codeOf(
        complete(service, uploadId, [
          [1, etag],
          [2, etag],
        ]),
      ),
    ).toEqual([400, 'InvalidPart']);
  });

  test('a part listed with another ETag is InvalidPart', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    await send(service, uploadId, 1, 'x');
    expect(await codeOf(complete(service, uploadId, [[1, md5('y')]]))).toEqual([400, 'InvalidPart']);
  });

  test.each([
    ['descending', [2, 1]],
    ['the same number twice', [1, 1]],
    ['as strings', [1, 10, 2]],
  ])('parts in the wrong order are InvalidPartOrder: %s', async (_, order) => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    const etags = new Map<number, string>();
    for (const number of order) etags.set(number, await send(service, uploadId, number, `part ${number}`));
    const parts = order.map((number): Listed => [number, etags.get(number) ?? '']);
    expect(await codeOf(complete(service, uploadId, parts))).toEqual([400, 'InvalidPartOrder']);
    expect((await call(service, { path, query: { uploadId } })).status).toBe(200);
  });

  test('a part below 5 MiB that is not the last is EntityTooSmall', async () => {
    const service = await serve();
    const uploadId = await begin(service);
    const small = await send(service, uploadId, 1, Buffer.alloc(5 * mebi - 1));
    const last = await send(service, uploadId, 2, 'tail');
    const refused = await complete(service, uploadId, [
      [1, small],
      [2, last],
    ]);
    expect([
      refused.status,
      elementText(refused.text, 'Code'),
      elementText(refused.text, 'PartNumber'),
    ]).toEqual([400, 'EntityTooSmall', '1']);
    const whole = await send(service, uploadId, 1, Buffer.alloc(5 * mebi));
    expect(
      (
        await complete(service, uploadId, [
          [1, whole],
          [2, last],
        ])
      ).status,
    ).toBe(200);
  });

  test.each(['0', '10001', 'x', ''])('a part number of %j is InvalidArgument', async (partNumber) => {
    const service = await serve();
    const uploadId = await begin(service);
    const sent = call(service, { method: 'PUT', path, query: { uploadId, partNumber }, body: 'x' });
    expect(await codeOf(sent)).toEqual([400, 'InvalidArgument']);
  });
});

describe('an upload with checksums', () => {
  test("lists its algorithm, its type and each part's checksum", async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service, { 'x-amz-checksum-algorithm': 'CRC32' });
    await send(service, uploadId, 1, 'one', { 'x-amz-checksum-crc32': crcOf('one') });
    const { text } = await call(service, { path, query: { uploadId } });
    expect([
      elementText(text, 'ChecksumAlgorithm'),
      elementText(text, 'ChecksumType'),
      elementText(text, 'ChecksumCRC32'),
    ]).toEqual(['CRC32', 'COMPOSITE', crcOf('one')]);
    const listed = await call(service, { path: '/bucket', query: { uploads: '' } });
    expect(elementText(listed.text, 'ChecksumAlgorithm')).toBe('CRC32');
  });

  test("needs each part's checksum in CompleteMultipartUpload, which returns the composite one", async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service, { 'x-amz-checksum-algorithm': 'SHA256' });
    const headers = { 'x-amz-checksum-sha256': sha256('one').toString('base64') };
    const etag = await send(service, uploadId, 1, 'one', headers);
    const missing = await complete(service, uploadId, [[1, etag]]);
    expect([missing.status, elementText(missing.text, 'Code')]).toEqual([400, 'InvalidRequest']);
    expect(elementText(missing.text, 'Message')).toContain('missing for part 1');
    const further = `<ChecksumSHA256>${headers['x-amz-checksum-sha256']}</ChecksumSHA256>`;
    const reply = await complete(service, uploadId, [[1, etag, further]]);
    expect(elementText(reply.text, 'ChecksumSHA256')).toBe(`${sha256(sha256('one')).toString('base64')}-1`);
  });

  test('refuses a part without its checksum or with a wrong one', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service, { 'x-amz-checksum-algorithm': 'CRC32' });
    const query = { uploadId, partNumber: '1' };
    expect(await codeOf(call(service, { method: 'PUT', path, query, body: 'one' }))).toEqual([
      400,
      'InvalidRequest',
    ]);
    const headers = { 'x-amz-checksum-crc32': crcOf('two') };
    expect(await codeOf(call(service, { method: 'PUT', path, query, body: 'one', headers }))).toEqual([
      400,
      'BadDigest',
    ]);
    expect(all((await call(service, { path, query: { uploadId } })).text, 'PartNumber')).toEqual([]);
  });

  test("responds InvalidPart if a part's checksum differs in CompleteMultipartUpload", async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service, { 'x-amz-checksum-algorithm': 'CRC32' });
    const etag = await send(service, uploadId, 1, 'one', { 'x-amz-checksum-crc32': crcOf('one') });
    const further = `<ChecksumCRC32>${crcOf('two')}</ChecksumCRC32>`;
    expect(await codeOf(complete(service, uploadId, [[1, etag, further]]))).toEqual([400, 'InvalidPart']);
  });
});

describe('ListParts', () => {
  test('pages by part-number-marker with at most 1000 parts each', async () => {
    const service = await serve(tiny);
    const uploadId = await begin(service);
    for (const number of [1, 2, 5, 9]) await send(service, uploadId, number, `part ${number}`);
    const first = (await call(service, { path, query: { uploadId, 'max-parts': '3' } })).text;
    expect(all(first, 'PartNumber')).toEqual(['1', '2', '5']);
    expect([
      elementText(first, 'IsTruncated'),
      elementText(first, 'NextPartNumberMarker'),
      elementText(first, 'MaxParts'),
    ]).toEqual(['true', '5', '3']);
    const second = (await call(service, { path, query: { uploadId, 'part-number-marker': '5' } })).text;
    expect([
      all(second, 'PartNumber'),
      elementText(second, 'IsTruncated'),
      elementText(second, 'MaxParts'),
    ]).toEqual([['9'], 'false', '1000']);
    expect([elementText(second, 'ETag'), elementText(second, 'Size')]).toEqual([`"${md5('part 9')}"`, '6']);
  });
});

async function uploads(service: Service, query: Record<string, string> = {}): Promise<string> {
  return (await call(service, { path: '/bucket', query: { uploads: '', ...query } })).text;
}

describe('ListMultipartUploads', () => {
  test('lists key, id, time and storage class, and uploads of one key by age', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const service = await serve({ clock: { nowMs: () => now } });
    const bucket = service.store.buckets.create('bucket', 0);
    const make = (): string =>
      service.store.createUpload(bucket?.id ?? 0, 'film.bin', {
        initiatedMs: now,
        storageClass: 'COLD',
        attributes: { headers: {}, metadata: {} },
        checksumAlgorithm: null,
        checksumType: null,
      });
    const ids = [make()];
    now += 60_000;
    ids.push(make());
    const xml = (await call(service, { path: '/bucket', query: { uploads: '' }, now: new Date(now) })).text;
    expect(all(xml, 'UploadId')).toEqual(ids);
    expect(all(xml, 'Initiated')).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-01T00:01:00.000Z']);
    expect(all(xml, 'StorageClass')).toEqual(['COLD', 'COLD']);
  });

  test('handles prefix and delimiter as object listings do', async () => {
    const service = await serve();
    for (const key of ['a', 'b/1', 'b/2', 'c/d/3']) await begin(service, {}, `/bucket/${key}`);
    const xml = await uploads(service, { delimiter: '/' });
    expect([all(xml, 'Key'), prefixesOf(xml)]).toEqual([['a'], ['b/', 'c/']]);
    expect(all(await uploads(service, { prefix: 'b/' }), 'Key')).toEqual(['b/1', 'b/2']);
  });

  test('starts after key-marker, or after upload-id-marker within that key', async () => {
    const service = await serve();
    const ids: string[] = [];
    for (const key of ['a', 'b', 'b', 'b', 'c']) ids.push(await begin(service, {}, `/bucket/${key}`));
    expect(all(await uploads(service, { 'key-marker': 'b' }), 'UploadId')).toEqual([ids[4]]);
    const sorted = ids.slice(1, 4).toSorted();
    const query = { 'key-marker': 'b', 'upload-id-marker': sorted[0] ?? '' };
    expect(all(await uploads(service, query), 'UploadId')).toEqual([...sorted.slice(1), ids[4]]);
  });

  test.each([1, 2, 3, 4, 5])('returns each upload once in pages of %i with both markers', async (size) => {
    const service = await serve();
    const ids: string[] = [];
    for (const key of ['a', 'b', 'b', 'b', 'c', 'd/1', 'd/2', 'e'])
      ids.push(await begin(service, {}, `/bucket/${key}`));
    const found: string[] = [];
    const prefixes: string[] = [];
    let markers: Record<string, string> | null = {};
    while (markers !== null) {
      const xml: string = await uploads(service, { 'max-uploads': String(size), delimiter: '/', ...markers });
      found.push(...all(xml, 'UploadId'));
      prefixes.push(...prefixesOf(xml));
      expect(all(xml, 'UploadId').length + prefixesOf(xml).length).toBeLessThanOrEqual(size);
      markers =
        elementText(xml, 'IsTruncated') === 'true'
          ? {
              'key-marker': elementText(xml, 'NextKeyMarker') ?? '',
              'upload-id-marker': elementText(xml, 'NextUploadIdMarker') ?? '',
            }
          : null;
    }
    expect(found.toSorted()).toEqual(ids.filter((_, index) => index !== 5 && index !== 6).toSorted());
    expect(prefixes).toEqual(['d/']);
  });
});
