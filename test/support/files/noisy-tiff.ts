import { tiffOf } from '../../../electron/service/samples/sample-files.ts';

/** Builds a TIFF of 64 x 64 pixels whose data is noise, although its header claims this compression. */
export function noisyTiff(coding: number, random: () => number): Buffer {
  const rgb = Uint8Array.from({ length: 64 * 64 * 3 }, () => random() * 256);
  const noise = Buffer.from(tiffOf([{ width: 64, height: 64, rgb }]));
  noise.writeUInt16LE(coding, value(3));
  // Fax compressions require one bit per pixel.
  if (coding >= 2 && coding <= 4) {
    noise.writeUInt16LE(1, value(2));
    noise.writeUInt16LE(1, value(6));
  }
  return noise;
}

/** The offset of an entry's value in the first directory. */
function value(entry: number): number {
  return 8 + 2 + entry * 12 + 8;
}
