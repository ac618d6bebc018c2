import { expect, test } from 'vitest';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import {
  coreUnderTest,
  inputFor,
  serviceKeys,
  serviceUnderTest,
} from '../../support/core/core-under-test.ts';
import { textOf } from '../../support/servers/s3-client.ts';

const put = async (client: S3Client, key: string, content = 'x', contentType?: string) =>
  await client.putObject({
    bucket: 'photos',
    key,
    body: { sizeBytes: Buffer.byteLength(content), open: () => Buffer.from(content) },
    ...(contentType === undefined ? {} : { contentType }),
  });

async function filled() {
  const service = await serviceUnderTest();
  const under = coreUnderTest({ service });
  const s3 = await under.core.connectionClient('samples');
  await s3.createBucket({ bucket: 'photos' });
  return { ...under, service, s3 };
}

const folder = (prefix: string, pageToken: string | null = null) =>
  ({ connectionId: 'samples', bucket: 'photos', prefix, delimiter: '/', pageToken }) as const;
const object = (key: string) => ({ connectionId: 'samples', bucket: 'photos', key });

test('a folder is read page by page to its end, each entry once', async () => {
  const { client, s3 } = await filled();
  const keys = Array.from({ length: 2100 }, (_, index) => `big/${String(index).padStart(5, '0')}`);
  for (let index = 0; index < keys.length; index += 100) {
    await Promise.all(keys.slice(index, index + 100).map((key) => put(s3, key)));
  }
  const seen: string[] = [];
  let pages = 0;
  let token: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof client.objects.list>> = await client.objects.list(
      folder('big/', token),
    );
    seen.push(...page.objects.map(({ key }) => key));
    pages += 1;
    token = page.nextPageToken;
  } while (token !== null);
  expect(pages).toBe(3);
  expect(seen).toEqual(keys);
});

test('an object and a folder of one name are separate, and empty segments are folders', async () => {
  const { client, s3 } = await filled();
  for (const key of ['a', 'a/', 'a/b', '/lead', 'x//y', 'x/', ' '])
    await put(s3, key, key.endsWith('/') ? '' : 'x');
  const root = await client.objects.list(folder(''));
  expect(root.objects.map(({ key }) => key)).toEqual([' ', 'a']);
  expect(root.commonPrefixes).toEqual(['/', 'a/', 'x/']);
  expect(await client.objects.list(folder('a/'))).toMatchObject({
    objects: [{ key: 'a/b' }],
    hasPlaceholder: true,
  });
  expect((await client.objects.list(folder('x/'))).commonPrefixes).toEqual(['x//']);
  expect((await client.objects.list(folder('/'))).objects.map(({ key }) => key)).toEqual(['/lead']);
});

test('"starts with" is sent to the service as a prefix', async () => {
  const { client, s3 } = await filled();
  for (const key of ['2023/a', '2024/a', '2024b', '1999/a']) await put(s3, key);
  expect(await client.objects.list(folder('202'))).toMatchObject({
    commonPrefixes: ['2023/', '2024/'],
    objects: [{ key: '2024b' }],
  });
});

test.each(['../x', 'a//b', '/lead', '007', 'sp ace', 'plus+%2B&?#', 'ключ/雪', "it's (1)!*"])(
  'the details and addresses of %j refer to exactly this object',
  async (key) => {
    const { client, s3 } = await filled();
    await put(s3, key, 'content', 'text/x-test');
    expect(await client.objects.details(object(key))).toMatchObject({
      sizeBytes: 7,
      contentType: 'text/x-test',
    });
    const { s3Uri, httpsUrl } = await client.objects.addresses(object(key));
    expect(s3Uri).toBe(`s3://photos/${key}`);
    expect(httpsUrl).toMatch(/\/photos\/[A-Za-z0-9\-._~%/]+$/);
    expect(decodeURIComponent(httpsUrl.slice(httpsUrl.indexOf('/photos/') + 8))).toBe(key);
  },
);

test("a preview serves the object's bytes until the object changes", async () => {
  const { client, core, s3 } = await filled();
  await put(s3, 'page.html', '<script>alert(1)</script>', 'text/html');
  const preview = await client.objects.preview(object('page.html'));
  if (preview.kind !== 'object') throw new Error('There is no preview.');
  const get = () => core.bytes.handle({ method: 'GET', path: preview.path, headers: {} });
  const response = await get();
  expect(response.headers['content-type']).toBe('application/octet-stream');
  expect(response.body && (await textOf(response.body))).toBe('<script>alert(1)</script>');
  await put(s3, 'page.html', 'another one, which is longer than the first');
  expect((await get()).status).toBe(412);
});

test('editing a connection invalidates the tickets and the client of its old keys', async () => {
  const service = await serviceUnderTest();
  const { client, core } = coreUnderTest();
  const { id } = await client.connections.create(inputFor(service.endpoint));
  const old = await core.connectionClient(id);
  await old.createBucket({ bucket: 'photos' });
  await put(old, 'a.txt');
  const preview = await client.objects.preview({ connectionId: id, bucket: 'photos', key: 'a.txt' });
  await client.connections.update({
    connectionId: id,
    input: inputFor(service.endpoint, {
      auth: {
        kind: 'keys',
        accessKeyId: serviceKeys.accessKeyId,
        secretAccessKey: 'wrong',
        sessionToken: null,
      },
    }),
  });
  expect(await core.connectionClient(id)).not.toBe(old);
  const path = 'path' in preview ? preview.path : '';
  expect((await core.bytes.handle({ method: 'GET', path, headers: {} })).status).toBe(404);
  const list = await client.buckets.list({ connectionId: id });
  expect(list.error).toMatchObject({ code: 'access-denied', reason: 'secret-wrong' });
});

test('typed buckets are listed even if listing buckets is denied', async () => {
  const service = await serviceUnderTest({ quirks: { listBuckets: 'denied' } });
  const { client } = coreUnderTest({ service });
  await client.buckets.remember({ connectionId: 'samples', bucket: 'typed' });
  expect(await client.buckets.list({ connectionId: 'samples' })).toEqual({
    buckets: [{ name: 'typed', createdAt: null, region: null, source: 'typed', startPrefix: '' }],
    error: expect.objectContaining({ code: 'access-denied', reason: 'denied' }) as unknown,
  });
  await client.buckets.forget({ connectionId: 'samples', bucket: 'typed' });
  expect((await client.buckets.list({ connectionId: 'samples' })).buckets).toEqual([]);
});

test('a refused HEAD is reported as denied, not as a missing object', async () => {
  const { client, service, s3 } = await filled();
  await put(s3, 'a.txt');
  service.faults.add({
    operation: 'HeadObject',
    times: Infinity,
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
  });
  const thrown: unknown = await client.objects.details(object('a.txt')).catch((reason: unknown) => reason);
  const { data } = thrown as { data: { code: string; message: string } };
  expect(data.code).toBe('access-denied');
  expect(data.message).toMatch(/may still exist/);
});

test('a listing answered with HTML is an error, not an empty folder', async () => {
  const { client, service } = await filled();
  service.quirks.listing = 'html';
  const thrown: unknown = await client.objects.list(folder('')).catch((reason: unknown) => reason);
  expect((thrown as { data: unknown }).data).toMatchObject({ code: 'protocol', reason: 'html' });
});

test('every request is logged with its connection and without secrets', async () => {
  const { client } = await filled();
  await client.objects.list(folder(''));
  const entries = await client.requestLog.list({ beforeId: null, limit: 10, connectionId: 'samples' });
  expect(entries.map(({ operation, status }) => `${operation} ${status}`)).toEqual([
    'ListObjectsV2 200',
    'CreateBucket 200',
  ]);
  expect(entries.every(({ requestId }) => requestId !== null)).toBe(true);
  expect(JSON.stringify(entries)).not.toMatch(
    new RegExp(`${serviceKeys.secretAccessKey}|Signature|Credential`),
  );
});
