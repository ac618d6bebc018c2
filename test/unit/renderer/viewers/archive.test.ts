import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  zipDirectory,
  zipLocalHeader,
  zipOf,
  type ZipHeader,
  tarOf,
} from '../../../../electron/service/samples/sample-files.ts';
import {
  EncryptedDirectory,
  TooLarge,
  type ArchiveEntry,
} from '../../../../renderer/features/viewers/archive/archive.ts';
import { BadFormat } from '../../../../renderer/features/viewers/frame/bytes.ts';
import { escapesFolder, safeFileName } from '../../../../renderer/features/viewers/archive/entry-names.ts';
import { unpack } from '../../../../renderer/features/viewers/packed/unpack.ts';
import { tarReader } from '../../../../renderer/features/viewers/archive/tar.ts';
import { readZip } from '../../../../renderer/features/viewers/archive/zip.ts';
import { memorySource, type RangeSource } from '../../../../renderer/features/viewers/frame/range-source.ts';
import { countedSource } from '../../../support/counted-source.ts';
import { tarOfExtras } from '../../../support/hostile/archives.ts';
import { readSparse, type SparseFile } from '../../../support/files/sparse-file.ts';
import { sparseZip } from '../../../support/files/sparse-zip.ts';

const { signal } = new AbortController();
const modifiedMs = new Date(2026, 4, 9, 6, 30).getTime();
const files = [
  { name: 'a/read me.txt', bytes: Buffer.from('hello\n'.repeat(100)) },
  { name: 'ж.bin', bytes: Buffer.from([1, 2, 3]) },
];

function inMemory(bytes: Uint8Array): RangeSource {
  return memorySource(new Uint8Array(bytes));
}

async function contentOf(entry: ArchiveEntry | undefined): Promise<Buffer> {
  if (entry === undefined) throw new Error('There is no such entry.');
  const { source } = await entry.open(signal);
  return Buffer.from(await source.read(0, source.sizeBytes, signal));
}

function cachedSparse(file: SparseFile) {
  return countedSource(file.sizeBytes, (offset, length) => readSparse(file, offset, length));
}

/** Lists an archive and opens all entries. Returns null if there were no more entries than the bytes can contain. */
async function listAll(kind: 'zip' | 'tar', bytes: Buffer): Promise<null> {
  const reader = tarReader(inMemory(bytes));
  if (kind === 'tar') await reader.more(signal, 1000);
  const entries = kind === 'zip' ? (await readZip(inMemory(bytes), signal)).entries : reader.entries;
  if (entries.length > 2 + bytes.length / 46) throw new Error('There are more entries than bytes for them.');
  for (const entry of entries) await contentOf(entry).catch(() => null);
  return null;
}

/** Returns an archive of one entry with arbitrary header values. */
function craftedZip(fields: Partial<ZipHeader>, content: Buffer): Buffer {
  const header: ZipHeader = {
    name: 'x',
    crc: 0,
    packedBytes: content.byteLength,
    sizeBytes: content.byteLength,
    offset: 0,
    method: 8,
    ...fields,
  };
  const local = zipLocalHeader(header, modifiedMs);
  return Buffer.concat([
    local,
    content,
    zipDirectory([header], local.byteLength + content.byteLength, modifiedMs),
  ]);
}

test.each([
  ['alone', (zip: Buffer) => zip],
  ['behind a self-extractor', (zip: Buffer) => Buffer.concat([Buffer.alloc(5000, 0x90), zip])],
])('a zip %s is read with names, times and contents', async (_, change) => {
  const { entries, state } = await readZip(inMemory(change(zipOf(files, modifiedMs))), signal);
  expect(state).toBe('whole');
  expect(entries.map(({ name, sizeBytes, modifiedMs: at }) => [name, sizeBytes, at])).toEqual([
    ['a/read me.txt', 600, modifiedMs],
    ['ж.bin', 3, modifiedMs],
  ]);
  for (const [at, { bytes }] of files.entries())
    expect((await contentOf(entries[at])).equals(bytes)).toBe(true);
});

test('a large zip is listed, and a file at its end opened, with a few requests', async () => {
  const { source, counts } = cachedSparse(sparseZip());
  const { entries } = await readZip(source, signal);
  expect(entries).toHaveLength(5002);
  expect((await contentOf(entries.at(-1))).toString()).toBe('{"file":4999}');
  const large = (await entries[1]?.open(signal))?.source;
  expect(await large?.read(500_000_000, 10, signal)).toEqual(new Uint8Array(10));
  expect(counts.requests).toBeLessThan(10);
  expect(counts.bytes).toBeLessThan(2_000_000);
});

test('an entry that expands beyond its size is refused, and one of huge size is not read', async () => {
  const bomb = deflateRawSync(Buffer.alloc(200 * 1024 * 1024));
  const [small] = (await readZip(inMemory(craftedZip({ sizeBytes: 10 }, bomb)), signal)).entries;
  await expect(contentOf(small)).rejects.toThrow(BadFormat);
  const [huge] = (await readZip(inMemory(craftedZip({ sizeBytes: 0xfffffffe }, bomb)), signal)).entries;
  await expect(contentOf(huge)).rejects.toThrow(TooLarge);
});

test('an entry whose offset contradicts the directory, or is beyond the file, is refused', async () => {
  const content = deflateRawSync(Buffer.from('x'));
  for (const fields of [{ offset: 5 }, { offset: 0xfffffff0 }, { packedBytes: 0x7fffffff }]) {
    const [entry] = (await readZip(inMemory(craftedZip(fields, content)), signal)).entries;
    await expect(contentOf(entry)).rejects.toThrow(BadFormat);
  }
});

test.each([
  ['deflated', 8],
  ['stored', 0],
] as const)('a %s entry with a wrong checksum is shown and marked as damaged', async (_, method) => {
  const text = Buffer.from('Low water at ten past six.');
  const content = method === 8 ? deflateRawSync(text) : text;
  for (const [crc, isDamaged] of [
    [crc32(text), false],
    [crc32(text) ^ 1, true],
  ] as const) {
    const fields = { method, crc: crc >>> 0, sizeBytes: text.length, packedBytes: content.length };
    const [entry] = (await readZip(inMemory(craftedZip(fields, content)), signal)).entries;
    const opened = await entry?.open(signal);
    expect(opened?.isDamaged).toBe(isDamaged);
    expect(await contentOf(entry)).toEqual(text);
  }
});

test.each([
  [
    'bzip2',
    12,
    Buffer.from(
      'QlpoOTFBWSZTWSWhCFoAAAMVgEABAAQiIdzAIAAiJ6TJo2moQAAPUWxcyolkblwYDhOvi7kinChIEtCELQA=',
      'base64',
    ),
  ],
  ['Zstandard', 93, zstdCompressSync('Low water at ten past six.')],
  [
    'xz',
    95,
    Buffer.from(
      '/Td6WFoAAAFpIt42AgAhARYAAAB0L+WjAQAZTG93IHdhdGVyIGF0IHRlbiBwYXN0IHNpeC4AAACsfPcZAAEuGn1F49aQQpkNAQAAAAABWVo=',
      'base64',
    ),
  ],
] as const)(
  'an entry of %s is shown within its stated size, and a wrong checksum is marked',
  async (_, method, content) => {
    const text = Buffer.from('Low water at ten past six.');
    const header = { method, crc: crc32(text), sizeBytes: text.length, packedBytes: content.length };
    const open = async (changes: Partial<ZipHeader>): Promise<ArchiveEntry> => {
      const bytes = craftedZip({ ...header, ...changes }, content);
      const [entry] = (await readZip(inMemory(bytes), signal, null, unpack)).entries;
      if (entry === undefined) throw new Error('There is no entry.');
      return entry;
    };
    const whole = await open({});
    expect(whole.closed).toBeNull();
    expect(await contentOf(whole)).toEqual(text);
    expect((await whole.open(signal)).isDamaged).toBe(false);
    expect((await (await open({ crc: 1 })).open(signal)).isDamaged).toBe(true);
    for (const sizeBytes of [5, 50])
      await expect(contentOf(await open({ sizeBytes }))).rejects.toThrow(BadFormat);
    await expect(contentOf(await open({ sizeBytes: 0xfffffffe }))).rejects.toThrow(TooLarge);
  },
);

test('a stored entry shows no more than its stated size', async () => {
  const content = Buffer.from('shown, and hidden');
  const fields = { method: 0, sizeBytes: 5, packedBytes: content.length } as const;
  const [entry] = (await readZip(inMemory(craftedZip(fields, content)), signal)).entries;
  expect((await contentOf(entry)).toString()).toBe('shown');
  expect((await entry?.open(signal))?.isDamaged).toBe(true);
});

test('a zip64 archive behind a self-extractor is listed', async () => {
  const plain = zipOf(files, modifiedMs);
  const end = plain.subarray(-22);
  const start = end.readUInt32LE(16);
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeBigUInt64LE(BigInt(files.length), 32);
  end64.writeBigUInt64LE(BigInt(end.readUInt32LE(12)), 40);
  end64.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(plain.length - 22), 8);
  const zip64 = Buffer.concat([plain.subarray(0, -22), end64, locator, end]);
  for (const bytes of [zip64, Buffer.concat([Buffer.alloc(5000, 0x90), zip64])]) {
    const { entries } = await readZip(inMemory(bytes), signal);
    expect(entries).toHaveLength(files.length);
    expect((await contentOf(entries[0])).length).toBe(entries[0]?.sizeBytes);
  }
});

test('a zip with an encrypted directory is not called damaged', async () => {
  const plain = zipOf(files, modifiedMs);
  const end = plain.subarray(-22);
  const [start, sizeBytes] = [end.readUInt32LE(16), end.readUInt32LE(12)];
  const end64 = Buffer.alloc(88);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(76n, 4);
  end64.writeUInt16LE(62, 14);
  end64.writeBigUInt64LE(BigInt(files.length), 32);
  end64.writeBigUInt64LE(BigInt(sizeBytes), 40);
  end64.writeBigUInt64LE(BigInt(start), 48);
  // AES with 256 bits (APPNOTE 7.2.3.2).
  end64.writeUInt16LE(0x6610, 74);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(plain.length - 22), 8);
  const encrypted = Buffer.concat([
    plain.subarray(0, start),
    Buffer.alloc(sizeBytes, 0xa7),
    end64,
    locator,
    end,
  ]);
  await expect(readZip(inMemory(encrypted), signal)).rejects.toThrow(EncryptedDirectory);
});

test('a zip directory with fewer entries than promised is marked as truncated', async () => {
  const zip = zipOf(files, modifiedMs);
  zip.writeUInt16LE(60_000, zip.byteLength - 12);
  const { entries, state } = await readZip(inMemory(zip), signal);
  expect(entries).toHaveLength(2);
  expect(state).toBe('cut');
});

test('a tar is listed with names and contents, and read only as far as needed', async () => {
  const many = Array.from({ length: 300 }, (_, at) => ({
    name: `${String(at)}.txt`,
    bytes: Buffer.from(String(at)),
  }));
  const reader = tarReader(inMemory(tarOf(many, modifiedMs)));
  await reader.more(signal, 40);
  expect(reader.entries).toHaveLength(40);
  expect(reader.state).toBe('open');
  await reader.more(signal, 1000);
  expect(reader.state).toBe('whole');
  expect(reader.entries.map(({ name }) => name)).toEqual(many.map(({ name }) => name));
  expect((await contentOf(reader.entries[299])).toString()).toBe('299');
});

test('a tar of endless long headers is not read to its end', async () => {
  const tar = tarOfExtras();
  const { source, counts } = countedSource(tar.byteLength, (offset, length) =>
    tar.subarray(offset, offset + length),
  );
  await expect(tarReader(source).more(signal, 40)).rejects.toThrow(BadFormat);
  expect(counts.bytes).toBeLessThan(200_000);
});

test.each(['zip', 'tar'] as const)(
  'a truncated or altered %s ends in a list or BadFormat, within bounds',
  async (kind) => {
    const whole = kind === 'zip' ? zipOf(files, modifiedMs) : tarOf(files, modifiedMs);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length),
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 8 }),
        async (length, changes) => {
          const bytes = Buffer.from(whole.subarray(0, length));
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
          const thrown = await listAll(kind, bytes).catch((error: unknown) => error);
          expect(thrown === null || thrown instanceof BadFormat).toBe(true);
        },
      ),
      { numRuns: 400 },
    );
  },
);

test.each([
  ['../../etc/passwd', 'passwd', true],
  ['/etc/shadow', 'shadow', true],
  ['C:\\Windows\\evil.exe', 'evil.exe', true],
  ['a/..\\..\\b.txt', 'b.txt', true],
  ['..', 'entry', true],
  ['', 'entry', false],
  ['con.txt', '_con.txt', false],
  ['photo\u202egnp.exe', 'photo_gnp.exe', false],
  ['plain/file.txt', 'file.txt', false],
] as const)('the file name %j is saved as %j', (name, saved, isOut) => {
  expect(safeFileName(name)).toBe(saved);
  expect(escapesFolder(name)).toBe(isOut);
});

test("a saved file's name never leaves its folder, for any name", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('.', '/', '\\', ':', 'a', '\0', '\u202e', ' ', '\ud800') }),
      (name) => {
        expect(safeFileName(name)).toMatch(/^[^/\\:\0\u202e]+$/u);
        expect(safeFileName(name)).not.toMatch(/^\.+$|[. ]$/);
      },
    ),
  );
});
