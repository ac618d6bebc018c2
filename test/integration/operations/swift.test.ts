import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChangePatch } from '../../../shared/models/operations.ts';
import type { Job } from '../../../shared/models/jobs.ts';
import { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';
import { realClient } from '../../support/servers/real-client.ts';
import type { RealServer } from '../../support/servers/real-server.ts';
import { isSwiftInstalled, startSwift } from '../../support/servers/swift.ts';

const MiB = 1024 * 1024;

describe.skipIf(!isSwiftInstalled())('changes of properties on OpenStack Swift (if installed)', () => {
  let swift: RealServer;
  let rig: TransferRig;
  beforeAll(async () => {
    swift = await startSwift();
    const client = realClient({ endpoint: swift.endpoint, region: swift.region, keys: swift });
    rig = await TransferRig.start({
      external: { client, minPartBytes: 5 * MiB, largestCopyBytes: 12 * MiB, bucketPrefix: 'change-' },
    });
  }, 180_000);
  afterAll(async () => {
    await rig.close();
    swift.stop();
  });
  beforeEach(async () => {
    await rig.reset();
  });

  async function put(key: string, sizeBytes: number): Promise<Buffer> {
    const bytes = bytesOf(sizeBytes, sizeBytes + key.length);
    await rig.client.putObject({
      bucket: rig.bucket,
      key,
      contentType: 'text/plain',
      headers: { 'cache-control': 'max-age=1' },
      metadata: { owner: 'me', kept: 'yes' },
      body: { sizeBytes, open: () => bytes },
    });
    return bytes;
  }

  async function change(prefix: string, patch: ChangePatch): Promise<Job> {
    const place = { connectionId: 'c', bucket: rig.bucket };
    const { jobId } = rig.operations.change(place, [{ kind: 'prefix', prefix }], patch);
    return await rig.settle(jobId);
  }

  /** Returns an object's stored properties, without Cooper's own metadata. */
  async function stored(key: string) {
    const { contentType, headers, metadata } = await rig.client.headObject({ bucket: rig.bucket, key });
    const { 'cooper-upload': _token, ...userMetadata } = metadata;
    return { contentType, cacheControl: headers['cache-control'] ?? null, metadata: userMetadata };
  }

  test.each([
    ['one object', ['k'], 1000],
    ['many objects', ['k1', 'k2', 'k3', 'k/4'], 1000],
    ['an object that is copied in parts', ['large'], 13 * MiB],
  ])('of %s are done once they are read back', { timeout: 120_000 }, async (_what, keys, size) => {
    const bytes = new Map<string, Buffer>();
    for (const key of keys) bytes.set(key, await put(key, size));
    const patch: ChangePatch = {
      contentType: 'image/png',
      cacheControl: 'no-store',
      metadata: { replaceAll: false, set: { owner: 'you', more: '1' }, remove: [] },
    };
    expect(await change('', patch)).toMatchObject({ state: 'done', items: { done: keys.length } });
    for (const [key, content] of bytes) {
      expect(await stored(key)).toEqual({
        contentType: 'image/png',
        cacheControl: 'no-store',
        metadata: { owner: 'you', kept: 'yes', more: '1' },
      });
      expect((await rig.object(key))?.equals(content)).toBe(true);
    }
  });

  test('that remove metadata leave none of it', async () => {
    await put('k', 10);
    await change('', { metadata: { replaceAll: false, set: {}, remove: ['owner'] } });
    expect((await stored('k')).metadata).toEqual({ kept: 'yes' });
    await change('', { metadata: { replaceAll: true, set: {}, remove: [] } });
    expect((await stored('k')).metadata).toEqual({});
  });

  async function changeTags(tags: NonNullable<ChangePatch['tags']>): Promise<Job> {
    for (const key of ['k1', 'k2']) await put(key, 10);
    const job = await change('', { tags });
    expect(await rig.client.getObjectTags({ bucket: rig.bucket, key: 'k1' })).toEqual([]);
    expect((await stored('k1')).metadata).toEqual({ owner: 'me', kept: 'yes' });
    return job;
  }

  test('of tags, which Swift does not keep, are not reported as done', async () => {
    expect((await changeTags({ replaceAll: false, set: { a: 'b' }, remove: [] })).items).toMatchObject({
      done: 0,
    });
  });

  test('that remove all tags are done, because Swift reports that there are none', async () => {
    expect(await changeTags({ replaceAll: true, set: {}, remove: [] })).toMatchObject({ state: 'done' });
  });
});
