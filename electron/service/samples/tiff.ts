import { deflateSync } from 'node:zlib';

export interface TiffPage {
  readonly width: number;
  readonly height: number;
  /** The red, green and blue of each pixel. */
  readonly rgb: Uint8Array;
  /** The TIFF tag Orientation, from 1 to 8. The default, 1, displays the pixels as stored. */
  readonly orientation?: number;
}

const [short, long] = [3, 4];

/** Builds a TIFF in which each page is one deflated strip (TIFF 6.0; compression 8 of its supplement). */
export function tiffOf(pages: readonly TiffPage[]): Buffer {
  const pieces: Buffer[] = [Buffer.from('II*\0\x08\0\0\0', 'latin1')];
  let at = 8;
  for (const [index, { width, height, rgb, orientation }] of pages.entries()) {
    const strip = deflateSync(rgb);
    const padded = Buffer.concat([strip, Buffer.alloc(strip.length % 2)]);
    const entries: readonly (readonly [tag: number, type: number, value: number])[] = [
      [0x100, long, width],
      [0x101, long, height],
      [0x102, short, 8],
      [0x103, short, 8],
      [0x106, short, 2],
      [0x111, long, 0],
      ...(orientation === undefined ? [] : ([[0x112, short, orientation]] as const)),
      [0x115, short, 3],
      [0x116, long, height],
      [0x117, long, strip.length],
    ];
    const directory = Buffer.alloc(2 + entries.length * 12 + 4);
    const end = at + directory.length;
    directory.writeUInt16LE(entries.length);
    for (const [row, [tag, type, value]] of entries.entries()) {
      const place = 2 + row * 12;
      directory.writeUInt16LE(tag, place);
      directory.writeUInt16LE(type, place + 2);
      directory.writeUInt32LE(1, place + 4);
      const shown = tag === 0x111 ? end : value;
      if (type === short) directory.writeUInt16LE(shown, place + 8);
      else directory.writeUInt32LE(shown, place + 8);
    }
    const next = index === pages.length - 1 ? 0 : end + padded.length;
    directory.writeUInt32LE(next, directory.length - 4);
    pieces.push(directory, padded);
    at = end + padded.length;
  }
  return Buffer.concat(pieces);
}

/** Returns two pages that look like a sea chart, with depths as colours. */
export function chartSheets(): readonly TiffPage[] {
  return [0, 1].map((sheet) => {
    const [width, height] = [240, 160];
    const rgb = new Uint8Array(width * height * 3);
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1) {
        const along = x / width + sheet;
        const bank = Math.sin(along * 4) * 0.3 + 0.5;
        const depth = Math.min(1, Math.abs(y / height - bank) * 2.4);
        const isLine =
          Math.floor(depth * 8) !== Math.floor(Math.min(1, Math.abs((y + 1) / height - bank) * 2.4) * 8);
        const pixel = (y * width + x) * 3;
        rgb[pixel] = isLine ? 90 : 236 - depth * 190;
        rgb[pixel + 1] = isLine ? 120 : 226 - depth * 110;
        rgb[pixel + 2] = isLine ? 140 : 190 + depth * 20;
      }
    return { width, height, rgb };
  });
}
