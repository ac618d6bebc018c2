import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { startFaultProxy } from '../../support/servers/fault-proxy.ts';
import { realClient } from '../../support/servers/real-client.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { copyBytes, pieceBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB, rigKeys, rushingDeps, smallestPart } from '../../support/core/uploads-rig.ts';

/** Tests that a blank ETag counts as missing: it neither proves nor contradicts anything. */
let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});
afterEach(async () => {
  await rig.reset();
});

async function through(value: string | null) {
  const proxy = await startFaultProxy(rig.service.endpoint);
  const client = realClient({ endpoint: proxy.endpoint, keys: rigKeys }, rushingDeps(rig.clock, undefined));
  onTestFinished(async () => {
    await client.close();
    await proxy.close();
  });
  proxy.habits.add({ times: Infinity, action: { kind: 'etag-header', value } });
  rig.wrapClient = () => client;
  await rig.restart();
}

function copy(isMove: boolean, onConflict: 'ask' | 'overwrite', connectionId = 'c'): string {
  const { jobId } = rig.operations.copy({
    from: { connectionId: 'c', bucket: rig.bucket, basePrefix: 'a/' },
    items: [{ kind: 'prefix', prefix: 'a/' }],
    to: { connectionId, bucket: rig.otherBucket, prefix: 'b/' },
    options: { onConflict, isMove },
  });
  return jobId ?? '';
}

const files = [bytesOf(10, 1), bytesOf(5 * KiB, 2), bytesOf(3 * copyBytes + 5, 3)];

describe.each([['none'], ['""'], ['W/""']])('on a service whose ETag header is %s,', (text) => {
  const value = text === 'none' ? null : text;

  test('uploads are sent once and marked as not verified', async () => {
    await through(value);
    const paths = files.map((bytes, index) => rig.file(String(index), bytes));
    const jobId = await rig.upload(paths);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
    for (const [index, bytes] of files.entries())
      expect((await rig.object(String(index)))?.equals(bytes)).toBe(true);
    expect(rig.items(jobId).slice(0, 2)).toMatchObject([
      { verified: false, note: 'not-verified' },
      { verified: false, note: 'not-verified' },
    ]);
    expect(rig.service.faults.count('PutObject')).toBe(2);
  });

  test('downloads do not count as changed', async () => {
    for (const [index, bytes] of files.entries()) await rig.put(`a/${index}`, bytes);
    await rig.put('a/large', bytesOf(5 * pieceBytes, 4));
    await through(value);
    const jobId = await rig.download([{ kind: 'prefix', prefix: 'a/' }], 'ask', 'a/');
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
    for (const [index, bytes] of files.entries())
      expect(readFileSync(path.join(rig.fetchDir, String(index))).equals(bytes)).toBe(true);
    expect(readFileSync(path.join(rig.fetchDir, 'large')).equals(bytesOf(5 * pieceBytes, 4))).toBe(true);
  });

  test.each([['c'], ['other']])('a move to the connection "%s" asks nothing and is proved', async (to) => {
    for (const [index, bytes] of files.entries()) await rig.put(`a/${index}`, bytes);
    await through(value);
    const jobId = copy(true, 'ask', to);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'moved' });
    for (const [index, bytes] of files.entries())
      expect((await rig.object(`b/${index}`, rig.otherBucket))?.equals(bytes)).toBe(true);
    expect(await rig.keys()).toEqual([]);
  });

  test('a copy that overwrites sends each object once', async () => {
    for (let index = 0; index < 3; index += 1) {
      await rig.put(`a/${index}`, bytesOf(5 * KiB, index));
      await rig.client.putObject({
        bucket: rig.otherBucket,
        key: `b/${index}`,
        body: { sizeBytes: 3, open: () => bytesOf(3, 9) },
      });
    }
    await through(value);
    rig.service.faults.clear();
    expect(await rig.settle(copy(false, 'overwrite'))).toMatchObject({ state: 'done' });
    expect(rig.service.faults.count('CopyObject')).toBe(3);
    for (let index = 0; index < 3; index += 1)
      expect((await rig.object(`b/${index}`, rig.otherBucket))?.equals(bytesOf(5 * KiB, index))).toBe(true);
  });
});

test.each([[''], ['""'], ['W/""']])('parts listed with the ETag %s are completed', async (etag) => {
  rig.wrapClient = (client) => ({
    ...client,
    listParts: async (input, options) => {
      const page = await client.listParts(input, options);
      return { ...page, parts: page.parts.map((part) => ({ ...part, etag })) };
    },
  });
  const bytes = bytesOf(5 * smallestPart, 1);
  const jobId = await rig.upload([rig.file('x', bytes)]);
  expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
  expect((await rig.object('x'))?.equals(bytes)).toBe(true);
  expect((await rig.client.listMultipartUploads({ bucket: rig.bucket })).uploads).toEqual([]);
});
