import { crc32, deflateRawSync } from 'node:zlib';
import { zipDirectory, zipLocalHeader, type ZipHeader } from '../../../electron/service/samples/zip.ts';

/** A file made by a rule: some bytes at some places, and zeros between them. */
export interface SparseFile {
  readonly sizeBytes: number;
  readonly pieces: readonly { readonly at: number; readonly bytes: Uint8Array }[];
}

export function readSparse(file: SparseFile, offset: number, length: number): Buffer {
  const end = Math.min(offset + length, file.sizeBytes);
  const out = Buffer.alloc(Math.max(0, end - offset));
  for (const { at, bytes } of file.pieces) {
    const from = Math.max(at, offset);
    const to = Math.min(at + bytes.length, end);
    if (from < to) out.set(bytes.subarray(from - at, to - at), from - offset);
  }
  return out;
}

/** A zip of a gigabyte: a large stored file between small ones, with a directory of 5000 entries. */
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
    const local = zipLocalHeader(header, modifiedMs);
    headers.push(header);
    pieces.push({ at, bytes: Buffer.concat([local, content]) });
    at += local.byteLength + header.packedBytes;
  };
  add('first.txt', Buffer.from('The first file.\n'));
  add('large.bin', largeBytes);
  for (let file = 0; file < 5000; file += 1)
    add(`small/${String(file).padStart(4, '0')}.json`, Buffer.from(`{"file":${String(file)}}`));
  const directory = zipDirectory(headers, at, modifiedMs);
  pieces.push({ at, bytes: directory });
  return { sizeBytes: at + directory.byteLength, pieces };
}
