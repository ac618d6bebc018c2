// POSIX.1-2017, pax, "ustar Interchange Format"; GNU tar, "Basic Tar Format".
export const blockBytes = 512;
export const slash = 0x2f;

/** The fields of one header block. */
export interface TarHeader {
  readonly type: string;
  /** The name of the entry, in an encoding that the header does not state. */
  readonly name: Uint8Array;
  /** The number of content bytes after the header. A negative number or NaN means that the header is damaged. */
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

export function readTarHeader(block: Uint8Array): TarHeader {
  const type = String.fromCharCode(block[156] ?? 0);
  const prefix = prefixOf(block);
  const plain = bytesBeforeZero(block.subarray(0, 100));
  return {
    type,
    name: prefix.length === 0 ? plain : Uint8Array.from([...prefix, slash, ...plain]),
    sizeBytes: tarNumber(block, 124, 12),
    modifiedMs: tarNumber(block, 136, 12) * 1000,
  };
}

/** Returns true if a block is a header, which holds the sum of its bytes. Writers add the bytes as signed or unsigned. */
export function isHeader(block: Uint8Array): boolean {
  if (block.length < blockBytes) return false;
  let unsigned = 0;
  let signed = 0;
  for (let at = 0; at < blockBytes; at += 1) {
    const byte = at >= 148 && at < 156 ? 32 : (block[at] ?? 0);
    unsigned += byte;
    signed += byte < 128 ? byte : byte - 256;
  }
  const sum = Number.parseInt(tarField(block, 148, 8).trim(), 8);
  return sum === unsigned || sum === signed;
}

/** Returns the first part of a long name, which ustar and star store apart. GNU tar uses these bytes for other fields. */
function prefixOf(block: Uint8Array): Uint8Array {
  if (tarField(block, 257, 5) !== 'ustar' || block[262] !== 0) return new Uint8Array();
  const isStar = tarField(block, 508, 4) === 'tar';
  return bytesBeforeZero(block.subarray(345, 345 + (isStar ? 131 : 155)));
}

export function tarField(block: Uint8Array, at: number, length: number): string {
  return new TextDecoder().decode(bytesBeforeZero(block.subarray(at, at + length)));
}

export function bytesBeforeZero(bytes: Uint8Array): Uint8Array {
  const zero = bytes.indexOf(0);
  return zero < 0 ? bytes : bytes.subarray(0, zero);
}

/** Reads octal digits, or the binary form that GNU tar uses for larger numbers. */
export function tarNumber(block: Uint8Array, at: number, length: number): number {
  const first = block[at] ?? 0;
  if ((first & 0x80) === 0) {
    const digits = tarField(block, at, length).trim();
    return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : 0;
  }
  // The bit below the marker bit is the sign.
  let value = (first & 0x40) === 0 ? first & 0x3f : (first & 0x3f) - 0x40;
  for (let place = at + 1; place < at + length; place += 1) value = value * 256 + (block[place] ?? 0);
  return Number.isSafeInteger(value) ? value : value < 0 ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
}
