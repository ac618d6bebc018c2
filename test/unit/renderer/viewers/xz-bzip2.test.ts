import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseViewer, viewerFactsOf } from '../../../../renderer/features/viewers/frame/viewer.ts';
import { memorySource } from '../../../../renderer/features/viewers/frame/range-source.ts';
import { markedCompression, nameInside } from '../../../../renderer/features/viewers/packed/compression.ts';
import { unpack } from '../../../../renderer/features/viewers/packed/unpack.ts';
import { UnknownCompression } from '../../../../renderer/features/viewers/packed/unpacker.ts';
import { viewers } from '../../../../renderer/features/viewers/registry.ts';
import {
  bzip2Bomb,
  bzip2Text,
  packedText,
  xzBlocks,
  xzBomb,
  xzCrc32,
  xzSha256,
  xzText,
} from '../../../fixtures/packed.ts';

type Format = 'bzip2' | 'xz';
const texts: readonly (readonly [Format, Buffer])[] = [
  ['bzip2', bzip2Text],
  ['xz', xzText],
];

async function unpacked(bytes: Uint8Array, compression: Format, maxBytes = 1e6) {
  const source = memorySource(new Uint8Array(bytes));
  return await unpack(source, compression, maxBytes, new AbortController().signal);
}

/** Returns a copy with one bit changed in the byte at this distance from the end. */
function changedAt(bytes: Buffer, fromEnd: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[changed.length - fromEnd] = (changed.at(-fromEnd) ?? 0) ^ 1;
  return changed;
}

test.each([
  ['bzip2', 'bzip2', bzip2Text, packedText, null],
  ['bzip2 of several streams', 'bzip2', [bzip2Text, bzip2Text], [packedText, packedText], null],
  ['bzip2 with junk behind it', 'bzip2', [bzip2Text, 'junk'], packedText, 'trailing'],
  ['bzip2 with zeros behind it', 'bzip2', [bzip2Text, Buffer.alloc(600)], packedText, 'trailing'],
  ['bzip2 with a wrong checksum of its stream', 'bzip2', changedAt(bzip2Text, 2), packedText, 'checksum'],
  ['bzip2 with a wrong checksum of its block', 'bzip2', changedBlock(), packedText, 'checksum'],
  ['bzip2 whose last checksum is cut off', 'bzip2', bzip2Text.subarray(0, -3), packedText, 'ends-early'],
  ['xz', 'xz', xzText, packedText, null],
  ['xz with a CRC-32', 'xz', xzCrc32, packedText.subarray(0, 5000), null],
  ['xz of three blocks', 'xz', xzBlocks, packedText, null],
  [
    'xz of several streams with padding',
    'xz',
    [xzText, Buffer.alloc(8), xzBlocks, Buffer.alloc(4)],
    [packedText, packedText],
    null,
  ],
  ['xz with junk behind it', 'xz', [xzText, 'junk of sixteen.'], packedText, 'trailing'],
  ['xz with a wrong checksum', 'xz', changedAt(xzText, 29), packedText, 'checksum'],
  ['xz that is cut off', 'xz', xzText.subarray(0, -20), packedText, 'ends-early'],
] as const)('%s is decompressed with a remark', async (_, compression, stored, content, remark) => {
  const found = await unpacked(bytesOf(stored), compression);
  expect(found.remark).toBe(remark);
  expect(Buffer.from(found.bytes).equals(bytesOf(content))).toBe(true);
});

test('xz damaged in its second block is shown up to the damage', async () => {
  const { bytes, remark } = await unpacked(changedAt(xzBlocks, Math.floor(xzBlocks.length / 2)), 'xz');
  expect(remark).toBe('damaged');
  expect(Buffer.from(bytes).equals(packedText.subarray(0, bytes.length))).toBe(true);
  expect(bytes.length).toBeGreaterThanOrEqual(40_000);
});

test.each([
  ['bzip2', bzip2Bomb],
  ['xz', xzBomb],
] as const)('a decompression bomb in %s is read up to the limit', async (compression, bomb) => {
  const { bytes, isCut } = await unpacked(bomb, compression, 1_000_000);
  expect(isCut).toBe(true);
  expect(bytes.length).toBe(1_000_000);
});

test('xz with a SHA-256 checksum, which the decoder does not support, is refused', async () => {
  await expect(unpacked(xzSha256, 'xz')).rejects.toThrow(Error);
});

test.each(texts)('truncated or altered %s ends in an error or bytes', async (compression, whole) => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(whole.length - 1),
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 }),
      async (length, changes) => {
        const bytes = Buffer.from(whole.subarray(0, Math.max(1, length)));
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        const result = await unpacked(bytes, compression, 100_000).catch((thrown: unknown) => thrown);
        if (result instanceof Error) return;
        expect((result as { readonly bytes: Uint8Array }).bytes.length).toBeLessThanOrEqual(100_000);
      },
    ),
    { numRuns: 100 },
  );
});

test.each([
  ['tide.log.bz2', bzip2Text, 'bzip2', 'tide.log'],
  ['tide.log.xz', xzText, 'xz', 'tide.log'],
  ['tide.tbz2', bzip2Text, 'bzip2', 'tide.tar'],
  ['tide.txz', xzText, 'xz', 'tide.tar'],
] as const)('%s is opened decompressed, by name or first bytes', (name, bytes, compression, inside) => {
  expect(markedCompression(bytes)).toBe(compression);
  expect(nameInside(name)).toBe(inside);
  expect(chooseViewer(viewers, viewerFactsOf(name, null, null))?.id).toBe('packed');
  expect(chooseViewer(viewers, { ...viewerFactsOf('tide', null, null), head: bytes })?.id).toBe('packed');
});

function bytesOf(parts: Buffer | string | readonly (Buffer | string)[]): Buffer {
  return Array.isArray(parts)
    ? Buffer.concat(parts.map((part) => bytesOf(part as Buffer | string)))
    : Buffer.from(parts as Buffer);
}

/** Changes the checksum of the first block, which follows 4 bytes of header and 6 bytes that mark the block. */
function changedBlock(): Buffer {
  return changedAt(bzip2Text, bzip2Text.length - 10);
}

test.each([
  [
    'a SHA-256 checksum',
    '/Td6WFoAAArh+wyhAgAhARYAAAB0L+WjAQAEdGlkZXMAAAAADnFP2S91OONTG2HA7rf5xw5ER1vnVX34c7E98680Il8AATUFEoPd8hibS5oBAAAAAApZWg==',
  ],
  [
    'a delta filter',
    '/Td6WFoAAATm1rRGAgEDAQAhARZ5IMTuAQAEdPX7AQ4AAAAAduyfrfYJHcQAAR0FuC2Arx+2830BAAAAAARZWg==',
  ],
])('xz with %s is of an unknown kind, not damaged', async (_, text) => {
  const source = memorySource(Uint8Array.from(Buffer.from(text, 'base64')));
  await expect(unpack(source, 'xz', 100, new AbortController().signal)).rejects.toThrow(UnknownCompression);
});
