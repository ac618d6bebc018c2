import { BadFormat, viewOf } from '../frame/bytes.ts';

/** Decompresses LZ4 frames into exactly `sizeBytes` bytes: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md. */
export function unpackLz4(input: Uint8Array, sizeBytes: number): Uint8Array {
  const output = new Uint8Array(sizeBytes);
  const view = viewOf(input);
  let at = 0;
  let filled = 0;
  while (at < input.length && filled < sizeBytes) {
    if (view.getUint32(at, true) !== 0x184d2204) throw new BadFormat('This is no LZ4 frame.');
    const flags = view.getUint8(at + 4);
    const hasBlockSums = (flags & 0x10) !== 0;
    // Skips the size of the content, the id of a dictionary, and the checksum byte of the header.
    at += 7 + ((flags & 0x08) === 0 ? 0 : 8) + ((flags & 0x01) === 0 ? 0 : 4);
    for (;;) {
      const size = view.getUint32(at, true);
      at += 4;
      if (size === 0) break;
      const length = size & 0x7fffffff;
      if (length > input.length - at) throw new BadFormat('An LZ4 block ends too early.');
      const block = input.subarray(at, at + length);
      if (size >>> 31 === 1) {
        if (length > sizeBytes - filled) throw new BadFormat('The LZ4 frame has more bytes than announced.');
        output.set(block, filled);
        filled += length;
      } else filled = unpackBlock(block, output, filled);
      at += length + (hasBlockSums ? 4 : 0);
    }
    if ((flags & 0x04) !== 0) at += 4;
  }
  if (filled !== sizeBytes) throw new BadFormat('The LZ4 frame has fewer bytes than announced.');
  return output;
}

/** Decompresses a block, which may refer to the output of earlier blocks. */
function unpackBlock(input: Uint8Array, output: Uint8Array, start: number): number {
  let at = 0;
  let filled = start;
  const byte = (): number => {
    const value = input[at];
    if (value === undefined) throw new BadFormat('An LZ4 block ends too early.');
    at += 1;
    return value;
  };
  const lengthFrom = (first: number): number => {
    let length = first;
    if (first !== 15) return length;
    for (;;) {
      const more = byte();
      length += more;
      if (more !== 255) return length;
    }
  };
  while (at < input.length) {
    const token = byte();
    const literals = lengthFrom(token >> 4);
    if (literals > input.length - at || literals > output.length - filled)
      throw new BadFormat('The LZ4 frame has more bytes than announced.');
    output.set(input.subarray(at, at + literals), filled);
    at += literals;
    filled += literals;
    if (at >= input.length) break;
    const back = byte() | (byte() << 8);
    const length = lengthFrom(token & 15) + 4;
    if (back === 0 || back > filled || length > output.length - filled)
      throw new BadFormat('An LZ4 match starts before the output.');
    if (back >= length) output.copyWithin(filled, filled - back, filled - back + length);
    else
      for (let copied = 0; copied < length; copied += 1)
        output[filled + copied] = output[filled + copied - back] ?? 0;
    filled += length;
  }
  return filled;
}
