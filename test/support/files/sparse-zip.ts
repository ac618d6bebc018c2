import { crc32, deflateRawSync } from 'node:zlib';
import {
  zipDirectory,
  zipLocalHeader,
  type ZipHeader,
} from '../../../electron/service/samples/sample-files.ts';
import type { SparseFile } from './sparse-file.ts';

/** A field with this value means that the zip64 extra field has the real value. */
const most32 = 0xffff_ffff;
const endBytes = 22;

/** Builds a zip of a gigabyte or more: a large stored file between small ones, with a directory of 5000 entries. */
export function sparseZip(largeBytes = 1024 ** 3): SparseFile {
  const modifiedMs = Date.UTC(2026, 4, 9);
  const headers: ZipHeader[] = [];
  const pieces: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  let at = 0;
  const add = (name: string, bytes: Buffer | number): void => {
    const isLarge = typeof bytes === 'number';
    const content = isLarge ? Buffer.alloc(0) : deflateRawSync(bytes);
    const header: ZipHeader = {
      name,
      crc: isLarge ? 0 : crc32(bytes),
      packedBytes: isLarge ? bytes : content.byteLength,
      sizeBytes: isLarge ? bytes : bytes.byteLength,
      offset: at,
      method: isLarge ? 0 : 8,
    };
    const local = zipLocalHeader(capped(header), modifiedMs);
    headers.push(header);
    pieces.push({ at, bytes: Buffer.concat([local, content]) });
    at += local.byteLength + header.packedBytes;
  };
  add('first.txt', Buffer.from('The first file.\n'));
  add('large.bin', largeBytes);
  for (let file = 0; file < 5000; file += 1)
    add(`small/${String(file).padStart(4, '0')}.json`, Buffer.from(`{"file":${String(file)}}`));
  const directory =
    at > most32 ? zip64Directory(headers, at, modifiedMs) : zipDirectory(headers, at, modifiedMs);
  pieces.push({ at, bytes: directory });
  return { sizeBytes: at + directory.byteLength, pieces };
}

const capped = (header: ZipHeader): ZipHeader => ({
  ...header,
  packedBytes: Math.min(header.packedBytes, most32),
  sizeBytes: Math.min(header.sizeBytes, most32),
  offset: Math.min(header.offset, most32),
});

/** Builds the central directory and end records (APPNOTE 6.3.10, 4.3.12 with the extra field of 4.5.3, 4.3.14 to 4.3.16). */
function zip64Directory(headers: readonly ZipHeader[], offset: number, modifiedMs: number): Buffer {
  const entries = headers.map((header) => {
    const large = [header.sizeBytes, header.packedBytes, header.offset].filter((value) => value >= most32);
    const entry = zipDirectory([capped(header)], 0, modifiedMs).subarray(0, -endBytes);
    if (large.length === 0) return entry;
    const extra = Buffer.alloc(4 + 8 * large.length);
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(8 * large.length, 2);
    for (const [at, value] of large.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * at);
    entry.writeUInt16LE(extra.byteLength, 30);
    return Buffer.concat([entry, extra]);
  });
  const directory = Buffer.concat(entries);
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(45, 12);
  end64.writeUInt16LE(45, 14);
  end64.writeBigUInt64LE(BigInt(headers.length), 24);
  end64.writeBigUInt64LE(BigInt(headers.length), 32);
  end64.writeBigUInt64LE(BigInt(directory.byteLength), 40);
  end64.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + directory.byteLength), 8);
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(endBytes);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(0xffff, 8);
  end.writeUInt16LE(0xffff, 10);
  end.writeUInt32LE(most32, 12);
  end.writeUInt32LE(most32, 16);
  return Buffer.concat([directory, end64, locator, end]);
}
