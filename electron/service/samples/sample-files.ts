import { deflateSync, crc32, deflateRawSync } from 'node:zlib';
import { seededBytes, seededRandom } from './random.ts';

/** An object of the bucket `documents`. */
export interface SampleDocument {
  readonly key: string;
  readonly contentType: string;
  readonly text: string | Buffer;
  readonly storageClass?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface PdfPage {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Builds a small, valid PDF with pages of text. */
export function pdfOf(pages: readonly PdfPage[]): Buffer {
  const kids = pages.map((_, index) => `${String(4 + index * 2)} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${String(pages.length)} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap(({ title, lines }, index) => {
      const text = [
        'BT /F1 20 Tf 72 760 Td',
        `(${escapePdf(title)}) Tj`,
        '/F1 11 Tf 0 -32 Td 16 TL',
        ...lines.map((line) => `(${escapePdf(line)}) Tj T*`),
        'ET',
      ].join('\n');
      const content = `${String(5 + index * 2)} 0 R`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${content} >>`,
        `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
      ];
    }),
  ];
  let pdf = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  const trailer = `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`;
  return Buffer.from(`${pdf}xref\n0 ${count}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}

interface ArchivedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Builds a tar archive (ustar) of files. */
export function tarOf(files: readonly ArchivedFile[], modifiedMs: number): Buffer {
  const pieces = files.flatMap(({ name, bytes }) => {
    const header = Buffer.alloc(512);
    const field = (text: string, at: number): void => void header.write(text, at, 'latin1');
    field(name, 0);
    field(`${octal(0o644, 7)}\0${octal(1000, 7)}\0${octal(1000, 7)}\0`, 100);
    field(`${octal(bytes.byteLength, 11)}\0${octal(Math.floor(modifiedMs / 1000), 11)}\0`, 124);
    field('        0', 148);
    field('ustar\u000000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    field(`${octal(sum, 6)}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.byteLength % 512)) % 512)];
  });
  return Buffer.concat([...pieces, Buffer.alloc(1024)]);
}

/** Builds a WAVE file that sounds like the sea: mono, 16 bits, noise that swells and fades. `sizeBytes` includes the header. */
export function waveOf(seed: string, sizeBytes: number, samplesPerSecond = 44_100): Buffer {
  const dataBytes = sizeBytes - 44;
  const wave = Buffer.alloc(sizeBytes);
  wave.write('RIFF', 0, 'latin1');
  wave.writeUInt32LE(sizeBytes - 8, 4);
  wave.write('WAVEfmt ', 8, 'latin1');
  wave.writeUInt32LE(16, 16);
  wave.writeUInt16LE(1, 20);
  wave.writeUInt16LE(1, 22);
  wave.writeUInt32LE(samplesPerSecond, 24);
  wave.writeUInt32LE(samplesPerSecond * 2, 28);
  wave.writeUInt16LE(2, 32);
  wave.writeUInt16LE(16, 34);
  wave.write('data', 36, 'latin1');
  wave.writeUInt32LE(dataBytes, 40);
  const noise = seededBytes(seed, Math.ceil(dataBytes / 2));
  const samples = new Int16Array(noise.byteLength);
  let level = 0;
  let swell = 0;
  for (let at = 0; at < samples.length; at++) {
    if ((at & 1023) === 0) swell = 0.35 + 0.3 * Math.sin(at / 350_000);
    level += (((noise[at] ?? 0) - 128) * 256 - level) * 0.06;
    samples[at] = level * swell;
  }
  // WAVE is little-endian, like every processor that Node supports.
  wave.set(new Uint8Array(samples.buffer, 0, dataBytes), 44);
  return wave;
}

/** Builds a CSV file of buoy measurements with exactly this size. */
export function measurementsOf(year: number, sizeBytes: number): Buffer {
  const random = seededRandom(`buoys ${year}`);
  const csv = Buffer.alloc(sizeBytes, '\n');
  let at = csv.write('time,buoy,water_temperature_c,wave_height_m,wind_speed_ms\n', 0, 'latin1');
  const start = Date.UTC(year, 0, 1);
  for (let hour = 0; at < sizeBytes; hour++) {
    const time = new Date(start + hour * 1_700_000).toISOString().slice(0, 19);
    let rows = '';
    for (let buoy = 1; buoy <= 8; buoy++) {
      // Computes decimals with integer arithmetic, which is much faster than toFixed.
      const temperature = Math.floor(400 + random() * 1400) / 100;
      rows += `${time}Z,B${buoy},${temperature},${Math.floor(random() * 400) / 100},${Math.floor(random() * 180) / 10}\n`;
    }
    at += csv.write(rows, at, 'latin1');
  }
  return csv;
}

function escapePdf(text: string): string {
  return text.replace(/[\\()]/g, String.raw`\$&`);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

interface TiffPage {
  readonly width: number;
  readonly height: number;
  /** The red, green and blue of each pixel. */
  readonly rgb: Uint8Array;
  /** The TIFF tag Orientation, from 1 to 8. The default, 1, displays the pixels as stored. */
  readonly orientation?: number;
}

const [short, long] = [3, 4];

/** Builds a TIFF in which each page is one deflated strip (TIFF 6.0; compression 8 of its supplement). */
export function tiffOf(pages: readonly TiffPage[]): Buffer {
  const pieces: Buffer[] = [Buffer.from('II*\0\x08\0\0\0', 'latin1')];
  let at = 8;
  for (const [index, { width, height, rgb, orientation }] of pages.entries()) {
    const strip = deflateSync(rgb);
    const padded = Buffer.concat([strip, Buffer.alloc(strip.length % 2)]);
    const entries: readonly (readonly [tag: number, type: number, value: number])[] = [
      [0x100, long, width],
      [0x101, long, height],
      [0x102, short, 8],
      [0x103, short, 8],
      [0x106, short, 2],
      [0x111, long, 0],
      ...(orientation === undefined ? [] : ([[0x112, short, orientation]] as const)),
      [0x115, short, 3],
      [0x116, long, height],
      [0x117, long, strip.length],
    ];
    const directory = Buffer.alloc(2 + entries.length * 12 + 4);
    const end = at + directory.length;
    directory.writeUInt16LE(entries.length);
    for (const [row, [tag, type, value]] of entries.entries()) {
      const place = 2 + row * 12;
      directory.writeUInt16LE(tag, place);
      directory.writeUInt16LE(type, place + 2);
      directory.writeUInt32LE(1, place + 4);
      const shown = tag === 0x111 ? end : value;
      if (type === short) directory.writeUInt16LE(shown, place + 8);
      else directory.writeUInt32LE(shown, place + 8);
    }
    const next = index === pages.length - 1 ? 0 : end + padded.length;
    directory.writeUInt32LE(next, directory.length - 4);
    pieces.push(directory, padded);
    at = end + padded.length;
  }
  return Buffer.concat(pieces);
}

/** Returns two pages that look like a sea chart, with depths as colours. */
export function chartSheets(): readonly TiffPage[] {
  return [0, 1].map((sheet) => {
    const [width, height] = [240, 160];
    const rgb = new Uint8Array(width * height * 3);
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1) {
        const along = x / width + sheet;
        const bank = Math.sin(along * 4) * 0.3 + 0.5;
        const depth = Math.min(1, Math.abs(y / height - bank) * 2.4);
        const isLine =
          Math.floor(depth * 8) !== Math.floor(Math.min(1, Math.abs((y + 1) / height - bank) * 2.4) * 8);
        const pixel = (y * width + x) * 3;
        rgb[pixel] = isLine ? 90 : 236 - depth * 190;
        rgb[pixel + 1] = isLine ? 120 : 226 - depth * 110;
        rgb[pixel + 2] = isLine ? 140 : 190 + depth * 20;
      }
    return { width, height, rgb };
  });
}

/** The fields of an entry that its local header and the central directory both contain. */
export interface ZipHeader {
  readonly name: string;
  readonly crc: number;
  readonly packedBytes: number;
  readonly sizeBytes: number;
  /** The offset of the entry's local file header, in bytes. */
  readonly offset: number;
  /** The compression method (APPNOTE 4.4.5): 0 for stored, 8 for deflated. */
  readonly method: number;
}

/** Builds a zip archive (PKWARE APPNOTE 6.3.10). Compresses files if that makes them smaller. */
export function zipOf(files: readonly ArchivedFile[], modifiedMs: number): Buffer {
  const headers: ZipHeader[] = [];
  const pieces: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const deflated = deflateRawSync(bytes);
    const isPacked = deflated.byteLength < bytes.byteLength;
    const content = isPacked ? deflated : bytes;
    const header: ZipHeader = {
      name,
      crc: crc32(bytes),
      packedBytes: content.byteLength,
      sizeBytes: bytes.byteLength,
      offset,
      method: isPacked ? 8 : 0,
    };
    const local = zipLocalHeader(header, modifiedMs);
    headers.push(header);
    pieces.push(local, content);
    offset += local.byteLength + content.byteLength;
  }
  return Buffer.concat([...pieces, zipDirectory(headers, offset, modifiedMs)]);
}

/** Returns a local file header and the name (APPNOTE 4.3.7). */
export function zipLocalHeader(header: ZipHeader, modifiedMs: number): Buffer {
  const name = Buffer.from(header.name);
  const fixed = Buffer.alloc(30);
  fixed.writeUInt32LE(0x04034b50, 0);
  fixed.writeUInt16LE(20, 4);
  common(header, modifiedMs).copy(fixed, 6);
  fixed.writeUInt16LE(name.byteLength, 26);
  return Buffer.concat([fixed, name]);
}

/** Returns the central directory and its end record (APPNOTE 4.3.12 and 4.3.16). */
export function zipDirectory(headers: readonly ZipHeader[], offset: number, modifiedMs: number): Buffer {
  const entries = headers.map((header) => {
    const name = Buffer.from(header.name);
    const fixed = Buffer.alloc(46);
    fixed.writeUInt32LE(0x02014b50, 0);
    fixed.writeUInt16LE(20, 4);
    fixed.writeUInt16LE(20, 6);
    common(header, modifiedMs).copy(fixed, 8);
    fixed.writeUInt16LE(name.byteLength, 28);
    fixed.writeUInt32LE(header.offset, 42);
    return Buffer.concat([fixed, name]);
  });
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(headers.length, 8);
  end.writeUInt16LE(headers.length, 10);
  end.writeUInt32LE(directory.byteLength, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([directory, end]);
}

/** Returns the fields that both headers have, from the flags to the uncompressed size. */
function common({ crc, packedBytes, sizeBytes, method }: ZipHeader, modifiedMs: number): Buffer {
  const time = new Date(modifiedMs);
  const part = Buffer.alloc(20);
  // This flag marks names as UTF-8.
  part.writeUInt16LE(0x800, 0);
  part.writeUInt16LE(method, 2);
  part.writeUInt16LE((time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1), 4);
  part.writeUInt16LE(((time.getFullYear() - 1980) << 9) | ((time.getMonth() + 1) << 5) | time.getDate(), 6);
  part.writeUInt32LE(crc, 8);
  part.writeUInt32LE(packedBytes, 12);
  part.writeUInt32LE(sizeBytes, 16);
  return part;
}
