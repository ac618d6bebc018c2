import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { assert, asyncProperty, infiniteStream, integer, nat } from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { PartHashes } from '../../../../../electron/core/transfers/downloads/part-hashes.ts';
import { createHashPool } from '../../../../../electron/core/disk/hash-pool.ts';
import { expectedEtag } from '../../../../../electron/core/s3/model/etag.ts';
import { bytesOf } from '../../../../support/core/uploads-rig.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'cooper-hashes-'));
const hasher = createHashPool();
afterAll(async () => {
  await hasher.close();
  rmSync(folder, { recursive: true, force: true });
});

const MiB = 1024 * 1024;
const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
const partBytes = 5 * MiB;
const bytes = bytesOf(12 * MiB + 7, 3);
const etag = `"${expectedEtag([0, 1, 2].map((part) => md5(bytes.subarray(part * partBytes, (part + 1) * partBytes))))}"`;
const file = path.join(folder, 'file');
writeFileSync(file, bytes);

test('part hashes match for chunks of any size in any order', async () => {
  await assert(
    asyncProperty(integer({ min: MiB, max: 13 * MiB }), infiniteStream(nat()), async (size, chance) => {
      const pieces: [number, number][] = [];
      for (let at = 0; at < bytes.byteLength; at += size)
        pieces.push([at, Math.min(size, bytes.byteLength - at)]);
      const order = pieces.map((piece) => ({ piece, rank: Number(chance.next().value) }));
      order.sort((left, right) => left.rank - right.rank);
      const hashes = new PartHashes(
        hasher,
        { path: file },
        bytes.byteLength,
        etag,
        new AbortController().signal,
      );
      for (const { piece } of order) hashes.arrived(...piece);
      expect(await hashes.verdict()).toBe(true);
    }),
    { numRuns: 15 },
  );
});

test('part hashes detect one changed byte', async () => {
  const other = Buffer.from(bytes);
  other[6 * MiB] = (other[6 * MiB] ?? 0) ^ 1;
  const changed = path.join(folder, 'changed');
  writeFileSync(changed, other);
  const hashes = new PartHashes(
    hasher,
    { path: changed },
    bytes.byteLength,
    etag,
    new AbortController().signal,
  );
  hashes.arrived(0, bytes.byteLength);
  expect(await hashes.verdict()).not.toBe(true);
});

test('the MD5 of the whole object is compared at the end', async () => {
  const whole = new PartHashes(
    hasher,
    { path: file },
    bytes.byteLength,
    `"${md5(bytes)}"`,
    new AbortController().signal,
  );
  whole.arrived(0, bytes.byteLength);
  expect(await whole.verdict()).toBe(true);
  const wrong = new PartHashes(
    hasher,
    { path: file },
    bytes.byteLength,
    `"${md5(Buffer.from('x'))}"`,
    new AbortController().signal,
  );
  wrong.arrived(0, bytes.byteLength);
  expect(await wrong.verdict()).toMatchObject({
    what: 'md5',
    expected: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
  });
});
