import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compressionOfCoding } from '../../../../renderer/features/viewers/packed/compression.ts';
import { unpack } from '../../../../renderer/features/viewers/packed/unpack.ts';
import type { Compression } from '../../../../renderer/features/viewers/packed/unpacker.ts';
import { memorySource } from '../../../../renderer/features/viewers/frame/range-source.ts';

const text = Buffer.from('Low water at ten past six. The mud shone like a plate.\n'.repeat(2000));
type NodeCompression = Exclude<Compression, 'bzip2' | 'xz'>;
const packers: Readonly<Record<NodeCompression, (bytes: Uint8Array) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes),
  zstd: (bytes) => zstdCompressSync(bytes),
  brotli: (bytes) => brotliCompressSync(bytes),
  zlib: (bytes) => deflateSync(bytes),
  deflate: (bytes) => deflateRawSync(bytes),
};
const compressions = Object.keys(packers) as NodeCompression[];

async function unpacked(bytes: Uint8Array, compression: Compression, maxBytes = 1e6) {
  return await unpack(
    memorySource(new Uint8Array(bytes)),
    compression,
    maxBytes,
    new AbortController().signal,
  );
}

test.each(compressions)('%s is decompressed to the original', async (compression) => {
  const { bytes, isCut } = await unpacked(packers[compression](text), compression);
  expect(Buffer.from(bytes).equals(text)).toBe(true);
  expect(isCut).toBe(false);
});

test.each(compressions)(
  '%s with several members or frames is read to its end if the format allows them',
  async (compression) => {
    const twice = Buffer.concat([packers[compression](text), packers[compression](text)]);
    const { bytes } = await unpacked(twice, compression);
    const hasMembers = compression === 'gzip' || compression === 'zstd';
    expect(bytes.length).toBe(hasMembers ? 2 * text.length : text.length);
  },
);

test.each(compressions)(
  'a decompression bomb in %s is read up to the limit only',
  async (compression) => {
    const bomb = packers[compression](Buffer.alloc(200 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(300_000);
    const { bytes, isCut } = await unpacked(bomb, compression, 1_000_000);
    expect(isCut).toBe(true);
    expect(bytes.length).toBeLessThanOrEqual(1_000_000);
  },
  60_000,
);

test('a Zstandard frame with a two-gigabyte window is refused', async () => {
  const hostile = Buffer.from([
    0x28,
    0xb5,
    0x2f,
    0xfd,
    0x00,
    (20 << 3) | 7,
    0x01,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ]);
  await expect(unpacked(hostile, 'zstd')).rejects.toThrow('window');
});

test.each(compressions)(
  'truncated or altered %s ends in an error or bytes and never hangs',
  async (compression) => {
    const whole = packers[compression](text.subarray(0, 5000));
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
      { numRuns: 150 },
    );
  },
  60_000,
);

test('zlib that needs a preset dictionary is refused at once', async () => {
  const dictionary = Buffer.from('Low water at ten past six.');
  const bytes = deflateSync(text.subarray(0, 5000), { dictionary });
  await expect(unpacked(bytes, 'zlib')).rejects.toThrow('preset dictionary');
});

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');
const checkedZstd = (bytes: Buffer): Buffer =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });

/** Returns a copy with one bit changed in the byte at this distance from the end. */
function changedAt(bytes: Buffer, fromEnd: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[changed.length - fromEnd] = (changed.at(-fromEnd) ?? 0) ^ 1;
  return changed;
}

test.each([
  ['gzip with a wrong checksum', 'gzip', changedAt(gzipSync(text), 8), 'checksum'],
  ['gzip with a wrong length', 'gzip', changedAt(gzipSync(text), 1), 'checksum'],
  ['gzip with trailing zeros', 'gzip', Buffer.concat([gzipSync(text), Buffer.alloc(600)]), 'trailing'],
  ['gzip with trailing bytes', 'gzip', Buffer.concat([gzipSync(text), bytesOf('junk')]), 'trailing'],
  ['truncated gzip', 'gzip', gzipSync(text).subarray(0, -20), 'ends-early'],
  ['gzip with a truncated checksum', 'gzip', gzipSync(text).subarray(0, -3), 'ends-early'],
  ['Zstandard with its checksum', 'zstd', checkedZstd(text), null],
  ['Zstandard with a wrong checksum', 'zstd', changedAt(checkedZstd(text), 1), 'checksum'],
  [
    'Zstandard with trailing bytes',
    'zstd',
    Buffer.concat([zstdCompressSync(text), bytesOf('junk of ten')]),
    'trailing',
  ],
] as const)('%s is decompressed with a remark', async (_, compression, bytes, remark) => {
  const { bytes: found, remark: foundRemark } = await unpacked(bytes, compression);
  expect(foundRemark).toBe(remark);
  const whole = remark === 'ends-early' ? text.subarray(0, found.length) : text;
  expect(Buffer.from(found).equals(whole)).toBe(true);
});

test('a skippable frame before other bytes than Zstandard is refused', async () => {
  const lz4 = Buffer.from('504d2a18040000000102030404224d1868', 'hex');
  await expect(unpacked(Buffer.concat([lz4, Buffer.alloc(20)]), 'zstd')).rejects.toThrow('no Zstandard');
});

test('Zstandard of any length matches its checksum', async () => {
  for (const length of [0, 1, 3, 4, 7, 8, 12, 31, 32, 33, 100, 5000]) {
    const { remark } = await unpacked(checkedZstd(text.subarray(0, length)), 'zstd');
    expect([length, remark]).toEqual([length, null]);
  }
});

const head = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, 4096);

test.each([
  ['gzip', gzipSync(text), 'gzip'],
  ['gzip', text, null],
  ['x-gzip', zstdCompressSync(text), 'zstd'],
  ['zstd', text, null],
  ['br', text, null],
  ['br', gzipSync(text), 'gzip'],
  ['br', brotliCompressSync(text), 'brotli'],
  ['deflate', deflateSync(text), 'zlib'],
  ['deflate', deflateRawSync(text), 'deflate'],
  ['deflate', text, null],
  ['utf-8', text, null],
  ['base64', Buffer.from(text.toString('base64')), null],
] as const)(
  'bytes with Content-Encoding %s are decompressed by their real format',
  (coding, bytes, compression) => {
    expect(compressionOfCoding(coding, head(bytes))).toBe(compression);
  },
);

test('text labelled as Brotli is refused instead of shown as empty', async () => {
  await expect(unpacked(Buffer.from('a sentence that Brotli did not write'), 'brotli')).rejects.toThrow(
    Error,
  );
});
