import { crc32, deflateSync } from 'node:zlib';
import { exifBytes } from './exif-bytes.ts';
import { isoBox } from './iso-box.ts';

/** An image in four colors, 48 × 32: red and green above blue and yellow. Source: libavif 1.4. */
const av1Config = Buffer.from('81000c00', 'hex');
const av1Image = Buffer.from(
  'EgAKCRgVL/tEBDQaEDJBReHh4YhhJJJJlAAAAuuyOWISIuHv161y7px2FR6ANsvZkXOiiZarJPCet8iUi4aXlr/F7fl3qh7r8r0FDkmCbp8=',
  'base64',
);

export const orientations = [1, 2, 3, 4, 5, 6, 7, 8] as const;
export type Orientation = (typeof orientations)[number];

export const exifOf = (orientation: Orientation): Buffer =>
  exifBytes({ main: { 0x112: { kind: 'short', number: orientation } } });

export function xmpOf(orientation: Orientation, form: 'attribute' | 'element' = 'attribute'): Buffer {
  const description =
    form === 'attribute'
      ? `<rdf:Description rdf:about="" tiff:Orientation="${String(orientation)}"/>`
      : `<rdf:Description rdf:about=""><tiff:Orientation>${String(orientation)}</tiff:Orientation></rdf:Description>`;
  return Buffer.from(
    `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">` +
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:tiff="http://ns.adobe.com/tiff/1.0/">` +
      `${description}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
  );
}

/** Returns a JPEG with more application segments (APP1). */
export function jpegWith(jpeg: Uint8Array, ...segments: readonly Buffer[]): Buffer {
  const framed = segments.map((segment) => {
    const head = Buffer.from([0xff, 0xe1, 0, 0]);
    head.writeUInt16BE(segment.length + 2, 2);
    return Buffer.concat([head, segment]);
  });
  return Buffer.concat([jpeg.subarray(0, 2), ...framed, jpeg.subarray(2)]);
}

export const jpegExif = (exif: Buffer): Buffer => Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif]);
export const jpegXmp = (xmp: Buffer): Buffer =>
  Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1'), xmp]);

type PngChunk = readonly [kind: string, content: Buffer];

/** Returns a PNG with more chunks before or after its pixels. */
export function pngWith(
  png: Buffer,
  {
    before = [],
    after = [],
  }: { readonly before?: readonly PngChunk[]; readonly after?: readonly PngChunk[] },
): Buffer {
  // The signature and IHDR take 33 bytes, IEND takes 12.
  return Buffer.concat([
    png.subarray(0, 33),
    ...before.map(pngChunk),
    png.subarray(33, -12),
    ...after.map(pngChunk),
    png.subarray(-12),
  ]);
}

function pngChunk([kind, content]: PngChunk): Buffer {
  const framed = Buffer.alloc(content.length + 12);
  framed.writeUInt32BE(content.length);
  framed.write(kind, 4, 'latin1');
  content.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, -4)), content.length + 8);
  return framed;
}

/** XMP as a PNG keeps it, as text or compressed. */
export function pngXmp(xmp: Buffer, { isCompressed = false } = {}): PngChunk {
  const head = `XML:com.adobe.xmp\0${isCompressed ? '\x01' : '\0'}\0en\0title\0`;
  return ['iTXt', Buffer.concat([Buffer.from(head, 'latin1'), isCompressed ? deflateSync(xmp) : xmp])];
}

/** EXIF as ImageMagick wrote it into a PNG before the chunk `eXIf` existed. */
export function rawProfile(exif: Buffer): PngChunk {
  const hex = jpegExif(exif).toString('hex').replaceAll(/.{72}/gu, '$&\n');
  const text = `\nexif\n${String(exif.length + 6).padStart(8)}\n${hex}\n`;
  return ['zTXt', Buffer.concat([Buffer.from('Raw profile type exif\0\0', 'latin1'), deflateSync(text)])];
}

/** Returns a GIF of indexes into four colors, with XMP before or after its image. */
export function gifWith(
  { width, height }: { readonly width: number; readonly height: number },
  indexes: Uint8Array,
  {
    colors,
    xmp,
    isLast = false,
  }: { readonly colors: Buffer; readonly xmp: Buffer; readonly isLast?: boolean },
): Buffer {
  const sizes = Buffer.alloc(4);
  sizes.writeUInt16LE(width);
  sizes.writeUInt16LE(height, 2);
  // Codes of 8 bits: 128 clears the table before a code of 9 bits would be due, and 129 ends the image.
  const codes = [...indexes].flatMap((index, at) => (at % 100 === 0 ? [128, index] : [index]));
  const blocks = Buffer.from([...codes, 129])
    .toString('latin1')
    .match(/[^]{1,255}/gu);
  const image = Buffer.concat([
    Buffer.from([0x2c, 0, 0, 0, 0, ...sizes, 0, 7]),
    ...(blocks ?? []).map((block) => Buffer.from(String.fromCharCode(block.length) + block, 'latin1')),
    Buffer.from([0]),
  ]);
  const metadata = Buffer.concat([
    Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1'),
    xmp,
    Buffer.from([1, ...Array.from({ length: 256 }, (_, at) => 255 - at), 0]),
  ]);
  return Buffer.concat([
    Buffer.from('GIF89a'),
    sizes,
    Buffer.from([0x81, 0, 0]),
    colors,
    ...(isLast ? [image, metadata] : [metadata, image]),
    Buffer.from([0x3b]),
  ]);
}

/** Returns a WebP made from a simple one (RFC 9649, section 2.7), with more chunks at its end. */
export function webpWith(
  webp: Buffer,
  size: { readonly width: number; readonly height: number },
  chunks: readonly (readonly [kind: 'EXIF' | 'XMP ', content: Buffer])[],
): Buffer {
  const flags = chunks.reduce((sum, [kind]) => sum + (kind === 'EXIF' ? 8 : 4), 0);
  const head = Buffer.alloc(10);
  head.writeUInt8(flags);
  head.writeUIntLE(size.width - 1, 4, 3);
  head.writeUIntLE(size.height - 1, 7, 3);
  const isExtended = webp.toString('latin1', 12, 16) === 'VP8X';
  const content = Buffer.concat([
    Buffer.from('WEBP', 'latin1'),
    riffChunk('VP8X', head),
    webp.subarray(isExtended ? 30 : 12),
    ...chunks.map(([kind, bytes]) => riffChunk(kind, bytes)),
  ]);
  return riffChunk('RIFF', content);
}

function riffChunk(kind: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(kind, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** The rotation and the mirroring that together make an orientation. Source: `avifImageExtractExifOrientationToIrotImir`. */
const transforms: Readonly<Record<Orientation, { readonly irot?: number; readonly imir?: number }>> = {
  1: {},
  2: { imir: 1 },
  3: { irot: 2 },
  4: { imir: 0 },
  5: { irot: 1, imir: 0 },
  6: { irot: 3 },
  7: { irot: 3, imir: 0 },
  8: { irot: 1 },
};

/** Returns an AVIF of four colors whose container turns it, with EXIF of any other content. */
export function avifOf(orientation: Orientation, exif: Buffer): Buffer {
  const { irot, imir } = transforms[orientation];
  const properties = [
    isoBox('ispe', Buffer.from([0, 0, 0, 0, 0, 0, 0, 48, 0, 0, 0, 32])),
    isoBox('pixi', Buffer.from([0, 0, 0, 0, 3, 8, 8, 8])),
    isoBox('av1C', av1Config),
    ...(irot === undefined ? [] : [isoBox('irot', Buffer.from([irot]))]),
    ...(imir === undefined ? [] : [isoBox('imir', Buffer.from([imir]))]),
  ];
  // The upper bit marks properties that readers must support: all except size and depth.
  const links = properties.map((_, at) => (at < 2 ? at + 1 : 0x80 | (at + 1)));
  const item = Buffer.concat([Buffer.alloc(4), exif]);
  const make = (at: number): Buffer =>
    Buffer.concat([
      isoBox('ftyp', Buffer.from('avif\0\0\0\0avifmif1miaf', 'latin1')),
      isoBox(
        'meta',
        Buffer.concat([
          Buffer.alloc(4),
          isoBox('hdlr', Buffer.from('\0\0\0\0\0\0\0\0pict\0\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1')),
          isoBox('pitm', Buffer.from([0, 0, 0, 0, 0, 1])),
          isoBox('iloc', locations(at, item.length)),
          isoBox('iinf', Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 2]), infe(1, 'av01'), infe(2, 'Exif')])),
          isoBox('iref', Buffer.concat([Buffer.alloc(4), isoBox('cdsc', Buffer.from([0, 2, 0, 1, 0, 1]))])),
          isoBox(
            'iprp',
            Buffer.concat([
              isoBox('ipco', Buffer.concat(properties)),
              isoBox('ipma', Buffer.from([0, 0, 0, 0, 0, 0, 0, 1, 0, 1, links.length, ...links])),
            ]),
          ),
        ]),
      ),
    ]);
  return Buffer.concat([make(make(0).length + 8), isoBox('mdat', Buffer.concat([av1Image, item]))]);
}

function locations(at: number, exifLength: number): Buffer {
  return Buffer.concat([
    Buffer.from([0, 0, 0, 0, 0x44, 0, 0, 2]),
    location(1, at, av1Image.length),
    location(2, at + av1Image.length, exifLength),
  ]);
}

function location(id: number, offset: number, length: number): Buffer {
  const bytes = Buffer.from([0, id, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  bytes.writeUInt32BE(offset, 6);
  bytes.writeUInt32BE(length, 10);
  return bytes;
}

function infe(id: number, kind: string): Buffer {
  return isoBox('infe', Buffer.from(`\x02\0\0\0\0${String.fromCharCode(id)}\0\0${kind}\0`, 'latin1'));
}
