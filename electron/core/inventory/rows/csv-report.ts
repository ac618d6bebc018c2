import { createGunzip, type Gunzip } from 'node:zlib';
import { decodeListed } from '../../s3/model/decode-listed.ts';
import type { ReportColumns } from '../manifest/report-manifest.ts';
import { CsvLines } from './csv-lines.ts';
import type { FileReader } from './report-messages.ts';
import { DamagedReport, type ReportRows } from './report-rows.ts';

/** Reads one data file in CSV, gzipped or not. */
export class CsvReport implements FileReader {
  readonly #lines: CsvLines;
  readonly #gunzip: Gunzip | null;
  #broken: unknown = null;

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
    this.#gunzip = isPacked ? this.#unpacking() : null;
  }

  async add(bytes: Uint8Array): Promise<void> {
    const gunzip = this.#gunzip;
    if (gunzip === null) this.#lines.add(bytes);
    else
      await new Promise<void>((resolve) => {
        gunzip.write(bytes, (thrown) => {
          if (thrown instanceof Error) this.#broken ??= unpackable(thrown);
          resolve();
        });
      });
    this.#check();
  }

  async finish(): Promise<void> {
    const gunzip = this.#gunzip;
    if (gunzip !== null && !gunzip.readableEnded)
      await new Promise<void>((resolve) => {
        gunzip.once('end', resolve).once('close', resolve).end();
      });
    this.#check();
    this.#lines.finish();
  }

  close(): void {
    this.#gunzip?.destroy();
  }

  #check(): void {
    if (this.#broken instanceof Error) throw this.#broken;
  }

  #unpacking(): Gunzip {
    const gunzip = createGunzip();
    gunzip.on('data', (bytes: Uint8Array) => {
      if (this.#broken !== null) return;
      try {
        this.#lines.add(bytes);
      } catch (thrown) {
        this.#broken = thrown;
      }
    });
    gunzip.on('error', (thrown) => {
      this.#broken ??= unpackable(thrown);
    });
    return gunzip;
  }
}

function unpackable(thrown: Error): Error {
  return new DamagedReport(`its data cannot be unpacked (${thrown.message})`);
}

function isTrue(text: string | undefined): boolean {
  return text?.toLowerCase() === 'true';
}

/** Keys are encoded as in a URL, `+` for a space; a service that writes them plain writes UTF-8. */
function keyOf(text: string): string {
  try {
    const decoded = decodeListed(text);
    return /[\u0080-\u00ff]/.test(text) ? Buffer.from(decoded, 'latin1').toString('utf8') : decoded;
  } catch {
    throw new DamagedReport(`the key "${text.slice(0, 100)}" cannot be decoded`);
  }
}
