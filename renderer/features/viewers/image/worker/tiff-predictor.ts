import { UnknownTiff } from './tiff-errors.ts';
import { firstValue, tag, type TiffDirectory } from './tiff-tags.ts';

/** Values of Predictor (TIFF 6.0, section 14; Adobe Photoshop TIFF Technical Note 3). */
const none = 1;
const differences = 2;
const floatingPoint = 3;

/** Restores the samples of decompressed rows that store differences to the pixel on their left. Changes the rows in place. */
export function undoPredictor(
  rows: Uint8Array<ArrayBuffer>,
  rowBytes: number,
  directory: TiffDirectory,
  isLittle: boolean,
): void {
  const predictor = firstValue(directory, tag.predictor, none);
  if (predictor === none) return;
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
