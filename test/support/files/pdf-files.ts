import { createHash } from 'node:crypto';
import { pdfOf } from '../../../electron/service/samples/sample-files.ts';
import type { SparseFile } from './sparse-file.ts';

/** Builds a PDF whose pages show their number and a unique word, such as `word-0042`. */
export function longPdf(pages: number): Buffer {
  return pdfOf(
    Array.from({ length: pages }, (_, index) => ({
      title: `Page ${String(index + 1)}`,
      lines: [wordOf(index + 1), 'The same on every page.'],
    })),
  );
}

export function wordOf(page: number): string {
  return `word-${String(page).padStart(4, '0')}`;
}

/**
 * Padding after each object, because a reader parses some tokens ahead. In zeros, which are white space, it would read on for
 * long.
 */
const ahead = 'null null null null\n';

/** Builds a PDF of a gigabyte whose pages are far apart. */
export function sparsePdf(pages = 50, sizeBytes = 1024 ** 3): SparseFile {
  const gap = Math.floor(sizeBytes / (pages + 1));
  const contents = Array.from({ length: pages }, (_, index) => {
    const text = `BT /F1 40 Tf 72 700 Td (${wordOf(index + 1)}) Tj ET`;
    return `<< /Length ${String(text.length)} >>\nstream\n${text}\nendstream`;
  });
  const heads = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${contents.map((_, index) => `${String(4 + index)} 0 R`).join(' ')}] /Count ${String(pages)} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...contents.map(
      (_, index) =>
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${String(4 + pages + index)} 0 R >>`,
    ),
  ];
  const places: number[] = [];
  let start = '%PDF-1.4\n';
  for (const [index, head] of heads.entries()) {
    places.push(start.length);
    start += `${String(index + 1)} 0 obj\n${head}\nendobj\n`;
  }
  const pieces = [{ at: 0, bytes: Buffer.from(start + ahead, 'latin1') }];
  for (const [index, content] of contents.entries()) {
    const at = gap * (index + 1);
    places.push(at);
    pieces.push({
      at,
      bytes: Buffer.from(`${String(4 + pages + index)} 0 obj\n${content}\nendobj\n${ahead}`, 'latin1'),
    });
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const count = String(places.length + 1);
  const at = sizeBytes;
  const end = `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${String(at)}\n%%EOF\n`;
  pieces.push({ at, bytes: Buffer.from(end, 'latin1') });
  return { sizeBytes: at + end.length, pieces };
}

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);

/** Builds a PDF of one page, encrypted with a password (PDF 1.7, 7.6.3: revision 2, 40 bits). */
export function lockedPdf(password: string): Buffer {
  const id = md5(Buffer.from('locked'));
  const user = Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32);
  const owner = rc4(md5(user).subarray(0, 5), user);
  const key = md5(Buffer.concat([user, owner, permissions, id])).subarray(0, 5);
  const plain = pdfOf([{ title: 'Behind a lock', lines: [] }]).toString('latin1');
  const found = /stream\n(.*?)\nendstream/s.exec(plain);
  const text = found?.[1] ?? '';
  // The content of the first page is object 5.
  const objectKey = md5(Buffer.concat([key, Buffer.from([5, 0, 0, 0, 0])])).subarray(0, 10);
  const packed = rc4(objectKey, Buffer.from(text, 'latin1')).toString('latin1');
  const lock =
    `/ID [${hex(id)} ${hex(id)}] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 ` +
    `/O ${hex(owner)} /U ${hex(rc4(key, padding))} >>`;
  return Buffer.from(
    plain.replace(text, () => packed).replace('/Root 1 0 R', `/Root 1 0 R ${lock}`),
    'latin1',
  );
}

function hex(bytes: Buffer): string {
  return `<${bytes.toString('hex')}>`;
}

function md5(bytes: Buffer): Buffer {
  return createHash('md5').update(bytes).digest();
}

function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (left: number, other: number): void => {
    const kept = state[left] ?? 0;
    state[left] = state[other] ?? 0;
    state[other] = kept;
  };
  for (let at = 0, mixed = 0; at < 256; at += 1) {
    mixed = (mixed + (state[at] ?? 0) + (key[at % key.length] ?? 0)) & 255;
    swap(at, mixed);
  }
  let mixIndex = 0;
  let other = 0;
  return Buffer.from(
    bytes.map((byte) => {
      mixIndex = (mixIndex + 1) & 255;
      other = (other + (state[mixIndex] ?? 0)) & 255;
      swap(mixIndex, other);
      return byte ^ (state[((state[mixIndex] ?? 0) + (state[other] ?? 0)) & 255] ?? 0);
    }),
  );
}

/** Builds a PDF that tries to run scripts, start programs and send requests, when it is opened and when it is clicked. */
export function hostilePdf(address: string): Buffer {
  const script = `<< /S /JavaScript /JS (globalThis.ranFromObject = true; app.launchURL\\("${address}"\\);) >>`;
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /OpenAction ${script} /AA << /WC ${script} >> /Names << /JavaScript << /Names [(a) ${script}] >> >> >>`,
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /AA << /O ${script} >> /Resources << /Font << /F1 3 0 R >> /XObject << /Im 6 0 R >> >> /Contents 5 0 R
      /Annots [${annotation(`<< /S /URI /URI (${address}) >>`)} ${annotation('<< /S /Launch /F (/bin/sh) >>')} ${annotation(script)}] >>`,
    `<< /Length 58 >>\nstream\nBT /F1 40 Tf 72 700 Td (Hostile) Tj ET q 9 0 0 9 9 9 cm /Im Do Q\nendstream`,
    `<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /F << /FS /URL /F (${address}) >> /Length 1 >>\nstream\n0\nendstream`,
  ];
  const body = objects.map((object, index) => `${String(index + 1)} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.7\n${body}trailer\n<< /Size 7 /Root 1 0 R >>\n%%EOF\n`, 'latin1');
}

function annotation(action: string): string {
  return `<< /Type /Annot /Subtype /Link /Rect [0 0 595 842] /Border [0 0 5] /A ${action} >>`;
}
