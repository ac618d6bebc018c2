import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { decodeListed } from '../../s3/model/encode.ts';
import type { ReportColumns } from '../manifest/report-manifest.ts';
import { type FileReader, UnpackLimit, DamagedReport, type ReportRows } from './report-rows.ts';

/** Reads one data file in CSV, compressed with gzip or not. */
export class CsvReport implements FileReader {
  readonly #lines: CsvLines;
  /** Receives the compressed bytes; null if the file is not compressed. */
  readonly #packed: PassThrough | null;
  #packedBytes = 0;
  readonly #limit = new UnpackLimit();
  /** Resolves after the last row; rejects with the first error. */
  readonly #read: Promise<void>;

  constructor(fields: readonly string[], columns: ReportColumns, isPacked: boolean, rows: ReportRows) {
    const place = (name: string | null): number => (name === null ? -1 : fields.indexOf(name));
    const at = {
      bucket: place(columns.bucket),
      key: place(columns.key),
      size: place(columns.size),
      isLatest: place(columns.isLatest),
      isDeleteMarker: place(columns.isDeleteMarker),
      lastModified: place(columns.lastModified),
      etag: place(columns.etag),
      storageClass: place(columns.storageClass),
      owner: place(columns.owner),
    };
    this.#lines = new CsvLines(fields.length, (row) => {
      const text = (column: number): string | null => row[column] || null;
      const size = text(at.size);
      rows.add({
        bucket: text(at.bucket),
        key: keyOf(row[at.key] ?? ''),
        sizeBytes: size === null ? null : /^\d{1,16}$/.test(size) ? Number(size) : Number.NaN,
        isLatest: at.isLatest === -1 || isTrue(row[at.isLatest]),
        isDeleteMarker: at.isDeleteMarker !== -1 && isTrue(row[at.isDeleteMarker]),
        lastModified: text(at.lastModified),
        etag: text(at.etag),
        storageClass: text(at.storageClass),
        owner: text(at.owner),
      });
    });
    this.#packed = isPacked ? new PassThrough() : null;
    this.#read = this.#packed === null ? Promise.resolve() : this.#unpack(this.#packed);
    // `add` and `finish` rethrow the error.
    this.#read.catch(() => undefined);
  }

  async add(bytes: Uint8Array): Promise<void> {
    const packed = this.#packed;
    this.#packedBytes += bytes.byteLength;
    if (packed === null) this.#lines.add(bytes);
    else if (packed.destroyed) await this.#read;
    else if (!packed.write(bytes))
      await Promise.race([new Promise((resolve) => packed.once('drain', resolve)), this.#read]);
  }

  async finish(): Promise<void> {
    this.#packed?.end();
    await this.#read;
    this.#lines.finish();
  }

  close(): void {
    this.#packed?.destroy();
  }

  async #unpack(packed: PassThrough): Promise<void> {
    try {
      await pipeline(packed, createGunzip(), async (chunks: AsyncIterable<Uint8Array>) => {
        for await (const bytes of chunks) {
          this.#limit.add(bytes.byteLength, this.#packedBytes);
          this.#lines.add(bytes);
        }
      });
    } catch (thrown) {
      const isDamaged = thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('Z_');
      throw isDamaged ? new DamagedReport(`its data cannot be decompressed (${thrown.message})`) : thrown;
    }
  }
}

function isTrue(text: string | undefined): boolean {
  return text?.toLowerCase() === 'true';
}

/** Decodes a key. It is URL-encoded with `+` for a space; some services send plain UTF-8. */
function keyOf(text: string): string {
  try {
    const decoded = decodeListed(text);
    return /[\u0080-\u00ff]/.test(text) ? Buffer.from(decoded, 'latin1').toString('utf8') : decoded;
  } catch {
    throw new DamagedReport(`a key cannot be decoded: "${text}"`);
  }
}

/** The maximum length of a line. A key has at most 1024 bytes, each encoded as up to three characters; other fields are short. */
const longestLine = 64 * 1024;

/**
 * Splits a CSV file that arrives in chunks into rows. S3 Inventory quotes every field and encodes keys, so no field contains a
 * quote or line break; for other files RFC 4180 applies. The text is Latin-1, one character per byte; the caller decodes UTF-8.
 */
export class CsvLines {
  readonly #columns: number;
  readonly #onRow: (fields: readonly string[]) => void;
  #rest = '';

  constructor(columns: number, onRow: (fields: readonly string[]) => void) {
    this.#columns = columns;
    this.#onRow = onRow;
  }

  /** Splits the next bytes into rows. Throws DamagedReport for a line that is too long. */
  add(bytes: Uint8Array): void {
    const text =
      this.#rest + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    let from = 0;
    for (;;) {
      let end = text.indexOf('\n', from);
      if (end === -1) break;
      const fields = plainFields(lineOf(text, from, end), this.#columns);
      if (fields === null) {
        end = quotedEnd(text, from, end);
        if (end === -1) break;
        this.#line(lineOf(text, from, end));
      } else this.#onRow(fields);
      from = end + 1;
    }
    this.#rest = text.slice(from);
    if (this.#rest.length > longestLine) throw new DamagedReport('a line is too long');
  }

  /** Reports the last row, which may lack its line break. Throws DamagedReport if it lacks fields. */
  finish(): void {
    if (this.#rest !== '') this.#line(this.#rest);
    this.#rest = '';
  }

  #line(line: string): void {
    if (line === '') return;
    const fields = fieldsOf(line, this.#columns);
    if (fields === null) throw new DamagedReport(`a line does not have ${this.#columns} fields`);
    this.#onRow(fields);
  }
}

function lineOf(text: string, from: number, end: number): string {
  return text.slice(from, text.charCodeAt(end - 1) === 13 ? end - 1 : end);
}

/** Returns the line break that ends the row; -1 if it has not arrived yet. Line breaks between quotes belong to a field. */
function quotedEnd(text: string, from: number, firstEnd: number): number {
  let end = firstEnd;
  for (let isOpen = hasOddQuotes(text, from, end); isOpen;) {
    const next = text.indexOf('\n', end + 1);
    if (next === -1) return -1;
    if (hasOddQuotes(text, end, next)) isOpen = false;
    end = next;
  }
  return end;
}

function hasOddQuotes(text: string, from: number, to: number): boolean {
  let isOdd = false;
  for (let at = text.indexOf('"', from); at !== -1 && at < to; at = text.indexOf('"', at + 1)) isOdd = !isOdd;
  return isOdd;
}

/** Returns the fields of a usual row, in which all are quoted and contain no quotes; null for any other row. */
function plainFields(line: string, columns: number): readonly string[] | null {
  if (!line.startsWith('"') || !line.endsWith('"')) return null;
  const fields = line.slice(1, -1).split('","');
  return fields.length === columns && !fields.some((field) => field.includes('"')) ? fields : null;
}

/** Returns the fields of a line; null if their number or syntax is wrong. */
function fieldsOf(line: string, columns: number): readonly string[] | null {
  const fields: string[] = [];
  for (let at = 0; ;) {
    if (line.charAt(at) === '"') {
      let end = line.indexOf('"', at + 1);
      while (end !== -1 && line.charAt(end + 1) === '"') end = line.indexOf('"', end + 2);
      if (end === -1) return null;
      fields.push(line.slice(at + 1, end).replaceAll('""', '"'));
      at = end + 1;
    } else {
      const end = line.indexOf(',', at);
      fields.push(line.slice(at, end === -1 ? line.length : end));
      at = end === -1 ? line.length : end;
    }
    if (at >= line.length) break;
    if (line.charAt(at) !== ',') return null;
    at += 1;
  }
  return fields.length === columns ? fields : null;
}
