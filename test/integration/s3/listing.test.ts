import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListObjectsInput, ListObjectsPage } from '../../../electron/core/s3/model/listing-types.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { clientFor, errorOf, type ClientUnderTest } from '../../support/servers/s3-client.ts';
import {
  errorResponse,
  startScriptedServer,
  xmlResponse,
  type ScriptedServer,
} from '../../support/servers/scripted-server.ts';

let server: ScriptedServer;
let under: ClientUnderTest;

beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(async () => {
  await server.close();
});

/** Returns a new client, because a client remembers if the service does not support ListObjectsV2. */
function fresh(): S3Client {
  under = clientFor(server.endpoint);
  return under.client;
}

const object = (key: string, size = 1) =>
  `<Contents><Key>${key}</Key><Size>${size}</Size><ETag>"e"</ETag><LastModified>2026-01-01T00:00:00.000Z</LastModified><StorageClass>STANDARD</StorageClass></Contents>`;
const prefix = (name: string) => `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`;
const nextToken = (token: string) => `<NextContinuationToken>${token}</NextContinuationToken>`;
const noFlag = (inner: string) => xmlResponse(`<ListBucketResult>${inner}</ListBucketResult>`);
const page = (inner: string, more: string | null = null) =>
  xmlResponse(
    `<ListBucketResult><Name>b</Name><IsTruncated>${more !== null}</IsTruncated>${inner}${more ?? ''}</ListBucketResult>`,
  );

/** ListObjectsV2 is refused, with its optional parameters and without. */
const withoutV2 = [errorResponse(501, 'NotImplemented'), errorResponse(501, 'NotImplemented')];

async function all(client: S3Client, input: Omit<ListObjectsInput, 'bucket'> = {}): Promise<string[]> {
  const found: string[] = [];
  let pageToken: string | undefined;
  for (let count = 0; count < 20; count += 1) {
    const got: ListObjectsPage = await client.listObjects({
      bucket: 'b',
      ...input,
      ...(pageToken === undefined ? {} : { pageToken }),
    });
    found.push(...got.objects.map(({ key }) => key), ...got.commonPrefixes);
    if (got.nextPageToken === null) return found;
    pageToken = got.nextPageToken;
  }
  throw new Error('The listing does not end.');
}

const paths = () => server.requests.map(({ path }) => path);
const lastPaths = (count: number) => paths().slice(-count);

describe('ListObjectsV2 pages', () => {
  it('are requested with encoding-type=url and joined by their tokens', async () => {
    server.answer(
      page(object('p q/a'), '<NextContinuationToken>T+1/=</NextContinuationToken>'),
      page(object('p q/b') + prefix('p q/c/')),
    );
    expect(await all(fresh(), { prefix: 'p q/', delimiter: '/', maxKeys: 2, startAfter: 'p q/0' })).toEqual([
      'p q/a',
      'p q/b',
      'p q/c/',
    ]);
    expect(lastPaths(2)).toEqual([
      '/b?delimiter=%2F&encoding-type=url&list-type=2&max-keys=2&prefix=p%20q%2F&start-after=p%20q%2F0',
      '/b?continuation-token=T%2B1%2F%3D&delimiter=%2F&encoding-type=url&list-type=2&max-keys=2&prefix=p%20q%2F&start-after=p%20q%2F0',
    ]);
  });

  it('are requested with a GET of the bucket without a body', async () => {
    server.answer(page(object('a')));
    await fresh().listObjects({ bucket: 'b' });
    const last = server.requests.at(-1);
    expect([last?.method, last?.path, last?.body.byteLength]).toEqual([
      'GET',
      '/b?encoding-type=url&list-type=2',
      0,
    ]);
  });

  it('contain every field of an object', async () => {
    server.answer(page(object('a', 12)));
    expect(await fresh().listObjects({ bucket: 'b' })).toMatchObject({
      objects: [
        {
          key: 'a',
          sizeBytes: 12,
          etag: '"e"',
          lastModified: '2026-01-01T00:00:00.000Z',
          storageClass: 'STANDARD',
        },
      ],
      nextPageToken: null,
    });
  });
});

describe('a truncated listing without a next position', () => {
  it('continues if only the flag is missing, since a token implies more', async () => {
    server.answer(noFlag(object('a') + nextToken('T')), noFlag(object('b')));
    expect(await all(fresh())).toEqual(['a', 'b']);
    server.answer(...withoutV2, noFlag(`${object('a')}<NextMarker>a</NextMarker>`), noFlag(object('b')));
    expect(await all(fresh())).toEqual(['a', 'b']);
  });

  it('in V2 is requested again in V1, which continues', async () => {
    const client = fresh();
    server.answer(
      page(object('a'), '<KeyCount>1</KeyCount>'),
      page(object('a'), '<NextMarker>a</NextMarker>'),
      page(object('b')),
    );
    expect(await all(client)).toEqual(['a', 'b']);
    expect(lastPaths(3)).toEqual([
      '/b?encoding-type=url&list-type=2',
      '/b?encoding-type=url',
      '/b?encoding-type=url&marker=a',
    ]);
    server.answer(page(object('x')));
    await client.listObjects({ bucket: 'b' });
    expect(lastPaths(1)).toEqual(['/b?encoding-type=url']);
  });

  it('in a later V2 page continues in V1 after the last entry', async () => {
    server.answer(
      page(object('a') + prefix('b/'), '<NextContinuationToken>T</NextContinuationToken>'),
      page(object('c'), '<x/>'),
      page(object('c') + object('d')),
    );
    expect(await all(fresh(), { delimiter: '/' })).toEqual(['a', 'b/', 'c', 'd']);
    expect(lastPaths(1)[0]).toContain('marker=b%2F');
  });

  it('in V1 continues after the greatest key or common prefix by UTF-8 bytes', async () => {
    server.answer(
      ...withoutV2,
      page(object('\u{10000}') + prefix('\uffee/') + object('a'), '<x/>'),
      page(object('\u{10001}')),
    );
    expect(await all(fresh(), { delimiter: '/' })).toEqual(['\u{10000}', 'a', '\uffee/', '\u{10001}']);
    expect(lastPaths(1)[0]).toContain(`marker=${encodeURIComponent('\u{10000}')}`);
  });

  it('in V1 whose marker does not advance is an error', async () => {
    server.answer(
      ...withoutV2,
      page(object('b'), '<NextMarker>b</NextMarker>'),
      page(object('b'), '<NextMarker>b</NextMarker>'),
    );
    expect(await errorOf(all(fresh()))).toMatchObject({ code: 'protocol', reason: 'listing-stuck' });
    server.answer(...withoutV2, page('', '<x/>'));
    expect(await errorOf(all(fresh()))).toMatchObject({ code: 'protocol', reason: 'listing-stuck' });
  });

  it('in V2 whose token does not advance is an error', async () => {
    server.answer(page(object('a'), '<NextContinuationToken>T</NextContinuationToken>'));
    // The service did return a token.
    expect(await errorOf(all(fresh()))).toMatchObject({
      code: 'protocol',
      reason: 'listing-stuck',
      message: 'The list is truncated and incomplete: the service returned no token of a later page.',
    });
  });

  it.each([1, 2, 3, 5])('in V2 that repeats %d page(s) under new tokens is an error', async (length) => {
    const before = server.requests.length;
    server.answer((_, count) =>
      page(object(`k${count % length}`), `<NextContinuationToken>T${count}</NextContinuationToken>`),
    );
    expect(await errorOf(all(fresh()))).toMatchObject({ code: 'protocol', reason: 'listing-stuck' });
    expect(server.requests.length - before).toBeLessThanOrEqual(length * 3 + 1);
  });

  it('in V2 whose pages stay empty under new tokens is an error', { timeout: 30_000 }, async () => {
    const client = fresh();
    server.answer((_, count) => page('', `<NextContinuationToken>T${count}</NextContinuationToken>`));
    let pageToken: string | null = null;
    const walk = async (): Promise<void> => {
      for (let pages = 0; pages < 1100; pages += 1) {
        const got: ListObjectsPage = await client.listObjects({
          bucket: 'b',
          ...(pageToken === null ? {} : { pageToken }),
        });
        pageToken = got.nextPageToken;
      }
    };
    expect(await errorOf(walk())).toMatchObject({ code: 'protocol', reason: 'listing-stuck' });
  });

  it('in V2 with empty pages or unordered keys is read to its end', async () => {
    server.answer(
      page(object('m'), nextToken('1')),
      page('', nextToken('2')),
      page(object('z'), nextToken('3')),
      page(object('a'), nextToken('4')),
      page(object('b')),
    );
    expect(await all(fresh())).toEqual(['m', 'z', 'a', 'b']);
  });

  it('in V1 does not return the common prefix of its marker twice', async () => {
    server.answer(
      ...withoutV2,
      page(prefix('a/'), '<NextMarker>a/</NextMarker>'),
      page(prefix('a/') + prefix('b/')),
    );
    expect(await all(fresh(), { delimiter: '/' })).toEqual(['a/', 'b/']);
  });
});

const uploads = (key: string) =>
  xmlResponse(
    `<ListMultipartUploadsResult><Upload><Key>${key}</Key><UploadId>u</UploadId></Upload></ListMultipartUploadsResult>`,
  );

describe("Ceph's partial encoding of a listing", () => {
  const url = '<EncodingType>url</EncodingType>';

  it('uses the plain NextMarker if it equals the last entry', async () => {
    for (const key of ['z+z', '100%', 'a%20b']) {
      server.answer(
        ...withoutV2,
        page(url + object(encodeURIComponent(key)), `<NextMarker>${key}</NextMarker>`),
        page(url),
      );
      expect(await all(fresh())).toEqual([key]);
      expect(lastPaths(1)[0]).toContain(`marker=${encodeURIComponent(key)}`);
    }
  });

  it('accepts a repeated prefix that cannot be decoded', async () => {
    server.answer(page(`${url}<Prefix>100%</Prefix>${object('100%25')}`));
    expect(await all(fresh(), { prefix: '100%' })).toEqual(['100%']);
  });

  it('requests uploads again, unencoded, if their keys were encoded without saying so', async () => {
    const client = fresh();
    server.answer(({ path }) => uploads(path.includes('encoding-type') ? 'a%20%2B' : 'a +'));
    for (const requests of [2, 1]) {
      const before = server.requests.length;
      const got = await client.listMultipartUploads({ bucket: 'b' });
      expect(got.uploads.map(({ key }) => key)).toEqual(['a +']);
      expect(server.requests.length - before).toBe(requests);
    }
  });
});

describe('a service without ListObjectsV2', () => {
  it.each([
    [501, 'NotImplemented'],
    [400, 'InvalidArgument'],
  ])('that responds %d %s is listed in V1 from then on', async (status, code) => {
    const client = fresh();
    server.answer(errorResponse(status, code), errorResponse(status, code), page(object('a')));
    expect(await all(client, { startAfter: '0' })).toEqual(['a']);
    expect(lastPaths(1)).toEqual(['/b?encoding-type=url&marker=0']);
  });

  it('is not assumed if V1 is refused too, and the first error is reported', async () => {
    const client = fresh();
    server.answer(errorResponse(400, 'InvalidArgument'));
    expect(await errorOf(all(client))).toMatchObject({ s3: { code: 'InvalidArgument' } });
    server.answer(page(object('a')));
    await client.listObjects({ bucket: 'b' });
    expect(lastPaths(1)[0]).toContain('list-type=2');
  });
});

describe('the page token', () => {
  it('is rejected if it was not issued by this client', async () => {
    for (const pageToken of ['x', '{"v":3}', '{"v":2,"token":1}', 'null']) {
      expect(await errorOf(fresh().listObjects({ bucket: 'b', pageToken }))).toMatchObject({
        code: 'invalid-argument',
      });
    }
  });
});

describe('entries', () => {
  it('named a and a/ are two', async () => {
    server.answer(page(object('a') + object('a/') + prefix('a/')));
    const got = await fresh().listObjects({ bucket: 'b', delimiter: '/' });
    expect(got.objects.map(({ key }) => key)).toEqual(['a', 'a/']);
    expect(got.commonPrefixes).toEqual(['a/']);
  });

  it('with // and a leading / are opaque prefixes', async () => {
    server.answer(page(prefix('/') + prefix('/a//') + object('//')));
    const got = await fresh().listObjects({ bucket: 'b', prefix: '/', delimiter: '/' });
    expect(got.commonPrefixes).toEqual(['/', '/a//']);
    expect(lastPaths(1)[0]).toContain('prefix=%2F');
  });
});

describe('a response that is not a listing', () => {
  it.each([
    ['an HTML page', { status: 200, body: '<!DOCTYPE html><html><body>Console</body></html>' }, 'html'],
    ['another XML root', xmlResponse('<Welcome>to the console</Welcome>'), 'unexpected-answer'],
    ['JSON', { status: 200, body: '{"ok":true}' }, 'unexpected-answer'],
    ['the list of buckets', xmlResponse('<ListAllMyBucketsResult/>'), 'unexpected-answer'],
  ])('but %s with status 200 is an error that quotes its start', async (_, reply, reason) => {
    server.answer(reply);
    const error = await errorOf(fresh().listObjects({ bucket: 'b' }));
    expect(error).toMatchObject({ code: 'protocol', reason, outcome: 'not-applied' });
    expect(error.message).toMatch(/Console|console|ok|ListAllMyBuckets/);
    expect(under.clock.sleeps).toEqual([]);
  });

  it('but an <Error> with status 200 is that error', async () => {
    server.answer(errorResponse(200, 'AccessDenied'));
    expect(await errorOf(fresh().listObjects({ bucket: 'b' }))).toMatchObject({
      code: 'access-denied',
      s3: { status: 200, code: 'AccessDenied', requestId: 'REQ1' },
    });
  });

  it('but a truncated page is retried, and then an error', async () => {
    const whole =
      '<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>';
    server.answer({ body: whole.slice(0, 60) }, { body: whole });
    expect(await all(fresh())).toEqual([]);
    server.answer({ body: whole.slice(0, 60) });
    expect(await errorOf(fresh().listObjects({ bucket: 'b' }, { maxTries: 2 }))).toMatchObject({
      code: 'protocol',
      reason: 'cut-short',
    });
    server.answer({ body: whole, cutAfterBytes: 30 });
    expect(await errorOf(fresh().listObjects({ bucket: 'b' }, { maxTries: 2 }))).toMatchObject({
      code: 'network',
    });
  });

  it('but a denial is access-denied', async () => {
    server.answer(errorResponse(403, 'AccessDenied'));
    expect(await errorOf(fresh().listObjects({ bucket: 'b' }))).toMatchObject({ code: 'access-denied' });
    expect(await errorOf(fresh().listBuckets())).toMatchObject({ code: 'access-denied' });
  });
});

describe('leaving a folder', () => {
  it('aborts its request at once and drops the response', async () => {
    const abort = new AbortController();
    server.answer('hang');
    const call = errorOf(fresh().listObjects({ bucket: 'b' }, { signal: abort.signal }));
    await expect.poll(() => server.requests.length).toBeGreaterThan(0);
    abort.abort();
    expect(await call).toMatchObject({ code: 'cancelled' });
    expect(await errorOf(fresh().listObjects({ bucket: 'b' }, { signal: abort.signal }))).toMatchObject({
      code: 'cancelled',
    });
  });
});

describe('a list', () => {
  it('of uploads is paged with both markers, decoded keys and raw ids', async () => {
    server.answer(
      xmlResponse(
        '<ListMultipartUploadsResult><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>' +
          '<NextKeyMarker>a+b%2Bc</NextKeyMarker><NextUploadIdMarker>id%2B+1</NextUploadIdMarker>' +
          '<Upload><Key>a+b%2Bc</Key><UploadId>id%2B+1</UploadId><Initiated>2026-01-02T03:04:05.000Z</Initiated><Initiator><ID>i</ID></Initiator></Upload></ListMultipartUploadsResult>',
      ),
    );
    const client = fresh();
    const got = await client.listMultipartUploads({ bucket: 'b', prefix: 'a' });
    expect(got.uploads[0]).toMatchObject({
      key: 'a b+c',
      uploadId: 'id%2B+1',
      initiatedAt: '2026-01-02T03:04:05.000Z',
      initiator: { id: 'i', displayName: null },
    });
    expect(got.next).toMatchObject({ keyMarker: 'a b+c', uploadIdMarker: 'id%2B+1' });
    expect(await errorOf(client.listMultipartUploads({ bucket: 'b', ...got.next }))).toMatchObject({
      reason: 'listing-stuck',
    });
    expect(lastPaths(1)[0]).toContain('key-marker=a%20b%2Bc&upload-id-marker=id%252B%2B1&uploads=');
  });

  it('of parts is paged by number, with checksums and unchanged ETags', async () => {
    server.answer(
      xmlResponse(
        '<ListPartsResult><IsTruncated>true</IsTruncated><NextPartNumberMarker>2</NextPartNumberMarker><ChecksumAlgorithm>CRC32C</ChecksumAlgorithm>' +
          '<Part><PartNumber>1</PartNumber><Size>5</Size><ETag>&quot;AbC&quot;</ETag><ChecksumCRC32C>yZRlqg==</ChecksumCRC32C></Part>' +
          '<Part><PartNumber>2</PartNumber><Size>6</Size><ETag>plain</ETag></Part></ListPartsResult>',
      ),
    );
    const ref = { bucket: 'b', key: 'k', uploadId: 'u' };
    const got = await fresh().listParts(ref);
    expect(got).toMatchObject({
      nextPartNumberMarker: '2',
      checksumAlgorithm: 'CRC32C',
      parts: [
        { partNumber: 1, sizeBytes: 5, etag: '"AbC"', checksums: { crc32c: 'yZRlqg==' } },
        { partNumber: 2, sizeBytes: 6, etag: 'plain', checksums: {} },
      ],
    });
    expect(await errorOf(fresh().listParts({ ...ref, partNumberMarker: '2' }))).toMatchObject({
      reason: 'listing-stuck',
    });
  });
});
