import { unzlibSync } from 'fflate';
import UTIF from 'utif2';
import { zstdUnpacker } from '../../packed/zstd.ts';
import { maxPixels } from './image-messages.ts';
import {
  UnknownTiff,
  colors,
  damagedTiff,
  firstValue,
  jpegCompression,
  subsamplingOf,
  tag,
  type TiffDirectory,
} from './tiff-directory.ts';

/** The strips or tiles of an image, from left to right and from top to bottom. */
export interface TiffPieces {
  /** The pixels of a whole piece. */
  readonly across: number;
  readonly down: number;
  /** The decompressed size of a row, or of a row of blocks if colors are subsampled. */
  readonly rowBytes: number;
  readonly rows: number;
  readonly compression: number;
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
}

const uncompressed = 1;
const deflates: ReadonlySet<number> = new Set([8, 32_946]);
const zstd = 50_000;
const lzw = 5;
const faxes: ReadonlySet<number> = new Set([2, 3, 4]);
const packBits = 32_773;
const knownCompressions: ReadonlySet<number> = new Set([
  uncompressed,
  jpegCompression,
  zstd,
  lzw,
  packBits,
  ...deflates,
  ...faxes,
]);

/** Returns true if a predictor may have been applied before this compression. Other compressions ignore the entry, as in libtiff. */
export function hasPredictor(compression: number): boolean {
  return compression === lzw || compression === zstd || deflates.has(compression);
}

/**
 * Returns the stored strips or tiles of an image whose samples are not in planes. Throws BadTiff if they are outside the file or
 * would take more memory than an image may, UnknownTiff for compressions without a decoder.
 */
export function tiffPieces(bytes: Uint8Array<ArrayBuffer>, directory: TiffDirectory): TiffPieces {
  const width = firstValue(directory, tag.width);
  const height = firstValue(directory, tag.height);
  const bitsPerPixel = firstValue(directory, tag.bits, 1) * firstValue(directory, tag.samples, 1);
  const isTiled = directory.has(tag.tileWidth);
  const [across, down] = isTiled
    ? [firstValue(directory, tag.tileWidth), firstValue(directory, tag.tileHeight)]
    : [width, Math.min(height, firstValue(directory, tag.rowsPerStrip, height))];
  const compression = firstValue(directory, tag.compression, uncompressed);
  if (!knownCompressions.has(compression)) throw new UnknownTiff('compression');
  const hasBlocks =
    firstValue(directory, tag.photometric) === colors.yCbCr && compression !== jpegCompression;
  const [blockWidth, blockHeight] = hasBlocks ? subsamplingOf(directory) : [1, 1];
  const rowBytes = hasBlocks
    ? Math.ceil(across / blockWidth) * (blockWidth * blockHeight + 2)
    : Math.ceil((across * bitsPerPixel) / 8);
  const rows = Math.ceil(down / blockHeight);
  const pieceBytes = Math.max(rowBytes * rows, Math.ceil((across * bitsPerPixel) / 8) * down);
  if (!(pieceBytes >= 1) || pieceBytes > maxPixels * 4) throw damagedTiff();
  if (Math.ceil((width * bitsPerPixel) / 8) * height > maxPixels * 4) throw damagedTiff();
  const offsets = directory.get(isTiled ? tag.tileOffsets : tag.stripOffsets) ?? [];
  const pieceCount = Math.ceil(width / across) * Math.ceil(height / down);
  if (offsets.length < pieceCount || pieceCount * pieceBytes > maxPixels * 8) throw damagedTiff();
  const lengths = directory.get(isTiled ? tag.tileBytes : tag.stripBytes) ?? [];
  // The decoder supports the reversed bit order only for faxes.
  const isReversed = firstValue(directory, tag.fillOrder, 1) === 2 && !faxes.has(compression);
  const pieces = offsets.slice(0, pieceCount).map((offset, index) => {
    // Computes the length of an uncompressed piece, since some writers state a wrong one.
    const storedRows = isTiled ? rows : Math.min(rows, Math.ceil((height - index * down) / blockHeight));
    const length = compression === uncompressed ? rowBytes * storedRows : (lengths[index] ?? 0);
    if (offset + length > bytes.length) throw damagedTiff();
    const stored = bytes.subarray(offset, offset + length);
    return isReversed ? reversedBits(stored) : stored;
  });
  return { across, down, rowBytes, rows, compression, pieces };
}

/** Decompresses a piece that is not a JPEG stream. Bytes that are missing at its end are 0. */
export function decompressedPiece(
  piece: Uint8Array<ArrayBuffer>,
  directory: TiffDirectory,
  { across, rowBytes, rows, compression }: Omit<TiffPieces, 'pieces'>,
): Uint8Array<ArrayBuffer> {
  const sizeBytes = rowBytes * rows;
  if (compression === uncompressed) return piece;
  if (deflates.has(compression)) return unzlibSync(piece, { out: new Uint8Array(sizeBytes) });
  if (compression === zstd) return unzstd(piece, sizeBytes);
  // The decoder reads the byte order from the header.
  const source = new Uint8Array(8 + piece.length);
  source.set([0x49, 0x49]);
  source.set(piece, 8);
  const entries = {
    [tag.width]: faxes.has(compression) ? across : rowBytes,
    [tag.height]: rows,
    [tag.bits]: faxes.has(compression) ? 1 : 8,
    [tag.samples]: 1,
    [tag.rowsPerStrip]: rows,
    [tag.compression]: compression,
    [tag.stripOffsets]: 8,
    [tag.stripBytes]: piece.length,
    [tag.fillOrder]: firstValue(directory, tag.fillOrder, 1),
    [tag.faxOptions]: firstValue(directory, tag.faxOptions),
  };
  const image = Object.fromEntries(
    Object.entries(entries).map(([name, value]) => [`t${name}`, [value]] as const),
  ) as unknown as UTIF.IFD;
  UTIF.decodeImage(source.buffer, image);
  return image.data as Uint8Array<ArrayBuffer>;
}

function unzstd(piece: Uint8Array, sizeBytes: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(sizeBytes);
  let at = 0;
  const unpacker = zstdUnpacker((unpacked) => {
    all.set(unpacked.subarray(0, sizeBytes - at), at);
    at = Math.min(sizeBytes, at + unpacked.length);
  });
  unpacker.push(piece);
  return all;
}

/** Returns the bytes with the order of their bits reversed (TIFF 6.0, FillOrder). */
function reversedBits(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.map((byte) => {
    let reversed = 0;
    for (let bit = 0; bit < 8; bit += 1) reversed |= ((byte >> bit) & 1) << (7 - bit);
    return reversed;
  });
}
