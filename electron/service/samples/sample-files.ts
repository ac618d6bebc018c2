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

/** Builds a tar archive (ustar) of files. */
export function tarOf(
  files: readonly { readonly name: string; readonly bytes: Buffer }[],
  modifiedMs: number,
): Buffer {
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
