import UTIF from 'utif2';
import { UnknownTiff, colors, damagedTiff, firstValue, tag, type TiffDirectory } from './tiff-directory.ts';
import type { TiffPieces } from './tiff-pieces.ts';

interface Decoder {
  readonly width: number;
  readonly height: number;
  parse(stream: Uint8Array): void;
  /** `isSourcePDF` leaves the four inks as stored. A JPEG file stores inks inverted, a TIFF does not. */
  getData(request: {
    readonly width: number;
    readonly height: number;
    readonly forceRGB: boolean;
    readonly isSourcePDF: boolean;
  }): Uint8ClampedArray;
}

/** The JPEG decoder of pdf.js, which the package contains but does not declare. */
const { JpegDecoder } = UTIF as unknown as { readonly JpegDecoder: new () => Decoder };

const marker = {
  frames: [0xc0, 0xc1, 0xc2],
  otherFrames: [0xc3, 0xc9, 0xca],
  start: 0xd8,
  end: 0xd9,
} as const;

/**
 * Decodes a strip or tile that is a JPEG stream, and returns its rows. Colors are red, green and blue if the directory says YCbCr,
 * and as stored otherwise. Throws BadTiff if the stream does not fit the piece.
 *
 * @param shown The pixels and rows of the piece that are inside the image.
 */
export function jpegRows(
  piece: Uint8Array,
  directory: TiffDirectory,
  { across, down }: Pick<TiffPieces, 'across' | 'down'>,
  shown: { readonly pixels: number; readonly rows: number },
): Uint8Array<ArrayBuffer> {
  const samples = firstValue(directory, tag.samples, 1);
  const tables = withoutMarks(Uint8Array.from(directory.get(tag.jpegTables) ?? []));
  const isYCbCr = firstValue(directory, tag.photometric) === colors.yCbCr;
  const decoded = decodeJpeg(streamOf(tables, piece, isYCbCr), { across, down, samples });
  if (decoded.height < shown.rows || decoded.width < shown.pixels) throw damagedTiff();
  const all = new Uint8Array(across * down * samples);
  for (let row = 0; row < shown.rows; row += 1) {
    const from = row * decoded.width * samples;
    all.set(decoded.data.subarray(from, from + shown.pixels * samples), row * across * samples);
  }
  return all;
}

/**
 * Returns the JPEG stream of a piece with the tables that all pieces share. Adds a segment that says whether the colors are YCbCr,
 * which a decoder would assume otherwise.
 */
function streamOf(tables: Uint8Array, piece: Uint8Array, isYCbCr: boolean): Uint8Array<ArrayBuffer> {
  // The segment "Adobe" with version 100, no flags, and the color transform.
  const adobe = [0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, isYCbCr ? 1 : 0];
  return Uint8Array.from([0xff, marker.start, ...adobe, ...tables, ...withoutStart(piece)]);
}

function withoutStart(stream: Uint8Array): Uint8Array {
  return stream[0] === 0xff && stream[1] === marker.start ? stream.subarray(2) : stream;
}

function withoutMarks(stream: Uint8Array): Uint8Array {
  const inner = withoutStart(stream);
  return inner.at(-2) === 0xff && inner.at(-1) === marker.end ? inner.subarray(0, -2) : inner;
}

interface Bounds {
  readonly across: number;
  readonly down: number;
  readonly samples: number;
}

function decodeJpeg(stream: Uint8Array<ArrayBuffer>, bounds: Bounds) {
  checkFrames(stream, bounds);
  const decoder = new JpegDecoder();
  decoder.parse(stream);
  const { width, height } = decoder;
  return { width, height, data: decoder.getData({ width, height, forceRGB: false, isSourcePDF: true }) };
}

/**
 * Checks every possible frame header, so that the decoder does not allocate more memory than the piece may need. The markers do
 * not occur in compressed data. Throws BadTiff or UnknownTiff.
 */
function checkFrames(stream: Uint8Array, { across, down, samples }: Bounds): void {
  let frames = 0;
  for (let at = stream.indexOf(0xff); at !== -1; at = stream.indexOf(0xff, at + 1)) {
    const mark = stream[at + 1] ?? 0;
    if (marker.otherFrames.some((frame) => frame === mark)) throw new UnknownTiff('compression');
    if (!marker.frames.some((frame) => frame === mark)) continue;
    const header = new DataView(stream.buffer, stream.byteOffset + at);
    if (header.byteLength < 10) throw damagedTiff();
    // The decoder would read only the lowest 8 bits of 12-bit samples.
    if (header.getUint8(4) !== 8) throw new UnknownTiff('samples');
    // The last strip may have full height although the image ends within it.
    if (header.getUint16(5) > down || header.getUint16(7) > across || header.getUint8(9) !== samples)
      throw damagedTiff();
    frames += 1;
  }
  if (frames === 0) throw damagedTiff();
}
