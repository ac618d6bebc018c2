import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import type { GetObjectOutput } from '../../../electron/core/s3/model/object-types.ts';
import { copyBytes, pieceBytes, TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, rigKeys } from '../../support/core/uploads-rig.ts';
import { decompressing, followPlan } from '../../support/lab-service/service-plans.ts';
import { realClient } from '../../support/servers/real-client.ts';

let rig: TransferRig;
afterEach(async () => {
  await rig.close();
});

const stored: Readonly<Record<string, Buffer>> = {
  'small.gz': gzipSync('hello, hello, hello, hello'),
  'small.br': brotliCompressSync('hello, hello, hello, hello'),
  // Incompressible, so that it is downloaded in several pieces and copied to another service in several parts.
  'large.gz': gzipSync(bytesOf(pieceBytes + 3 * copyBytes, 3)),
};

async function decompressingRig(): Promise<void> {
  rig = await TransferRig.start();
  for (const [key, bytes] of Object.entries(stored))
    await rig.client.putObject({
      bucket: rig.bucket,
      key,
      body: { sizeBytes: bytes.byteLength, open: () => bytes },
      contentEncoding: key.endsWith('.gz') ? 'gzip' : 'br',
    });
  await rig.restart();
  followPlan(rig.service, decompressing);
}

async function bytesIn({ body }: GetObjectOutput): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

const freshClient = () => realClient({ endpoint: rig.service.endpoint, keys: rigKeys });

test('an object that a service decompresses on the way is read in its stored form, whole and in ranges', async () => {
  await decompressingRig();
  for (const [key, bytes] of Object.entries(stored)) {
    const client = freshClient();
    const ref = { bucket: rig.bucket, key };
    for (const known of [{}, { sizeBytes: bytes.byteLength }]) {
      const whole = await client.getObject({ ...ref, ...known });
      expect(await bytesIn(whole)).toEqual(bytes);
      expect(whole.headers['content-encoding']).toBe(key.endsWith('.gz') ? 'gzip' : 'br');
      const range = await client.getObject({ ...ref, ...known, range: { firstByte: 3, lastByte: 9 } });
      expect(await bytesIn(range)).toEqual(bytes.subarray(3, 10));
    }
    expect(await freshClient().headObject(ref)).toMatchObject({ sizeBytes: bytes.byteLength });
  }
});

test('an object that a service decompresses takes two requests the first time and one afterwards', async () => {
  await decompressingRig();
  const client = freshClient();
  const read = async (): Promise<number> => {
    const before = rig.service.faults.journal.length;
    const got = await client.getObject({ bucket: rig.bucket, key: 'small.gz' });
    await bytesIn(got);
    return rig.service.faults.journal.length - before;
  };
  expect([await read(), await read()]).toEqual([2, 1]);
});

test('downloads of objects that a service decompresses are stored byte for byte', async () => {
  await decompressingRig();
  const jobId = await rig.download([{ kind: 'prefix', prefix: '' }]);
  expect(await rig.settle(jobId ?? '')).toMatchObject({ state: 'done', error: null });
  for (const [key, bytes] of Object.entries(stored))
    expect(readFileSync(path.join(rig.fetchDir, key)).equals(bytes)).toBe(true);
});

test('copies of objects that a service decompresses keep bytes and encoding on another service', async () => {
  await decompressingRig();
  const { jobId } = rig.operations.copy({
    from: { connectionId: 'c', bucket: rig.bucket, basePrefix: '' },
    items: Object.keys(stored).map((key) => ({ kind: 'key', key })),
    to: { connectionId: 'other', bucket: rig.otherBucket, prefix: '' },
    options: { onConflict: 'ask', isMove: false },
  });
  expect(await rig.settle(jobId ?? '')).toMatchObject({ state: 'done', error: null });
  rig.service.faults.clear();
  for (const [key, bytes] of Object.entries(stored)) {
    expect((await rig.object(key, rig.otherBucket))?.equals(bytes)).toBe(true);
    const head = await rig.client.headObject({ bucket: rig.otherBucket, key });
    expect(head.headers['content-encoding']).toBe(key.endsWith('.gz') ? 'gzip' : 'br');
  }
});
