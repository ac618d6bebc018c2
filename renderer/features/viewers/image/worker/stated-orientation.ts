import { Unzlib } from 'fflate';
import { beginsWith } from '../../frame/viewer.ts';
import { joinedBytes, viewOf, withinFile } from '../../frame/bytes.ts';
import { textAt } from './heif-boxes.ts';

export interface StatedOrientation {
  /** The EXIF orientation, from 1 to 8. */
  readonly orientation: number;
  /** True if the browser engine applies the orientation itself. */
  readonly isApplied: boolean;
}

interface Metadata {
  readonly kind: 'exif' | 'xmp';
  readonly content: Uint8Array<ArrayBuffer>;
  readonly isApplied: boolean;
}

/** Limit of pieces in a file: enough for the pixels of a large PNG in pieces of 8 kB. */
const maxPieces = 65_536;
/** Limit of XMP in bytes. The relevant tags are at the beginning; editors append histories of megabytes. */
const maxXmpBytes = 1024 * 1024;
/** Limit of compressed bytes. Deflate compresses at most 1,032 to 1, so this many expand to at most 4 MB. */
const maxPackedBytes = 4096;

/**
 * Returns the orientation that a JPEG, PNG, GIF, WebP or TIFF states, in its EXIF or else in its XMP. Chromium applies EXIF in a JPEG
 * and before the pixels of a PNG, and nothing else. AVIF and HEIC are left out: they turn by `irot` and `imir` alone (ISO/IEC
 * 23008-12, annex A.2.1), which the decoders apply.
 */
export function statedOrientation(bytes: Uint8Array<ArrayBuffer>, type: string): StatedOrientation {
  const found = [...(metadataReaders[type]?.(bytes) ?? [])];
  for (const kind of ['exif', 'xmp'] as const)
    for (const metadata of found) {
      if (metadata.kind !== kind) continue;
      const read = kind === 'exif' ? exifOrientation : xmpOrientation;
      const orientation = withinFile(() => read(metadata.content)) ?? 0;
      if (orientation >= 1 && orientation <= 8) return { orientation, isApplied: metadata.isApplied };
    }
  return { orientation: 1, isApplied: true };
}

/** Removes the EXIF of a JPEG for the browser engine, which would turn the image by it. */
export function withoutExif(jpeg: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = Uint8Array.from(jpeg);
  for (const segment of jpegSegments(copy)) if (beginsWith(segment, 'Exif\0')) segment.fill(0, 0, 4);
  return copy;
}

const metadataReaders: Readonly<Record<string, (bytes: Uint8Array<ArrayBuffer>) => Iterable<Metadata>>> = {
  'image/jpeg': metadataOfJpeg,
  'image/png': metadataOfPng,
  'image/gif': metadataOfGif,
  'image/webp': metadataOfWebp,
  'image/tiff': (bytes) => [{ kind: 'exif', content: bytes, isApplied: false }],
};

function* metadataOfJpeg(bytes: Uint8Array<ArrayBuffer>): Generator<Metadata, void> {
  for (const segment of jpegSegments(bytes))
    if (beginsWith(segment, 'Exif\0')) yield { kind: 'exif', content: segment.subarray(6), isApplied: true };
    else if (beginsWith(segment, 'http://ns.adobe.com/xap/1.0/\0'))
      yield { kind: 'xmp', content: segment, isApplied: false };
}

/** Reads the application segments (APP1) of a JPEG before its pixels. */
function* jpegSegments(bytes: Uint8Array<ArrayBuffer>): Generator<Uint8Array<ArrayBuffer>, void> {
  const view = viewOf(bytes);
  let at = 2;
  for (let segment = 0; segment < maxPieces && at + 4 <= bytes.length; segment += 1) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff || marker === 0xda || marker === 0xd9) return;
    // A marker may have fill bytes before it (ITU T.81, section B.1.1.2).
    const length = marker === 0xff ? -1 : view.getUint16(at + 2);
    if (marker === 0xe1) yield bytes.subarray(at + 4, at + 2 + length);
    at += 2 + length;
  }
}

/** Reads `eXIf` (PNG, third edition, section 11.3.4.6), the profiles that ImageMagick wrote before it existed, and XMP. */
function* metadataOfPng(bytes: Uint8Array<ArrayBuffer>): Generator<Metadata, void> {
  const view = viewOf(bytes);
  let at = 8;
  let isBeforePixels = true;
  for (let chunk = 0; chunk < maxPieces && at + 12 <= bytes.length; chunk += 1) {
    const length = view.getUint32(at);
    const kind = textAt(bytes, at + 4);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (kind === 'IDAT') isBeforePixels = false;
    if (kind === 'eXIf') yield { kind: 'exif', content, isApplied: isBeforePixels };
    else if (kind === 'iTXt' && beginsWith(content, 'XML:com.adobe.xmp\0'))
      yield { kind: 'xmp', content: unpackedXmp(content), isApplied: false };
    else if (kind === 'zTXt' && beginsWith(content, 'Raw profile type '))
      yield { kind: 'exif', content: rawProfile(content), isApplied: false };
    at += 12 + length;
  }
}

/**
 * Reads XMP of a GIF (GIF89a, section 26). XMP is not divided into sub-blocks. A reader that takes its bytes as lengths still
 * finds the end, because of the bytes written after it (XMP specification, part 3, section 1.1.2).
 */
function* metadataOfGif(bytes: Uint8Array<ArrayBuffer>): Generator<Metadata, void> {
  let at = 13 + colorTableBytes(bytes[10] ?? 0);
  let blocks = 0;
  const skipBlocks = (): void => {
    for (; blocks < maxPieces && (bytes[at] ?? 0) !== 0; blocks += 1) at += 1 + (bytes[at] ?? 0);
    at += 1;
  };
  for (; blocks < maxPieces && at < bytes.length; blocks += 1) {
    const kind = bytes[at];
    // The separator of an image is 0x2C, and the label of an application 0xFF after the introducer 0x21.
    if (kind === 0x2c) {
      at += 11 + colorTableBytes(bytes[at + 9] ?? 0);
      skipBlocks();
    } else if (kind === 0x21) {
      const isXmp = beginsWith(bytes, '\xff\x0bXMP DataXMP', at + 1);
      at += isXmp ? 14 : 2;
      const start = at;
      skipBlocks();
      if (isXmp) yield { kind: 'xmp', content: bytes.subarray(start, at), isApplied: false };
    } else return;
  }
}

/** Returns the size of a color table, whose presence and exponent are in these flags. */
function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** Reads the chunks of a WebP (RFC 9649, section 2.7.1.5). Some programs begin EXIF like a JPEG segment. */
export function* metadataOfWebp(bytes: Uint8Array<ArrayBuffer>): Generator<Metadata, void> {
  const view = viewOf(bytes);
  let at = 12;
  for (let chunk = 0; chunk < maxPieces && at + 8 <= bytes.length; chunk += 1) {
    const length = view.getUint32(at + 4, true);
    const kind = textAt(bytes, at);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (kind === 'EXIF')
      yield {
        kind: 'exif',
        content: beginsWith(content, 'Exif') ? content.subarray(6) : content,
        isApplied: false,
      };
    else if (kind === 'XMP ') yield { kind: 'xmp', content, isApplied: false };
    at += 8 + length + (length % 2);
  }
}

function exifOrientation(exif: Uint8Array<ArrayBuffer>): number | null {
  if (!beginsWith(exif, 'II*\0') && !beginsWith(exif, 'MM\0*')) return null;
  const isLittle = exif[0] === 0x49;
  const view = viewOf(exif);
  const at = view.getUint32(4, isLittle);
  const count = view.getUint16(at, isLittle);
  for (let index = 0; index < count; index += 1) {
    const entry = at + 2 + index * 12;
    // The entry is the tag Orientation, a number of two bytes (CIPA DC-008, section 4.6.5.1).
    if (view.getUint16(entry, isLittle) === 0x112 && view.getUint16(entry + 2, isLittle) === 3)
      return view.getUint16(entry + 8, isLittle);
  }
  return null;
}

/** Reads the orientation from XMP, where the tag is an attribute or an element (XMP specification, part 1, section 7.9.2.2). */
function xmpOrientation(xmp: Uint8Array<ArrayBuffer>): number | null {
  const text = new TextDecoder('latin1').decode(xmp.subarray(0, maxXmpBytes));
  const found = /\btiff:Orientation(?:\s*=\s*["']|\s*>)\s*([1-8])\b/u.exec(text);
  return found === null ? null : Number(found[1]);
}

function unpackedXmp(text: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const flagAt = text.indexOf(0) + 1;
  if (text[flagAt] !== 1) return text;
  const languageEnd = text.indexOf(0, flagAt + 2);
  return unpackedHead(text.subarray(text.indexOf(0, languageEnd + 1) + 1));
}

/**
 * Returns the bytes of a profile in the form `\nexif\n  length\nhex`. Source: `Magick_png_write_raw_profile` in ImageMagick's
 * coders/png.c.
 */
function rawProfile(text: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const packed = text.subarray(text.indexOf(0) + 2);
  const written = new TextDecoder('latin1').decode(unpackedHead(packed));
  const hex = /^\s*\w+\s+\d+\s+([\da-f\s]+)/u.exec(written)?.[1]?.replaceAll(/\s/gu, '') ?? '';
  const bytes = Uint8Array.from(hex.match(/../gu) ?? [], (pair) => Number.parseInt(pair, 16));
  return beginsWith(bytes, 'Exif\0\0') ? bytes.subarray(6) : bytes;
}

/** Returns the first bytes of a zlib stream, or an empty array if the stream is damaged. */
function unpackedHead(packed: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  try {
    new Unzlib((piece) => pieces.push(piece)).push(packed.subarray(0, maxPackedBytes));
  } catch {
    // The library throws for damaged data. The rest of the image may be intact.
    return new Uint8Array();
  }
  return joinedBytes(pieces);
}
