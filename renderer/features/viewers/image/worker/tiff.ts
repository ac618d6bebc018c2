import { unzlibSync } from 'fflate';
import UTIF from 'utif2';
import { maxPixels } from './image-limits.ts';
import type { ImageAnswer } from './image-messages.ts';
import { oriented } from './orientation.ts';
import { BadTiff, tiffDirectories, type TiffDirectory } from './tiff-directory.ts';

const tag = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  stripOffsets: 273,
  orientation: 274,
  samples: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  planes: 284,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
} as const;

/** Uncompressed, three kinds of fax, LZW, PackBits. Deflate is decompressed here. JPEG within TIFF is not shown. */
const known: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 32_773]);
const deflated: ReadonlySet<number> = new Set([8, 32_946]);

/**
 * Decodes one page of a TIFF. The decoder gets only checked data, so it takes no more memory than the image. Throws the
 * decoder's errors for damaged files.
 */
export function decodeTiff(bytes: Uint8Array<ArrayBuffer>, page: number): ImageAnswer {
  const pages = tiffDirectories(bytes);
  const directory = pages[page];
  if (directory === undefined) return { kind: 'damaged' };
  const width = first(directory, tag.width);
  const height = first(directory, tag.height);
  if (width < 1 || height < 1) return { kind: 'damaged' };
  // Checked before decoding: a small file may claim any size.
  if (width * height > maxPixels) return { kind: 'too-many-pixels', width, height };
  const { source, image } = laidOut(bytes, directory, width, height);
  UTIF.decodeImage(source.buffer, image);
  const rgba = new Uint8ClampedArray(UTIF.toRGBA8(image));
  if (rgba.length !== width * height * 4) return { kind: 'damaged' };
  const shown = oriented({ width, height, rgba }, first(directory, tag.orientation, 1));
  return { kind: 'picture', picture: { ...shown, pages: pages.length } };
}

/** Prepares the image for the decoder, and the bytes that its offsets refer to. */
function laidOut(bytes: Uint8Array<ArrayBuffer>, directory: TiffDirectory, width: number, height: number) {
  const samples = first(directory, tag.samples, 1);
  const bits = directory.get(tag.bits) ?? [1];
  const bitsPerPixel = (bits[0] ?? 1) * samples;
  if (samples < 1 || samples > 8 || bits.some((one) => ![1, 2, 4, 8, 16, 32].includes(one))) throw bad();
  if (first(directory, tag.planes, 1) !== 1) throw bad();
  const isTiled = directory.has(tag.tileWidth);
  const [across, down] = isTiled
    ? [first(directory, tag.tileWidth), first(directory, tag.tileHeight)]
    : [width, Math.min(height, first(directory, tag.rowsPerStrip, height))];
  const pieceBytes = Math.ceil((across * bitsPerPixel) / 8) * down;
  if (!(pieceBytes >= 1) || pieceBytes > maxPixels * 4) throw bad();
  if (Math.ceil((width * bitsPerPixel) / 8) * height > maxPixels * 4) throw bad();
  const offsets = directory.get(isTiled ? tag.tileOffsets : tag.stripOffsets) ?? [];
  const wanted = Math.ceil(width / across) * Math.ceil(height / down);
  if (offsets.length < wanted || wanted * pieceBytes > maxPixels * 8) throw bad();
  const compression = first(directory, tag.compression, 1);
  const lengths =
    directory.get(isTiled ? tag.tileBytes : tag.stripBytes) ??
    (compression === 1 ? offsets.map(() => pieceBytes) : []);
  const pieces = offsets.slice(0, wanted).map((offset, index) => {
    const length = lengths[index] ?? 0;
    if (offset + length > bytes.length) throw bad();
    return bytes.subarray(offset, offset + length);
  });
  const isDeflated = deflated.has(compression);
  if (!isDeflated && !known.has(compression)) throw bad();
  const read = isDeflated
    ? pieces.map((piece) => unzlibSync(piece, { out: new Uint8Array(pieceBytes) }))
    : pieces;
  const source = new Uint8Array(read.reduce((sum, piece) => sum + piece.length, 0) + 8);
  // The decoder reads the byte order again.
  source.set(bytes.subarray(0, 8));
  let at = 8;
  const places = read.map((piece) => {
    source.set(piece, at);
    at += piece.length;
    return at - piece.length;
  });
  const entries = new Map<number, readonly number[]>(directory);
  entries.set(tag.compression, [isDeflated ? 1 : compression]);
  entries.set(isTiled ? tag.tileOffsets : tag.stripOffsets, places);
  entries.set(
    isTiled ? tag.tileBytes : tag.stripBytes,
    read.map((piece) => piece.length),
  );
  if (isTiled) entries.delete(tag.stripOffsets);
  const image = Object.fromEntries(
    Array.from(entries, ([name, values]) => [`t${String(name)}`, [...values]]),
  );
  return { source, image: { ...image, width, height } as unknown as Parameters<typeof UTIF.decodeImage>[1] };
}

function first(directory: TiffDirectory, name: number, otherwise = 0): number {
  return directory.get(name)?.[0] ?? otherwise;
}

function bad(): Error {
  return new BadTiff('The image is damaged, or of a kind that is not known here.');
}
