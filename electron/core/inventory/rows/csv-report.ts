import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { decodeListed } from '../../s3/model/decode-listed.ts';
import type { ReportColumns } from '../manifest/report-manifest.ts';
import { CsvLines } from './csv-lines.ts';
import type { FileReader } from './report-messages.ts';
import { DamagedReport, type ReportRows } from './report-rows.ts';
import { UnpackLimit } from './unpack-limit.ts';

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
      throw isDamaged ? unpackable(thrown) : thrown;
    }
  }
}

function unpackable(thrown: Error): Error {
  return new DamagedReport(`its data cannot be unpacked (${thrown.message})`);
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
