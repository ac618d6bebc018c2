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
  photometric: 262,
  fillOrder: 266,
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
  extraSamples: 338,
} as const;

/** Uncompressed, three kinds of fax, LZW, PackBits. Deflate is decompressed here. JPEG within TIFF is not shown. */
const known: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 32_773]);
const deflated: ReadonlySet<number> = new Set([8, 32_946]);
const fax: ReadonlySet<number> = new Set([2, 3, 4]);

/** Values of PhotometricInterpretation (TIFF 6.0, section 8). */
const colors = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3, cmyk: 5 } as const;
/**
 * The bits of a sample that the decoder draws, by the colors. It leaves others blank without an error. A gray of two or four bits
 * is drawn in one of the two directions only.
 */
const drawnBits: Readonly<Record<number, readonly number[]>> = {
  [colors.whiteIsZero]: [1, 4, 8, 16],
  [colors.blackIsZero]: [1, 2, 8, 16, 32],
  [colors.rgb]: [8, 16, 32],
  [colors.palette]: [1, 2, 4, 8],
  [colors.cmyk]: [8],
};
/** Values of ExtraSamples. */
const unspecified = 0;
const associatedAlpha = 1;

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
  const { drawn, isInverted } = drawable(directory);
  const { source, image } = laidOut(bytes, drawn, width, height);
  UTIF.decodeImage(source.buffer, image);
  const rgba = new Uint8ClampedArray(UTIF.toRGBA8(image));
  if (rgba.length !== width * height * 4) return { kind: 'damaged' };
  if (isInverted)
    for (let at = 0; at < rgba.length; at += 1) if (at % 4 !== 3) rgba[at] = 255 - (rgba[at] ?? 0);
  separateAlpha(rgba, directory);
  const shown = oriented({ width, height, rgba }, first(directory, tag.orientation, 1));
  return { kind: 'picture', picture: { ...shown, pages: pages.length } };
}

/** Returns what the decoder is to draw; `isInverted`: its result shows black as white. Throws BadTiff if it would draw nothing. */
function drawable(directory: TiffDirectory): { readonly drawn: TiffDirectory; readonly isInverted: boolean } {
  const bits = first(directory, tag.bits, 1);
  const samples = first(directory, tag.samples, 1);
  // The defaults of the decoder.
  const color = first(directory, tag.photometric, bits === 1 ? colors.whiteIsZero : colors.rgb);
  const isGray = color === colors.whiteIsZero || color === colors.blackIsZero;
  // It counts one sample for each pixel here.
  if (isGray && samples > 1 && !(color === colors.blackIsZero && bits === 8)) throw bad();
  if (drawnBits[color]?.includes(bits) === true) return { drawn: directory, isInverted: false };
  const other = color === colors.blackIsZero ? colors.whiteIsZero : colors.blackIsZero;
  if (!isGray || drawnBits[other]?.includes(bits) !== true) throw bad();
  return { drawn: new Map([...directory, [tag.photometric, [other]]]), isInverted: true };
}

/** Divides colors by the alpha that they are multiplied with; a fourth sample that is no alpha does not hide them. */
function separateAlpha(rgba: Uint8ClampedArray, directory: TiffDirectory): void {
  const extra = directory.get(tag.extraSamples)?.[0];
  if (first(directory, tag.photometric) !== colors.rgb) return;
  for (let at = 3; at < rgba.length; at += 4) {
    const alpha = rgba[at] ?? 255;
    if (extra === unspecified) rgba[at] = 255;
    else if (extra === associatedAlpha && alpha > 0 && alpha < 255)
      for (let color = at - 3; color < at; color += 1) rgba[color] = ((rgba[color] ?? 0) * 255) / alpha;
  }
}

/** Returns the bytes with their bits in the other order (TIFF 6.0, FillOrder). */
function reversedBits(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => {
    let reversed = 0;
    for (let bit = 0; bit < 8; bit += 1) reversed |= ((byte >> bit) & 1) << (7 - bit);
    return reversed;
  });
}

/** Prepares the image for the decoder, and the bytes that its offsets refer to. */
function laidOut(bytes: Uint8Array<ArrayBuffer>, directory: TiffDirectory, width: number, height: number) {
  const samples = first(directory, tag.samples, 1);
  const bits = directory.get(tag.bits) ?? [1];
  const bitsPerPixel = (bits[0] ?? 1) * samples;
  if (samples < 1 || samples > 8 || bits.some((depth) => ![1, 2, 4, 8, 16, 32].includes(depth))) throw bad();
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
  // The decoder knows the other order of bits in faxes alone.
  const isReversed = first(directory, tag.fillOrder, 1) === 2 && !fax.has(compression);
  const pieces = offsets.slice(0, wanted).map((offset, index) => {
    const length = lengths[index] ?? 0;
    if (offset + length > bytes.length) throw bad();
    const piece = bytes.subarray(offset, offset + length);
    return isReversed ? reversedBits(piece) : piece;
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
