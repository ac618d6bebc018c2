/** Tags of TIFF entries: 258 bits, 259 compression, 262 colors, 277 samples, 317 predictor, 338 extra samples, 339 sample format. */
export type TiffEntries = Readonly<Record<number, number | readonly number[]>>;

interface SmallTiff {
  readonly width: number;
  readonly height?: number;
  /** The stored bytes of each strip. One strip contains the whole image or one of its planes. */
  readonly strips: readonly (readonly number[] | Uint8Array)[];
  readonly entries: TiffEntries;
  readonly isBigEndian?: boolean;
  /** BigTIFF, with offsets of eight bytes. */
  readonly isBig?: boolean;
}

/** Builds a TIFF of a few pixels, whose entries are numbers of four bytes. */
export function smallTiff(wanted: SmallTiff): Uint8Array<ArrayBuffer> {
  const { width, height = 1, strips, isBigEndian = false, isBig = false } = wanted;
  const parts: Buffer[] = [];
  let size = isBig ? 16 : 8;
  const add = (part: Uint8Array): number => {
    const at = size;
    parts.push(Buffer.from(part));
    size += part.length;
    return at;
  };
  const number = (value: number, bytes: 2 | 4 | 8): Uint8Array => {
    const buffer = Buffer.alloc(bytes);
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value));
    else buffer.writeUIntLE(value, 0, bytes);
    return isBigEndian ? buffer.toReversed() : buffer;
  };
  const offsetBytes = isBig ? 8 : 4;
  const offsets = strips.map((strip) => add(Uint8Array.from(strip)));
  const entries = Object.entries({
    256: width,
    257: height,
    273: offsets,
    279: strips.map((strip) => strip.length),
    ...wanted.entries,
  }).map(([tag, values]) => {
    const all = [values].flat();
    const content = Buffer.concat(all.map((value) => number(value, 4)));
    const place =
      content.length <= offsetBytes
        ? Buffer.concat([content, Buffer.alloc(offsetBytes - content.length)])
        : number(add(content), offsetBytes);
    return Buffer.concat([number(Number(tag), 2), number(4, 2), number(all.length, offsetBytes), place]);
  });
  const directory = add(
    Buffer.concat([number(entries.length, isBig ? 8 : 2), ...entries, number(0, offsetBytes)]),
  );
  const head = Buffer.concat([
    Buffer.from(isBigEndian ? 'MM' : 'II'),
    ...(isBig ? [number(43, 2), number(8, 2), number(0, 2)] : [number(42, 2)]),
    number(directory, offsetBytes),
  ]);
  return Uint8Array.from(Buffer.concat([head, ...parts]));
}
