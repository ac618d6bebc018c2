import { jpegRows } from './tiff-jpeg.ts';
import { decompressedPiece, hasPredictor, tiffPieces, type TiffPieces } from './tiff-pieces.ts';
import {
  changedDirectory,
  colors,
  damagedTiff,
  firstValue,
  jpegCompression,
  subsamplingOf,
  tag,
  type TiffDirectory,
  UnknownTiff,
} from './tiff-directory.ts';

/** Values of Predictor (TIFF 6.0, section 14; Adobe Photoshop TIFF Technical Note 3). */
const noPredictor = 1;
const differences = 2;
const floatingPoint = 3;

/** Restores the samples of decompressed rows that store differences to the pixel on their left. Changes the rows in place. */
function undoPredictor(
  rows: Uint8Array<ArrayBuffer>,
  rowBytes: number,
  directory: TiffDirectory,
  isLittle: boolean,
): void {
  const predictor = firstValue(directory, tag.predictor, noPredictor);
  if (predictor === noPredictor) return;
  const bits = firstValue(directory, tag.bits, 1);
  const samples = firstValue(directory, tag.samples, 1);
  if (bits % 8 !== 0 || ![differences, floatingPoint].includes(predictor))
    throw new UnknownTiff('compression');
  const sampleBytes = bits / 8;
  for (let at = 0; at + rowBytes <= rows.length; at += rowBytes) {
    const row = rows.subarray(at, at + rowBytes);
    if (predictor === differences) addDifferences(row, sampleBytes, samples, isLittle);
    else {
      addDifferences(row, 1, samples, isLittle);
      joinPlanes(row, sampleBytes, isLittle);
    }
  }
}

/** Adds each sample to the same sample of the pixel before it, and carries from its lowest byte to its highest. */
function addDifferences(row: Uint8Array, sampleBytes: number, samples: number, isLittle: boolean): void {
  const pixelBytes = sampleBytes * samples;
  for (let at = pixelBytes; at + sampleBytes <= row.length; at += sampleBytes) {
    let carry = 0;
    for (let byte = 0; byte < sampleBytes; byte += 1) {
      const place = at + (isLittle ? byte : sampleBytes - 1 - byte);
      const sum = (row[place] ?? 0) + (row[place - pixelBytes] ?? 0) + carry;
      row[place] = sum;
      carry = sum >> 8;
    }
  }
}

/** Joins the bytes of floats, which are stored apart: the highest bytes of all floats of the row come first. */
function joinPlanes(row: Uint8Array, sampleBytes: number, isLittle: boolean): void {
  const planes = row.slice();
  const count = Math.floor(row.length / sampleBytes);
  for (let sample = 0; sample < count; sample += 1)
    for (let byte = 0; byte < sampleBytes; byte += 1)
      row[sample * sampleBytes + (isLittle ? sampleBytes - 1 - byte : byte)] =
        planes[byte * count + sample] ?? 0;
}

/** Returns the rows of an image whose samples are not in planes. Each row begins at a whole byte. */
export function tiffRows(
  bytes: Uint8Array<ArrayBuffer>,
  directory: TiffDirectory,
  isLittle: boolean,
): Uint8Array<ArrayBuffer> {
  const found = tiffPieces(bytes, directory);
  const { across, down, pieces } = found;
  const width = firstValue(directory, tag.width);
  const height = firstValue(directory, tag.height);
  const bitsPerPixel = firstValue(directory, tag.bits, 1) * firstValue(directory, tag.samples, 1);
  const rowBytes = Math.ceil((width * bitsPerPixel) / 8);
  const pieceRowBytes = Math.ceil((across * bitsPerPixel) / 8);
  const piecesPerRow = Math.ceil(width / across);
  // The width of tiles is a multiple of 16 (TIFF 6.0, section 15).
  if (piecesPerRow > 1 && (across * bitsPerPixel) % 8 !== 0) throw damagedTiff();
  const all = new Uint8Array(rowBytes * height);
  for (const [index, piece] of pieces.entries()) {
    const left = index % piecesPerRow;
    const top = Math.floor(index / piecesPerRow) * down;
    const shown = { pixels: Math.min(across, width - left * across), rows: Math.min(down, height - top) };
    const rows = rowsOf(piece, directory, found, shown, isLittle);
    const length = Math.min(pieceRowBytes, rowBytes - left * pieceRowBytes);
    for (let row = 0; row < shown.rows; row += 1) {
      const from = row * pieceRowBytes;
      all.set(rows.subarray(from, from + length), (top + row) * rowBytes + left * pieceRowBytes);
    }
  }
  return all;
}

function rowsOf(
  piece: Uint8Array<ArrayBuffer>,
  directory: TiffDirectory,
  found: TiffPieces,
  shown: { readonly pixels: number; readonly rows: number },
  isLittle: boolean,
): Uint8Array<ArrayBuffer> {
  if (found.compression === jpegCompression) return jpegRows(piece, directory, found, shown);
  const rows = decompressedPiece(piece, directory, found);
  if (hasPredictor(found.compression)) undoPredictor(rows, found.rowBytes, directory, isLittle);
  return firstValue(directory, tag.photometric) === colors.yCbCr
    ? withoutBlocks(rows, directory, found)
    : rows;
}

/**
 * Returns Y, Cb and Cr of each pixel. Each stored block contains the Y of its pixels, then one Cb and one Cr for all of them
 * (TIFF 6.0, section 21).
 */
function withoutBlocks(
  blocks: Uint8Array,
  directory: TiffDirectory,
  { across, down, rowBytes }: TiffPieces,
): Uint8Array<ArrayBuffer> {
  const [blockWidth, blockHeight] = subsamplingOf(directory);
  const lumas = blockWidth * blockHeight;
  const all = new Uint8Array(across * down * 3);
  for (let y = 0, to = 0; y < down; y += 1)
    for (let x = 0; x < across; x += 1, to += 3) {
      const block = Math.floor(y / blockHeight) * rowBytes + Math.floor(x / blockWidth) * (lumas + 2);
      all[to] = blocks[block + (y % blockHeight) * blockWidth + (x % blockWidth)] ?? 0;
      all[to + 1] = blocks[block + lumas] ?? 0;
      all[to + 2] = blocks[block + lumas + 1] ?? 0;
    }
  return all;
}

/** Returns the directory of one plane. Its strips or tiles follow those of the planes before it. */
export function planeOf(directory: TiffDirectory, plane: number, samples: number): TiffDirectory {
  const ofPlane = (name: number): readonly number[] | null => {
    const values = directory.get(name);
    if (values === undefined) return null;
    const count = values.length / samples;
    return values.slice(plane * count, (plane + 1) * count);
  };
  return changedDirectory(directory, {
    [tag.planes]: [1],
    [tag.samples]: [1],
    [tag.bits]: [firstValue(directory, tag.bits, 1)],
    ...Object.fromEntries(
      [tag.stripOffsets, tag.stripBytes, tag.tileOffsets, tag.tileBytes].map((name) => [name, ofPlane(name)]),
    ),
  });
}
