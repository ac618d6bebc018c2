import { assertNever } from '../../../shared/assert-never.ts';

type Value =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'short'; readonly number: number }
  | { readonly kind: 'long'; readonly number: number }
  | { readonly kind: 'byte'; readonly number: number }
  | { readonly kind: 'ratio'; readonly ratios: readonly (readonly [number, number])[] };

export interface ExifTags {
  readonly main?: Readonly<Record<number, Value>>;
  readonly exif?: Readonly<Record<number, Value>>;
  readonly gps?: Readonly<Record<number, Value>>;
  /** The thumbnail as a JPEG. */
  readonly thumbnail?: Uint8Array;
}

const types = { byte: 1, text: 2, short: 3, long: 4, ratio: 5 } as const;

/** Builds EXIF data as stored in a JPEG: a little-endian TIFF of directories. */
export function exifBytes({ main = {}, exif, gps, thumbnail }: ExifTags): Buffer {
  const head = Buffer.from('II*\0\x08\0\0\0', 'latin1');
  const pointers = (Number(exif !== undefined) + Number(gps !== undefined)) as 0 | 1 | 2;
  const mainSize = sizeOf(main) + pointers * 12;
  const exifAt = head.length + mainSize;
  const gpsAt = exifAt + (exif === undefined ? 0 : sizeOf(exif));
  const secondAt = gpsAt + (gps === undefined ? 0 : sizeOf(gps));
  const second = {
    0x103: { kind: 'short', number: 6 },
    0x201: { kind: 'long', number: 0 },
    0x202: { kind: 'long', number: thumbnail?.length ?? 0 },
  } satisfies Record<number, Value>;
  const thumbnailAt = secondAt + sizeOf(second);
  const all = {
    ...main,
    ...(exif === undefined ? {} : { 0x8769: { kind: 'long', number: exifAt } as const }),
    ...(gps === undefined ? {} : { 0x8825: { kind: 'long', number: gpsAt } as const }),
  };
  return Buffer.concat([
    head,
    directory(all, head.length, thumbnail === undefined ? 0 : secondAt),
    ...(exif === undefined ? [] : [directory(exif, exifAt, 0)]),
    ...(gps === undefined ? [] : [directory(gps, gpsAt, 0)]),
    ...(thumbnail === undefined
      ? []
      : [directory({ ...second, 0x201: { kind: 'long', number: thumbnailAt } }, secondAt, 0), thumbnail]),
  ]);
}

/** Inserts EXIF data as the first segment of a JPEG. */
export function withExif(jpeg: Uint8Array, tags: ExifTags): Buffer {
  const exif = exifBytes(tags);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0xffe1);
  head.writeUInt16BE(exif.length + 8, 2);
  return Buffer.concat([
    jpeg.subarray(0, 2),
    head,
    Buffer.from('Exif\0\0', 'latin1'),
    exif,
    jpeg.subarray(2),
  ]);
}

function directory(tags: Readonly<Record<number, Value>>, at: number, next: number): Buffer {
  const entries = Object.entries(tags).toSorted(([leftTag], [other]) => Number(leftTag) - Number(other));
  const table = Buffer.alloc(2 + entries.length * 12 + 4);
  const rest: Buffer[] = [];
  let free = at + table.length;
  table.writeUInt16LE(entries.length);
  for (const [index, [tag, value]] of entries.entries()) {
    const [count, bytes] = packed(value);
    const place = 2 + index * 12;
    table.writeUInt16LE(Number(tag), place);
    table.writeUInt16LE(types[value.kind], place + 2);
    table.writeUInt32LE(count, place + 4);
    if (bytes.length <= 4) bytes.copy(table, place + 8);
    else {
      table.writeUInt32LE(free, place + 8);
      rest.push(bytes);
      free += bytes.length;
    }
  }
  table.writeUInt32LE(next, table.length - 4);
  return Buffer.concat([table, ...rest]);
}

function sizeOf(tags: Readonly<Record<number, Value>>): number {
  const values = Object.values(tags).map((value) => packed(value)[1].length);
  return 6 + values.length * 12 + values.reduce((sum, length) => sum + (length > 4 ? length : 0), 0);
}

function packed(value: Value): readonly [count: number, bytes: Buffer] {
  switch (value.kind) {
    case 'text': {
      const bytes = Buffer.from(`${value.text}\0`);
      return [bytes.length, bytes];
    }
    case 'byte':
      return [1, Buffer.from([value.number])];
    case 'short': {
      const bytes = Buffer.alloc(2);
      bytes.writeUInt16LE(value.number);
      return [1, bytes];
    }
    case 'long': {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32LE(value.number);
      return [1, bytes];
    }
    case 'ratio':
      return packedRatios(value.ratios);
    default:
      return assertNever(value);
  }
}

function packedRatios(ratios: readonly (readonly [number, number])[]): readonly [number, Buffer] {
  const bytes = Buffer.alloc(ratios.length * 8);
  for (const [index, [above, below]] of ratios.entries()) {
    bytes.writeUInt32LE(above, index * 8);
    bytes.writeUInt32LE(below, index * 8 + 4);
  }
  return [ratios.length, bytes];
}
