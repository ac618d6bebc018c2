import { BadTiff } from './tiff-errors.ts';

/** The numbers in a TIFF directory by tag. Only tags that affect how the image is drawn are kept. */
export type TiffDirectory = ReadonlyMap<number, readonly number[]>;

const drawn: ReadonlySet<number> = new Set([
  256, 257, 258, 259, 262, 266, 273, 274, 277, 278, 279, 284, 292, 317, 320, 322, 323, 324, 325, 338, 339,
  347,
]);
const typeBytes: Readonly<Record<number, 1 | 2 | 4>> = { 1: 1, 3: 2, 4: 4, 7: 1, 13: 4 };
const maxPages = 1000;

/**
 * Reads the directories of a TIFF (TIFF 6.0, section 2). Never reads beyond the end of a damaged file, and stops after a thousand
 * directories or when they repeat.
 */
export function tiffDirectories(bytes: Uint8Array): readonly TiffDirectory[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = bytes[0] === 0x49;
  const short = (at: number): number => (at + 2 <= bytes.length ? view.getUint16(at, isLittle) : bad());
  const long = (at: number): number => (at + 4 <= bytes.length ? view.getUint32(at, isLittle) : bad());
  const numbers = (entry: number): readonly number[] => {
    const size = typeBytes[short(entry + 2)];
    const count = long(entry + 4);
    if (size === undefined) return bad();
    const at = count * size <= 4 ? entry + 8 : long(entry + 8);
    if (at + count * size > bytes.length) return bad();
    return Array.from({ length: count }, (_, index) => {
      const place = at + index * size;
      return size === 1 ? view.getUint8(place) : size === 2 ? short(place) : long(place);
    });
  };
  const found: TiffDirectory[] = [];
  const seen = new Set<number>();
  for (let at = long(4); at !== 0 && !seen.has(at) && found.length < maxPages;) {
    seen.add(at);
    const count = short(at);
    const directory = new Map<number, readonly number[]>();
    for (let index = 0; index < count; index += 1) {
      const entry = at + 2 + index * 12;
      if (drawn.has(short(entry))) directory.set(short(entry), numbers(entry));
    }
    found.push(directory);
    at = long(at + 2 + count * 12);
  }
  return found;
}

function bad(): never {
  throw new BadTiff('The directories of the image are damaged.');
}
