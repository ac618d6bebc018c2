import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The fields of an entry that its local header and the central directory both contain. */
export interface ZipHeader {
  readonly name: string;
  readonly crc: number;
  readonly packedBytes: number;
  readonly sizeBytes: number;
  /** The offset of the entry's local file header, in bytes. */
  readonly offset: number;
  /** The compression method (APPNOTE 4.4.5): 0 for stored, 8 for deflated. */
  readonly method: number;
}

/** Builds a zip archive (PKWARE APPNOTE 6.3.10). Compresses files if that makes them smaller. */
export function zipOf(files: readonly ZipFile[], modifiedMs: number): Buffer {
  const headers: ZipHeader[] = [];
  const pieces: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const deflated = deflateRawSync(bytes);
    const isPacked = deflated.byteLength < bytes.byteLength;
    const content = isPacked ? deflated : bytes;
    const header: ZipHeader = {
      name,
      crc: crc32(bytes),
      packedBytes: content.byteLength,
      sizeBytes: bytes.byteLength,
      offset,
      method: isPacked ? 8 : 0,
    };
    const local = zipLocalHeader(header, modifiedMs);
    headers.push(header);
    pieces.push(local, content);
    offset += local.byteLength + content.byteLength;
  }
  return Buffer.concat([...pieces, zipDirectory(headers, offset, modifiedMs)]);
}

/** Returns a local file header and the name (APPNOTE 4.3.7). */
export function zipLocalHeader(header: ZipHeader, modifiedMs: number): Buffer {
  const name = Buffer.from(header.name);
  const fixed = Buffer.alloc(30);
  fixed.writeUInt32LE(0x04034b50, 0);
  fixed.writeUInt16LE(20, 4);
  common(header, modifiedMs).copy(fixed, 6);
  fixed.writeUInt16LE(name.byteLength, 26);
  return Buffer.concat([fixed, name]);
}

/** Returns the central directory and its end record (APPNOTE 4.3.12 and 4.3.16). */
export function zipDirectory(headers: readonly ZipHeader[], offset: number, modifiedMs: number): Buffer {
  const entries = headers.map((header) => {
    const name = Buffer.from(header.name);
    const fixed = Buffer.alloc(46);
    fixed.writeUInt32LE(0x02014b50, 0);
    fixed.writeUInt16LE(20, 4);
    fixed.writeUInt16LE(20, 6);
    common(header, modifiedMs).copy(fixed, 8);
    fixed.writeUInt16LE(name.byteLength, 28);
    fixed.writeUInt32LE(header.offset, 42);
    return Buffer.concat([fixed, name]);
  });
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(headers.length, 8);
  end.writeUInt16LE(headers.length, 10);
  end.writeUInt32LE(directory.byteLength, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([directory, end]);
}

/** Returns the fields that both headers have, from the flags to the uncompressed size. */
function common({ crc, packedBytes, sizeBytes, method }: ZipHeader, modifiedMs: number): Buffer {
  const time = new Date(modifiedMs);
  const part = Buffer.alloc(20);
  // This flag marks names as UTF-8.
  part.writeUInt16LE(0x800, 0);
  part.writeUInt16LE(method, 2);
  part.writeUInt16LE((time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1), 4);
  part.writeUInt16LE(((time.getFullYear() - 1980) << 9) | ((time.getMonth() + 1) << 5) | time.getDate(), 6);
  part.writeUInt32LE(crc, 8);
  part.writeUInt32LE(packedBytes, 12);
  part.writeUInt32LE(sizeBytes, 16);
  return part;
}
