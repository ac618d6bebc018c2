import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { bytesSource, clientFor, errorOf, testCredentials } from '../../support/servers/s3-client.ts';
import {
  startScriptedServer,
  xmlResponse,
  type ScriptedServer,
} from '../../support/servers/scripted-server.ts';
import { referenceSignature } from '../../support/sigv4-reference.ts';
import { runs } from '../../support/sample.ts';

let server: ScriptedServer;
let client: S3Client;

beforeAll(async () => {
  server = await startScriptedServer();
  client = clientFor(server.endpoint).client;
});
afterAll(async () => {
  await client.close();
  await server.close();
});

const last = () => {
  const request = server.requests.at(-1);
  if (!request) throw new Error('Nothing was asked.');
  return request;
};

describe('any object key', () => {
  const odd = [
    '.',
    '..',
    'a/../b',
    'a//b',
    '/',
    '/a',
    'a/',
    './x',
    "? # % + ' ( ) * !",
    'ключ',
    '\u0001\u007f',
    ' ',
    '%2e%2e',
    '%',
    '+',
  ];

  it.each(odd)('%j is sent as the signed raw path that decodes to itself', async (key) => {
    server.answer({ status: 200, headers: { etag: '"e"' } });
    await client.putObject({ bucket: 'b', key, body: bytesSource('x') });
    const { path, headers, method } = last();
    expect(decodeURIComponent(path)).toBe(`/b/${key}`);
    expect(headers['authorization']).toContain(
      referenceSignature({
        method,
        path,
        query: '',
        headers: {
          host: headers['host'] ?? '',
          'x-amz-content-sha256': headers['x-amz-content-sha256'] ?? '',
          'x-amz-date': headers['x-amz-date'] ?? '',
        },
        payloadHash: headers['x-amz-content-sha256'] ?? '',
        time: headers['x-amz-date'] ?? '',
        region: 'us-east-1',
        secretAccessKey: testCredentials.secretAccessKey,
      }),
    );
  });

  it('of valid Unicode is sent unchanged in paths, prefixes and copy sources', async () => {
    server.answer((request) =>
      request.headers['x-amz-copy-source'] === undefined
        ? xmlResponse('<ListBucketResult/>')
        : xmlResponse('<CopyObjectResult><ETag>"e"</ETag></CopyObjectResult>'),
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }), async (key) => {
        await client.listObjects({ bucket: 'b', prefix: key });
        const query = last().path.split('?')[1] ?? '';
        const sent = query.split('&').find((pair) => pair.startsWith('prefix='));
        expect(decodeURIComponent(sent?.slice('prefix='.length) ?? '')).toBe(key);
        await client.copyObject({ bucket: 'b', key, source: { bucket: 'from', key } });
        expect(decodeURIComponent(last().path)).toBe(`/b/${key}`);
        expect(decodeURIComponent(last().headers['x-amz-copy-source'] ?? '')).toBe(`/from/${key}`);
      }),
      { numRuns: runs(60) },
    );
  });

  it('with a lone surrogate is rejected before sending', async () => {
    const before = server.requests.length;
    expect(await errorOf(client.headObject({ bucket: 'b', key: 'a\ud800b' }))).toMatchObject({
      code: 'invalid-argument',
      reason: 'not-unicode',
    });
    expect(server.requests.length).toBe(before);
  });
});

const listed = async (inner: string) => {
  server.answer(xmlResponse(`<ListBucketResult><IsTruncated>false</IsTruncated>${inner}</ListBucketResult>`));
  const page = await client.listObjects({ bucket: 'b' });
  return [...page.objects.map(({ key }) => key), ...page.commonPrefixes];
};

const entry = (key: string) => `<Contents><Key>${key}</Key><Size>0</Size></Contents>`;

describe('keys in a listing', () => {
  const url = '<EncodingType>url</EncodingType>';

  it('are decoded with a space as + or %20, and %2B as a plus', async () => {
    expect(await listed(url + entry('a+b%20c%2Bd') + entry('%E2%82%AC/x'))).toEqual(['a b c+d', '€/x']);
    expect(await listed(`${url}<CommonPrefixes><Prefix>a+b%2F</Prefix></CommonPrefixes>`)).toEqual(['a b/']);
  });

  it('are not decoded if the service did not encode them', async () => {
    expect(await listed(entry('100%25') + entry('a+b'))).toEqual(['100%25', 'a+b']);
  });

  it('that look like numbers or booleans stay text', async () => {
    expect(await listed(entry('007') + entry('1e5') + entry('true') + entry('null'))).toEqual([
      '007',
      '1e5',
      'true',
      'null',
    ]);
  });

  it('keep leading and trailing spaces, also if they are all spaces', async () => {
    expect(await listed(entry(' a ') + entry('  '))).toEqual([' a ', '  ']);
  });

  it('have entities and references decoded exactly once', async () => {
    expect(await listed(entry('a&amp;b') + entry('&amp;amp;') + entry('&#x1F600;&#38;#38;'))).toEqual([
      'a&b',
      '&amp;',
      '\u{1f600}&#38;',
    ]);
  });

  it('that cannot be decoded are an error, not another key', async () => {
    expect(await errorOf(listed(url + entry('100%')))).toMatchObject({ reason: 'unreadable-entry' });
    expect(await errorOf(listed(url + entry('%ff')))).toMatchObject({ reason: 'unreadable-entry' });
  });

  it('are decoded in markers but not in tokens', async () => {
    server.answer(
      xmlResponse(
        `<ListBucketResult>${url}<IsTruncated>true</IsTruncated>${entry('a')}<NextContinuationToken>1%2B2+3</NextContinuationToken></ListBucketResult>`,
      ),
    );
    const { nextPageToken } = await client.listObjects({ bucket: 'b' });
    server.answer(xmlResponse('<ListBucketResult/>'));
    await client.listObjects({ bucket: 'b', pageToken: nextPageToken ?? '' });
    expect(last().path).toContain('continuation-token=1%252B2%2B3');
  });
});

describe('keys in the body of DeleteObjects', () => {
  it('are rejected if XML cannot carry them', async () => {
    const before = server.requests.length;
    for (const key of ['a\u0001', '\ufffe', 'x\u0000']) {
      expect(await errorOf(client.deleteObjects({ bucket: 'b', keys: [{ key }] }))).toMatchObject({
        code: 'invalid-argument',
        reason: 'not-xml',
      });
    }
    expect(server.requests.length).toBe(before);
  });

  it('each have their own result, and a missing result is not success', async () => {
    server.answer(
      xmlResponse(
        '<DeleteResult><Deleted><Key>a&amp;b</Key></Deleted><Error><Key>c</Key><Code>AccessDenied</Code><Message>no</Message></Error></DeleteResult>',
      ),
    );
    const results = await client.deleteObjects({
      bucket: 'b',
      keys: [{ key: 'a&b' }, { key: 'c' }, { key: 'd' }],
    });
    expect(results).toMatchObject([
      { key: 'a&b', error: null },
      { key: 'c', error: { code: 'AccessDenied', message: 'no' } },
      { key: 'd', error: { code: 'NoResult' } },
    ]);
    expect(last().body.toString()).toContain('<Key>a&amp;b</Key>');
    expect(last().headers['content-md5']).toMatch(/^[A-Za-z0-9+/]{22}==$/);
    expect(last().headers['authorization']).toContain('content-md5');
  });

  it('of two versions have their own result, even if the service reports only one of them', async () => {
    const keys = [
      { key: 'k', versionId: '1' },
      { key: 'k', versionId: '2' },
    ];
    server.answer(
      xmlResponse('<DeleteResult><Deleted><Key>k</Key><VersionId>1</VersionId></Deleted></DeleteResult>'),
    );
    expect(await client.deleteObjects({ bucket: 'b', keys })).toMatchObject([
      { versionId: '1', error: null },
      { versionId: '2', error: { code: 'NoResult' } },
    ]);
    server.answer(xmlResponse('<DeleteResult><Deleted><Key>k</Key></Deleted></DeleteResult>'));
    expect(await client.deleteObjects({ bucket: 'b', keys: keys.slice(1) })).toMatchObject([{ error: null }]);
  });
});
