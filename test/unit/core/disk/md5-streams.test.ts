import { createHash } from 'node:crypto';
import { array, assert, nat, oneof, property } from 'fast-check';
import { expect, test } from 'vitest';
import { Md5Streams, type Md5Stream } from '../../../../electron/core/disk/md5-streams.ts';
import { bytesOf } from '../../../support/core/uploads-rig.ts';

const streams = Md5Streams.create();
if (streams === null) throw new Error('This processor has no vectors.');
const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
const streamOf = (bytes: Uint8Array): Md5Stream => ({
  sizeBytes: bytes.byteLength,
  read: (into, offset) => into.set(bytes.subarray(offset, offset + into.byteLength)),
});
const goOn = (): boolean => true;

test("parallel MD5 of streams of any lengths equals OpenSSL's", () => {
  // Lengths near those of a block and of a chunk, and of several chunks.
  const lengths = oneof(
    nat(200),
    nat(200).map((more) => 65_436 + more),
    nat(300_000),
  );
  assert(
    property(array(lengths, { minLength: 1, maxLength: 8 }), nat(1000), (sizes, seed) => {
      const contents = sizes.map((size, index) => bytesOf(size, seed + index));
      expect(streams.hash(contents.map(streamOf), goOn)).toEqual(
        contents.map((bytes) => ({ md5: md5(bytes) })),
      );
    }),
    { numRuns: 60 },
  );
});

test('parallel MD5 pads every length up to three blocks as OpenSSL does', () => {
  for (let size = 0; size <= 192; size += 8) {
    const contents = Array.from({ length: 8 }, (_, more) => bytesOf(size + more, size));
    expect(streams.hash(contents.map(streamOf), goOn)).toEqual(
      contents.map((bytes) => ({ md5: md5(bytes) })),
    );
  }
});

test('a stream that cannot be read fails alone', () => {
  const bytes = bytesOf(200_000, 1);
  const broken = new Error('gone');
  const failing: Md5Stream = {
    sizeBytes: 200_000,
    read: (into, offset) => {
      if (offset > 0) throw broken;
      into.fill(1);
    },
  };
  expect(streams.hash([streamOf(bytes), failing, streamOf(bytes)], goOn)).toEqual([
    { md5: md5(bytes) },
    { thrown: broken },
    { md5: md5(bytes) },
  ]);
});

test('progress is reported per stream, and returning false stops the unfinished ones', () => {
  const short = bytesOf(10, 1);
  const reported: (readonly number[])[] = [];
  const outcomes = streams.hash([streamOf(bytesOf(200_000, 2)), streamOf(short)], (bytes) => {
    reported.push(bytes);
    return reported.length < 3;
  });
  expect(outcomes).toEqual(['stopped', { md5: md5(short) }]);
  expect(reported).toEqual([
    [65_536, 10],
    // The short stream ended after its only block.
    [0, 0],
    [65_536, 0],
  ]);
});

test('more streams than lanes throw an error', () => {
  expect(() =>
    streams.hash(
      Array.from({ length: 9 }, () => streamOf(bytesOf(1, 1))),
      goOn,
    ),
  ).toThrow('lanes');
});
