import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { startFaultProxy, type FaultProxy } from '../../support/servers/fault-proxy.ts';
import { realClient } from '../../support/servers/real-client.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB, rigKeys, rushingDeps, smallestPart } from '../../support/core/uploads-rig.ts';

/** Tests downloads of objects with unusual part sizes, whose ETag must still prove the bytes. */
let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});
afterEach(async () => {
  await rig.reset();
});

const layouts: readonly (readonly [string, readonly number[]])[] = [
  ['alike', [77_777, 77_777, 77_777, 1234]],
  ['all different', [smallestPart + 1, 3 * smallestPart + 7, smallestPart, 99_999, 5]],
  ['of a common size', [smallestPart, smallestPart, 9]],
];

async function putInParts(key: string, sizes: readonly number[]): Promise<Buffer> {
  const place = { bucket: rig.bucket, key };
  const { uploadId } = await rig.client.createMultipartUpload(place);
  const parts = [];
  const bytes = bytesOf(
    sizes.reduce((sum, size) => sum + size, 0),
    7,
  );
  let offset = 0;
  for (const [index, sizeBytes] of sizes.entries()) {
    const body = bytes.subarray(offset, offset + sizeBytes);
    const partNumber = index + 1;
    const { etag } = await rig.client.uploadPart({
      ...place,
      uploadId,
      partNumber,
      body: { sizeBytes, open: () => body },
    });
    parts.push({ partNumber, etag });
    offset += sizeBytes;
  }
  await rig.client.completeMultipartUpload({ ...place, uploadId, parts });
  return bytes;
}

async function through(wrap: (client: S3Client) => S3Client = (client) => client): Promise<FaultProxy> {
  const proxy = await startFaultProxy(rig.service.endpoint);
  const client = realClient({ endpoint: proxy.endpoint, keys: rigKeys }, rushingDeps(rig.clock, undefined));
  onTestFinished(async () => {
    await client.close();
    await proxy.close();
  });
  const wrapped = wrap(client);
  rig.wrapClient = () => wrapped;
  await rig.restart();
  return proxy;
}

async function download() {
  return await rig.settle(await rig.download([{ kind: 'key', key: 'odd' }]));
}

const fetched = (): Buffer => readFileSync(path.join(rig.fetchDir, 'odd'));

describe.each(layouts)('an object with parts that are %s', (_what, sizes) => {
  test('is verified by its ETag', async () => {
    const bytes = await putInParts('odd', sizes);
    await through();
    const job = await download();
    expect(job).toMatchObject({ state: 'done' });
    expect(fetched().equals(bytes)).toBe(true);
    expect(rig.items(job.id)).toMatchObject([{ verified: true }]);
  });

  test('reveals a damaged byte and is read again', async () => {
    const bytes = await putInParts('odd', sizes);
    const proxy = await through();
    proxy.faults.add({ operation: 'GetObject', times: 1, action: { kind: 'damage', atByte: 5 * KiB } });
    expect(await download()).toMatchObject({ state: 'done' });
    expect(fetched().equals(bytes)).toBe(true);
    expect(proxy.played.get('damage')).toBe(1);
  });

  test('that is damaged each time needs a decision and never gets its final name', async () => {
    await putInParts('odd', sizes);
    let byte = 100;
    const proxy = await through((client) => ({
      ...client,
      getObject: async (input, options) => {
        byte += 1;
        proxy.faults.add({ operation: 'GetObject', times: 1, action: { kind: 'damage', atByte: byte } });
        return await client.getObject(input, options);
      },
    }));
    const job = await download();
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'items-failed' });
    expect(() => fetched()).toThrow('ENOENT');
    expect(rig.items(job.id)).toMatchObject([{ state: 'failed', error: { reason: 'etag-differs' } }]);
  });
});

test("repeated damage is not taken for a special ETag if another object's ETag was proved", async () => {
  await putInParts('odd', [77_777, 77_777, 5]);
  const proxy = await through();
  expect(await download()).toMatchObject({ state: 'done' });
  rmSync(path.join(rig.fetchDir, 'odd'));
  proxy.faults.add({ operation: 'GetObject', times: Infinity, action: { kind: 'damage', atByte: 9 } });
  expect(await download()).toMatchObject({ state: 'needs-attention', reason: 'items-failed' });
});

test('an ETag computed in another way proves nothing, so equal bytes are accepted and logged', async () => {
  const bytes = await putInParts('odd', [77_777, 77_777, 5]);
  const etag = `"${'ab'.repeat(16)}-3"`;
  await through((client) => ({
    ...client,
    headObject: async (input, options) => ({ ...(await client.headObject(input, options)), etag }),
    getObject: async ({ ifMatch: _condition, ...input }, options) => {
      const got = await client.getObject(input, options);
      return new Proxy(got, {
        get: (target, name) => (name === 'etag' ? etag : (Reflect.get(target, name) as unknown)),
      });
    },
    listObjects: async (input, options) => {
      const page = await client.listObjects(input, options);
      return { ...page, objects: page.objects.map((object) => ({ ...object, etag })) };
    },
  }));
  const job = await download();
  expect(job).toMatchObject({ state: 'done' });
  expect(fetched().equals(bytes)).toBe(true);
  expect(rig.items(job.id)).toMatchObject([{ verified: null }]);
  expect(rig.uploads.jobs.attempts(job.id, null, 500).map(({ note }) => note)).toContainEqual(
    expect.stringContaining('each download received the same bytes'),
  );
});
