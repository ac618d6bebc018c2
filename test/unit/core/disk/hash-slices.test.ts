import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { HashResponse } from '../../../../electron/core/disk/hash-messages.ts';
import { hashTogether } from '../../../../electron/core/disk/hash-slices.ts';
import { bytesOf } from '../../../support/core/uploads-rig.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const sizeBytes = 300_000;

/** Hashes four slices on a disk whose reads take this long, and returns the progress that was reported. */
function hashOn(msPerRead: number): { readonly progress: readonly (readonly number[])[] } {
  const file = path.join(tempDir(), 'file');
  const bytes = bytesOf(4 * sizeBytes, 2);
  writeFileSync(file, bytes);
  const progress: (readonly number[])[] = [];
  const offsets = [0, 1, 2, 3].map((index) => index * sizeBytes);
  let nowMs = 0;
  const response = hashTogether(
    { kind: 'hash-together', id: 1, slices: offsets.map((offset) => ({ path: file, offset, sizeBytes })) },
    {
      tell: (partial: HashResponse) => {
        if (partial.kind === 'progress-together') progress.push(partial.bytes);
      },
      isCancelled: () => false,
      // The clock is read before and after the first read of each slice.
      nowMs: () => (nowMs += 4 * msPerRead),
    },
  );
  expect(response).toMatchObject({
    kind: 'hashed',
    slices: offsets.map((offset) => ({
      md5: createHash('md5')
        .update(bytes.subarray(offset, offset + sizeBytes))
        .digest('hex'),
    })),
  });
  return { progress };
}

test('hashes slices side by side if reads are fast', () => {
  expect(hashOn(1).progress).toEqual([[sizeBytes, sizeBytes, sizeBytes, sizeBytes]]);
});

test('hashes slices one after the other on a disk that is slow to seek, and reports each byte once', () => {
  const { progress } = hashOn(9);
  expect(progress).toHaveLength(4);
  expect(progress.flatMap((bytes) => bytes.filter((count) => count > 0))).toEqual(Array(4).fill(sizeBytes));
});
