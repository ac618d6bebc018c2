/** An icon in one size. Both formats contain plain PNGs, so neither needs a library. */
export interface Picture {
  readonly size: number;
  readonly png: Buffer;
}

/** Returns a Windows icon: ICONDIR, one ICONDIRENTRY of 16 bytes per picture, then the pictures. A side of 256 is stored as 0. */
export function icoOf(pictures: readonly Picture[]): Buffer {
  const header = Buffer.alloc(6 + 16 * pictures.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = header.length;
  for (const [index, { size, png }] of pictures.entries()) {
    if (size > 256) throw new RangeError(`An .ico cannot contain a picture of ${String(size)} pixels.`);
    const at = 6 + 16 * index;
    header.writeUInt8(size % 256, at);
    header.writeUInt8(size % 256, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(png.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...pictures.map(({ png }) => png)]);
}

/** The .icns types for a PNG of each side length. Some sizes have a second type: the retina form of half the size. */
const icnsTypes: Readonly<Record<number, readonly string[]>> = {
  16: ['icp4'],
  32: ['icp5', 'ic11'],
  64: ['icp6', 'ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10'],
};

export function icnsOf(pictures: readonly Picture[]): Buffer {
  const blocks = pictures.flatMap(({ size, png }) => {
    const types = icnsTypes[size];
    if (types === undefined) throw new RangeError(`An .icns has no picture of ${String(size)} pixels.`);
    return types.map((type) => block(type, png));
  });
  return block('icns', Buffer.concat(blocks));
}

function block(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(8 + content.length, 4);
  return Buffer.concat([head, content]);
}
