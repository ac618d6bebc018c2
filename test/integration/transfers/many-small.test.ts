import { mkdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { localFiles } from '../../../electron/core/disk/local-files.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { type TransferRig, treeOf } from '../../support/core/transfers-rig.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});

const count = 120;

function files(): string[] {
  return Array.from({ length: count }, (_, index) => rig.file(`f-${index}`, bytesOf(100, index)));
}

/** Counts HEAD and PUT requests; `ignores`: the service ignores If-None-Match. */
function watched(ignores: boolean): { readonly heads: () => number; readonly puts: () => number } {
  let heads = 0;
  let puts = 0;
  rig.wrapClient = (client): S3Client => ({
    ...client,
    headObject: async (input, options) => {
      heads += 1;
      return await client.headObject(input, options);
    },
    putObject: async (input, options) => {
      puts += 1;
      const { ifNoneMatch, ...plain } = input;
      return await client.putObject(ignores || ifNoneMatch === undefined ? plain : input, options);
    },
  });
  return { heads: () => heads, puts: () => puts };
}

// Must be the first test of the file, because nothing is known about the bucket yet.
test('a service that ignores If-None-Match gets a HEAD before each file and keeps existing objects', async () => {
  const seen = watched(true);
  await rig.put('f-77', Buffer.from('of somebody else'));
  const job = await rig.settle(await rig.upload(files(), { onConflict: 'skip' }));
  expect(job).toMatchObject({ state: 'done', items: { done: count - 1, skipped: 1 } });
  expect(await rig.object('f-77')).toEqual(Buffer.from('of somebody else'));
  expect(seen.heads()).toBe(count);
  await rig.restart();
});

test('a service that refuses to overwrite gets files without a HEAD, and existing objects stay', async () => {
  const seen = watched(false);
  await rig.put('f-77', Buffer.from('of somebody else'));
  const job = await rig.settle(await rig.upload(files(), { onConflict: 'skip' }));
  expect(job).toMatchObject({ state: 'done', items: { done: count - 1, skipped: 1 } });
  expect(await rig.object('f-77')).toEqual(Buffer.from('of somebody else'));
  expect(await rig.keys()).toHaveLength(count);
  // HEADs are sent only for the first batch, and for files near the existing one.
  expect(seen.heads()).toBeLessThan(60);
  expect(seen.puts()).toBeLessThan(count + 5);
});

test('uploading a folder again costs one HEAD per file, not one PUT', async () => {
  const all = files();
  await rig.settle(await rig.upload(all));
  const seen = watched(false);
  expect(await rig.settle(await rig.upload(all))).toMatchObject({ state: 'done', items: { done: count } });
  expect(seen.heads()).toBeGreaterThanOrEqual(count);
  expect(seen.puts()).toBeLessThan(40);
});

test('a job named after its first file counts the other chosen ones', async () => {
  const all = files().slice(0, 3);
  expect(await rig.settle(await rig.upload(all))).toMatchObject({ fileName: 'f-0', moreChosen: 2 });
  const [first] = all;
  const alone = await rig.settle(await rig.upload(first === undefined ? [] : [first]));
  expect(alone.moreChosen).toBeUndefined();
});

test(
  'more than a thousand files in one folder and in many are downloaded as uploaded',
  { timeout: 240_000 },
  async () => {
    // Fills more than one page of a listing.
    const many = 1300;
    for (let index = 0; index < many; index += 1) {
      const below = index % 2 === 0 ? 'one' : `many/${index % 130}`;
      const local = rig.file(
        `tree/${below}/${index % 7 === 0 ? '%41 ü+&?#' : 'f'} ${index}`,
        bytesOf(index % 5, index),
      );
      utimesSync(local, 1_000_000_000 + index, 1_000_000_000 + index * 7919 + 0.125);
    }
    mkdirSync(path.join(rig.sendDir, 'tree/empty'));
    const up = await rig.settle(await rig.upload([path.join(rig.sendDir, 'tree')], {}, 'in/'));
    expect(up).toMatchObject({ state: 'done', items: { done: many + 1, failed: 0, skipped: 0 } });
    expect(await rig.keys()).toHaveLength(many + 1);
    const down = await rig.settle(await rig.download([{ kind: 'prefix', prefix: 'in/' }], 'ask', 'in/'));
    expect(down).toMatchObject({ state: 'done', items: { failed: 0 } });
    expect(treeOf(rig.fetchDir)).toEqual(treeOf(rig.sendDir));
  },
);

test('small files are fetched thirty-two at a time while the disk saves earlier ones', async () => {
  for (let index = 0; index < 40; index += 1) await rig.put(`f-${index}`, bytesOf(100, index));
  const { promise: diskFree, resolve: freeDisk } = Promise.withResolvers<void>();
  const { promise: allIn, resolve: letIn } = Promise.withResolvers<void>();
  let inFlight = 0;
  let highest = 0;
  let fetched = 0;
  rig.wrapClient = (client) => ({
    ...client,
    getObject: async (input, options) => {
      inFlight += 1;
      highest = Math.max(highest, inFlight);
      if (inFlight === 32) letIn();
      const reply = await client.getObject(input, options);
      return {
        ...reply,
        read: async (onChunk) => {
          // Holds each response until the maximum number of fetches is in flight.
          await allIn;
          await reply.read(onChunk);
          inFlight -= 1;
          fetched += 1;
          // Frees the disk after twice as many files as are fetched at a time. Until then, the disk stores nothing.
          if (fetched === 16) freeDisk();
        },
      };
    },
  });
  rig.files = {
    ...localFiles,
    placeSmall: async (hasher, request, signal) => {
      await diskFree;
      return await localFiles.placeSmall(hasher, request, signal);
    },
  };
  const job = await rig.settle(await rig.download([{ kind: 'prefix', prefix: '' }]));
  rig.files = localFiles;
  expect(job).toMatchObject({ state: 'done', items: { done: 40 } });
  expect(highest).toBe(32);
  expect(treeOf(rig.fetchDir).size).toBe(40);
});
