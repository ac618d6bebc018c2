import { expect, test } from 'vitest';
import type { ScanEvent } from '../../../shared/models/stalled.ts';
import { everyObject, type WalkStatus } from '../../../shared/models/walks.ts';
import { bytesSource } from '../../support/servers/s3-client.ts';
import { coreUnderTest, inputFor, serviceUnderTest } from '../../support/core/core-under-test.ts';
import type { OperationRequest } from '../../../electron/service/interceptor.ts';

const denied = { kind: 'status', status: 403, code: 'AccessDenied' } as const;

const isElsewhere = ({ query }: OperationRequest): boolean =>
  query.get('prefix')?.startsWith('team/') !== true;

/** Returns a service with one upload in `team/` and one elsewhere. Its policy allows the access key only the prefix `team/`. */
async function teamOnly(options: { readonly listsBuckets: boolean; readonly start: string }) {
  const service = await serviceUnderTest();
  const { client, core } = coreUnderTest({ service });
  const owner = await core.connectionClient('samples');
  await owner.createBucket({ bucket: 'shared' });
  for (const key of ['team/film', 'other/film']) await owner.createMultipartUpload({ bucket: 'shared', key });
  const { id: connectionId } = await client.connections.create(
    inputFor(service.endpoint, { start: { bucket: 'shared', prefix: options.start } }),
  );
  if (!options.listsBuckets)
    service.faults.add({ operation: 'ListBuckets', times: Infinity, action: denied });
  service.faults.add({
    operation: ['ListMultipartUploads', 'ListObjects', 'ListObjectsV2'],
    when: isElsewhere,
    times: Infinity,
    action: denied,
  });
  const scan = async (bucket: string | null) => {
    let last: ScanEvent | null = null;
    for await (const event of await client.stalled.scan({ connectionId, bucket, prefix: '' })) last = event;
    if (last === null) throw new Error('The scan reported nothing.');
    const { rows } = await client.stalled.rows({
      scanId: last.scanId,
      offset: 0,
      limit: 10,
      sort: { by: 'key', descending: false },
      filter: { text: '', verdicts: null, bucket: null, begunBefore: null },
    });
    return { keys: rows.map(({ key }) => key), denied: last.errors.map((each) => each.bucket) };
  };
  return { service, client, connectionId, owner, scan };
}

test('the start of a connection is listed as a bucket if listing buckets is denied', async () => {
  const { client, connectionId } = await teamOnly({ listsBuckets: false, start: 'team/' });
  const bucket = { name: 'shared', createdAt: null, region: null, startPrefix: 'team/' };
  expect(await client.buckets.list({ connectionId })).toMatchObject({
    buckets: [{ ...bucket, source: 'start' }],
    error: { code: 'access-denied' },
  });
  await client.buckets.remember({ connectionId, bucket: 'shared' });
  expect((await client.buckets.list({ connectionId })).buckets).toEqual([{ ...bucket, source: 'typed' }]);
});

test('stalled uploads are found below the start if neither buckets nor the bucket may be listed', async () => {
  const { client, connectionId, scan, service } = await teamOnly({ listsBuckets: false, start: 'team/' });
  expect(await scan(null)).toEqual({ keys: ['team/film'], denied: [null] });
  const asked = service.faults.journal.filter(({ operation }) => operation === 'ListMultipartUploads');
  expect(asked.map(({ query }) => query.get('prefix'))).toEqual(['team/']);
  expect(await client.stalled.count({ connectionId, bucket: null, prefix: '' })).toMatchObject({ count: 1 });
});

test('uploads below the start are listed, and the bucket reported, if the whole bucket is denied', async () => {
  const { client, connectionId, scan } = await teamOnly({ listsBuckets: true, start: 'team/' });
  expect(await scan(null)).toEqual({ keys: ['team/film'], denied: ['shared'] });
  expect(await scan('shared')).toEqual({ keys: ['team/film'], denied: ['shared'] });
  expect(await client.stalled.count({ connectionId, bucket: 'shared', prefix: '' })).toEqual({
    count: 1,
    isComplete: false,
  });
});

const byPath = { kind: 'glob', text: 'team/**/f*', caseSensitive: true, in: 'path' } as const;

test.each([
  { listsBuckets: false, start: 'team/' },
  { listsBuckets: true, start: 'team/' },
  { listsBuckets: true, start: 'team' },
])(
  'a search of a bucket that may not be listed searches below the start and says so ($start)',
  async (keyOf) => {
    const { client, connectionId, owner } = await teamOnly(keyOf);
    for (const key of ['team/a/film', 'team/b/note', 'other/film'])
      await owner.putObject({ bucket: 'shared', key, body: bytesSource('x') });
    const { walkId } = await client.walks.start({
      connectionId,
      bucket: 'shared',
      prefix: '',
      query: { ...everyObject, name: byPath },
    });
    let last: WalkStatus | null = null;
    for await (const status of await client.walks.watch({ walkId })) last = status;
    expect(last).toMatchObject({ state: 'done', prefix: '', onlyBelow: 'team/', keys: 2, error: null });
    const sort = { by: 'key', descending: false } as const;
    const { rows } = await client.walks.read({ walkId, offset: 0, limit: 10, sort });
    expect(rows.map(({ key }) => key)).toEqual(['team/a/film']);
  },
);

test.each([
  ['the size of the bucket', '', null],
  ['a search beside the start', 'other/', everyObject],
] as const)(
  '%s fails with access-denied if only the start of the connection may be listed',
  async (_name, prefix, query) => {
    const { client, connectionId } = await teamOnly({ listsBuckets: true, start: 'team/' });
    const { walkId } = await client.walks.start({ connectionId, bucket: 'shared', prefix, query });
    let last: WalkStatus | null = null;
    for await (const status of await client.walks.watch({ walkId })) last = status;
    expect(last).toMatchObject({ state: 'failed', onlyBelow: null, error: { code: 'access-denied' } });
  },
);

test('a start without a slash is read as a folder if names that start with it are denied', async () => {
  const { scan } = await teamOnly({ listsBuckets: false, start: 'team' });
  expect((await scan(null)).keys).toEqual(['team/film']);
});
