import { BadFormat } from '../frame/bytes.ts';

/** Limit of nesting. Valid Parquet metadata is some eight levels deep. */
const deepest = 32;
const longestNumberBytes = 10;

/**
 * Skips a structure in Thrift's compact protocol and returns its end. Throws BadFormat if a list claims more elements than bytes
 * remain, since the decoder would allocate the list before reading it.
 */
export function structEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  const byte = (): number => {
    const value = bytes[at];
    if (value === undefined) throw new BadFormat('A structure ends too early.');
    at += 1;
    return value;
  };
  const number = (): number => {
    let value = 0;
    for (let length = 0; length < longestNumberBytes; length += 1) {
      const next = byte();
      value += (next & 0x7f) * 2 ** (7 * length);
      if (next < 0x80) return value;
    }
    throw new BadFormat('A number is too long.');
  };
  const skip = (length: number): void => {
    if (length > bytes.length - at) throw new BadFormat('A structure claims more bytes than there are.');
    at += length;
  };
  const element = (type: number, depth: number, isInList: boolean): void => {
    if (depth > deepest) throw new BadFormat('A structure is nested too deeply.');
    switch (type) {
      case 1:
      case 2:
        // A boolean takes a byte in a list. In a structure, its type is its value.
        if (isInList) skip(1);
        break;
      case 3:
        skip(1);
        break;
      case 4:
      case 5:
      case 6:
        number();
        break;
      case 7:
        skip(8);
        break;
      case 8:
        skip(number());
        break;
      case 9: {
        const head = byte();
        const size = head >> 4 === 15 ? number() : head >> 4;
        if (size > bytes.length - at)
          throw new BadFormat('A list claims more elements than there are bytes.');
        for (let index = 0; index < size; index += 1) element(head & 15, depth + 1, true);
        break;
      }
      case 12:
        struct(depth + 1);
        break;
      default:
        throw new BadFormat('A structure has a field of an unknown kind.');
    }
  };
  const struct = (depth: number): void => {
    for (;;) {
      const head = byte();
      if ((head & 15) === 0) return;
      if (head >> 4 === 0) number();
      element(head & 15, depth, false);
    }
  };
  struct(0);
  return at;
}
