import { unzlibSync } from 'fflate';
import { maxPixels } from './image-limits.ts';
import type { TiffDirectory } from './tiff-directory.ts';
import { UnknownTiff } from './tiff-errors.ts';
import { damagedTiff, firstValue, jpegCompression, tag } from './tiff-tags.ts';

/** The strips or tiles of an image, from left to right and from top to bottom. */
export interface TiffPieces {
  readonly isTiled: boolean;
  /** The pixels of a whole piece. */
  readonly across: number;
  readonly down: number;
  readonly compression: number;
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
}

const uncompressed = 1;
/** Uncompressed, three kinds of fax, LZW, PackBits and JPEG. Deflate is decompressed here. */
const knownCompressions: ReadonlySet<number> = new Set([uncompressed, 2, 3, 4, 5, jpegCompression, 32_773]);
const deflated: ReadonlySet<number> = new Set([8, 32_946]);
const fax: ReadonlySet<number> = new Set([2, 3, 4]);

/**
 * Returns the strips or tiles of an image whose samples are not separated. Those compressed by Deflate are decompressed here.
 * Throws BadTiff if they are outside the file or would take more memory than an image may, UnknownTiff for other compressions.
 */
export function tiffPieces(bytes: Uint8Array<ArrayBuffer>, directory: TiffDirectory): TiffPieces {
  const width = firstValue(directory, tag.width);
  const height = firstValue(directory, tag.height);
  const bitsPerPixel = firstValue(directory, tag.bits, 1) * firstValue(directory, tag.samples, 1);
  const isTiled = directory.has(tag.tileWidth);
  const [across, down] = isTiled
    ? [firstValue(directory, tag.tileWidth), firstValue(directory, tag.tileHeight)]
    : [width, Math.min(height, firstValue(directory, tag.rowsPerStrip, height))];
  const rowBytes = Math.ceil((across * bitsPerPixel) / 8);
  const pieceBytes = rowBytes * down;
  if (!(pieceBytes >= 1) || pieceBytes > maxPixels * 4) throw damagedTiff();
  if (Math.ceil((width * bitsPerPixel) / 8) * height > maxPixels * 4) throw damagedTiff();
  const offsets = directory.get(isTiled ? tag.tileOffsets : tag.stripOffsets) ?? [];
  const wanted = Math.ceil(width / across) * Math.ceil(height / down);
  if (offsets.length < wanted || wanted * pieceBytes > maxPixels * 8) throw damagedTiff();
  const compression = firstValue(directory, tag.compression, uncompressed);
  const isDeflated = deflated.has(compression);
  if (!isDeflated && !knownCompressions.has(compression)) throw new UnknownTiff('compression');
  const lengths = directory.get(isTiled ? tag.tileBytes : tag.stripBytes) ?? [];
  // The decoder supports the reversed bit order only for faxes.
  const isReversed = firstValue(directory, tag.fillOrder, 1) === 2 && !fax.has(compression);
  const pieces = offsets.slice(0, wanted).map((offset, index) => {
    // Computes the length of an uncompressed piece, since some writers state a wrong one.
    const rows = isTiled ? down : Math.min(down, height - index * down);
    const length = compression === uncompressed ? rowBytes * rows : (lengths[index] ?? 0);
    if (offset + length > bytes.length) throw damagedTiff();
    const stored = bytes.subarray(offset, offset + length);
    const piece = isReversed ? reversedBits(stored) : stored;
    return isDeflated ? unzlibSync(piece, { out: new Uint8Array(pieceBytes) }) : piece;
  });
  return { isTiled, across, down, compression: isDeflated ? uncompressed : compression, pieces };
}

/** Returns the bytes with the order of their bits reversed (TIFF 6.0, FillOrder). */
function reversedBits(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.map((byte) => {
    let reversed = 0;
    for (let bit = 0; bit < 8; bit += 1) reversed |= ((byte >> bit) & 1) << (7 - bit);
    return reversed;
  });
}
