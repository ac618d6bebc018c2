import { isoBox } from './iso-box.ts';

/** Builds a HEIC file without an image, with only the boxes that locate its EXIF data (ISO/IEC 23008-12, annex A). */
export function heicWith(exif: Buffer): Buffer {
  const ftyp = isoBox('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'));
  const infe = isoBox('infe', Buffer.from('\x02\0\0\0\0\x01\0\0Exif\0', 'latin1'));
  const iinf = isoBox('iinf', Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 1]), infe]));
  // The EXIF data follows a four-byte offset to its start, which is 0.
  const item = Buffer.concat([Buffer.alloc(4), exif]);
  const make = (at: number): Buffer => {
    const place = Buffer.alloc(8);
    place.writeUInt32BE(at);
    place.writeUInt32BE(item.byteLength, 4);
    const iloc = isoBox(
      'iloc',
      Buffer.concat([Buffer.from([0, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1]), place]),
    );
    return Buffer.concat([ftyp, isoBox('meta', Buffer.concat([Buffer.alloc(4), iinf, iloc]))]);
  };
  const head = make(0);
  return Buffer.concat([make(head.byteLength + 8), isoBox('mdat', item)]);
}
