import { expect, test } from 'vitest';
import { coreUnderTest, inputFor, serviceUnderTest } from '../../support/core/core-under-test.ts';

async function connected() {
  const service = await serviceUnderTest();
  const { client } = coreUnderTest();
  const { id: connectionId } = await client.connections.create(inputFor(service.endpoint));
  const create = async (name: string) => {
    await client.bucketSettings.create({ connectionId, bucket: { name, region: null, objectLock: false } });
  };
  return { service, client, connectionId, create };
}

test('creating a bucket with a lost response succeeds if the bucket exists', async () => {
  const { service, create } = await connected();
  service.faults.add({ operation: 'CreateBucket', times: 20, action: { kind: 'reset', apply: true } });
  await create('lost-answer');
  expect(service.store.buckets.get('lost-answer')).not.toBeNull();
});

test('creating a bucket whose request is lost fails', async () => {
  const { service, create } = await connected();
  service.faults.add({ operation: 'CreateBucket', times: 20, action: { kind: 'reset', apply: false } });
  await expect(create('lost-request')).rejects.toMatchObject({ data: { code: 'network' } });
  expect(service.store.buckets.get('lost-request')).toBeNull();
});

test('deleting a bucket with a lost response succeeds if the bucket is gone', async () => {
  const { service, client, connectionId, create } = await connected();
  await create('to-go');
  service.faults.add({ operation: 'DeleteBucket', times: 20, action: { kind: 'reset', apply: true } });
  await client.bucketSettings.remove({ connectionId, bucket: 'to-go' });
  expect(service.store.buckets.get('to-go')).toBeNull();
});

test('an upload started after the confirmation keeps its bucket from being deleted', async () => {
  const { service, client, connectionId, create } = await connected();
  await create('in-use');
  const bucketId = service.store.buckets.get('in-use')?.id ?? 0;
  const uploadId = service.store.createUpload(bucketId, 'being-sent.bin', {
    initiatedMs: 1e12,
    storageClass: 'STANDARD',
    attributes: { headers: {}, metadata: {} },
    checksumAlgorithm: null,
    checksumType: null,
  });
  await expect(client.bucketSettings.remove({ connectionId, bucket: 'in-use' })).rejects.toMatchObject({
    data: { code: 'conflict', reason: 'bucket-not-empty' },
  });
  expect(service.store.uploads.get(uploadId)).not.toBeNull();
  expect(service.faults.journal.some(({ operation }) => operation === 'DeleteBucket')).toBe(false);
  service.store.abortUpload(uploadId);
  await client.bucketSettings.remove({ connectionId, bucket: 'in-use' });
  expect(service.store.buckets.get('in-use')).toBeNull();
});

test('a bucket whose uploads may not be listed is deleted after confirmation', async () => {
  const { service, client, connectionId, create } = await connected();
  await create('silent');
  service.faults.add({
    operation: 'ListMultipartUploads',
    times: 20,
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
  });
  await client.bucketSettings.remove({ connectionId, bucket: 'silent' });
  expect(service.store.buckets.get('silent')).toBeNull();
});

test('settings that the sample service lacks are unsupported and not written', async () => {
  const { service, client, connectionId, create } = await connected();
  await create('plain');
  for (const section of ['cors', 'policy', 'encryption'] as const)
    expect(await client.bucketSettings.read({ connectionId, bucket: 'plain', section })).toMatchObject({
      state: 'unsupported',
      error: null,
    });
  const text =
    '<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule></CORSConfiguration>';
  await expect(
    client.bucketSettings.save({ connectionId, bucket: 'plain', section: 'cors', text, expected: null }),
  ).rejects.toMatchObject({ data: { code: 'unsupported' } });
  expect(service.faults.journal.filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

test('versioning and lifecycle rules of the sample service are read', async () => {
  const { client, connectionId, create } = await connected();
  await create('plain');
  const read = async (section: 'versioning' | 'lifecycle') =>
    await client.bucketSettings.read({ connectionId, bucket: 'plain', section });
  expect(await read('versioning')).toMatchObject({
    form: { section: 'versioning', status: 'off' },
    error: null,
  });
  expect(await read('lifecycle')).toMatchObject({ state: 'absent', error: null });
});

test('access list and object lock are shown and never written', async () => {
  const { client, connectionId, create } = await connected();
  await create('plain');
  for (const section of ['access', 'object-lock'] as const)
    await expect(
      client.bucketSettings.clear({ connectionId, bucket: 'plain', section, expected: null }),
    ).rejects.toMatchObject({ data: { reason: 'read-only' } });
});
