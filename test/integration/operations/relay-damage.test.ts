import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { GetObjectOutput } from '../../../electron/core/s3/model/object-types.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { copyBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';

/** Tests that a move to another connection keeps its source if the bytes were damaged while they were read. */
let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});

const bytes = bytesOf(3 * copyBytes + 5, 1);

async function* flipped(body: Readable): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const chunk of body) {
    const copy = Buffer.from(chunk as Uint8Array);
    if (isFirst && copy.length > 0) {
      copy[0] = (copy[0] ?? 0) ^ 1;
      isFirst = false;
    }
    yield copy;
  }
}

/** Changes one byte of the second part in the first `readings` reads of it. */
async function damageReadings(readings: number): Promise<void> {
  let left = readings;
  rig.wrapClient = (client): S3Client => ({
    ...client,
    getObject: async (input, options) => {
      const got = await client.getObject(input, options);
      const isSecond =
        input.range !== undefined && input.range.firstByte > 0 && input.range.firstByte <= copyBytes;
      if (!isSecond || left === 0) return got;
      left -= 1;
      const { body, sizeBytes, etag, lastModified, contentType, storageClass, versionId } = got;
      const { metadata, headers, contentRange } = got;
      const described = { sizeBytes, etag, lastModified, contentType, storageClass, versionId };
      const response = { ...described, metadata, headers, contentRange, body: Readable.from(flipped(body)) };
      return response as unknown as GetObjectOutput;
    },
  });
  await rig.restart();
}

function moveToOther(): string {
  const { jobId } = rig.operations.copy({
    from: { connectionId: 'c', bucket: rig.bucket, basePrefix: 'a/' },
    items: [{ kind: 'prefix', prefix: 'a/' }],
    to: { connectionId: 'other', bucket: rig.bucket, prefix: 'b/' },
    options: { onConflict: 'ask', isMove: true },
  });
  return jobId ?? '';
}

test('a relayed part that is damaged once is read again, and the move succeeds', async () => {
  await rig.reset();
  await rig.put('a/large', bytes);
  await damageReadings(1);
  expect(await rig.settle(moveToOther())).toMatchObject({ state: 'done' });
  expect((await rig.object('b/large'))?.equals(bytes)).toBe(true);
  expect(await rig.keys()).toEqual(['b/large']);
});

test('a source that is read damaged each time is not deleted', async () => {
  await rig.reset();
  await rig.put('a/large', bytes);
  await damageReadings(Infinity);
  expect(await rig.settle(moveToOther())).toMatchObject({ state: 'needs-attention' });
  expect((await rig.object('a/large'))?.equals(bytes)).toBe(true);
  expect(await rig.object('b/large')).toBeNull();
});

test('a source whose ETag does not cover the parts is read twice before its copy counts', async () => {
  await rig.reset();
  await rig.restart();
  const upload = await rig.upload([rig.file('large', bytes)], {}, 'a/');
  expect(await rig.settle(upload)).toMatchObject({ state: 'done' });
  await damageReadings(1);
  expect(await rig.settle(moveToOther())).toMatchObject({ state: 'done' });
  expect((await rig.object('b/large'))?.equals(bytes)).toBe(true);
  expect(await rig.keys()).toEqual(['b/large']);
});
