import { createHash } from 'node:crypto';
import { assertNever } from '../../../../shared/assert-never.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { answerCalls } from '../../flow/answer-calls.ts';
import { CsvReport } from './csv-report.ts';
import {
  type FileEnd,
  type FileReader,
  type FileReadOptions,
  type FileResponse,
  type ReportFileCalls,
  DamagedReport,
  ReportRows,
} from './report-rows.ts';

/** Decompresses one data file of a report and converts its rows to key pages. */
class OpenFile {
  readonly #hash = createHash('md5');
  readonly #rows: ReportRows;
  readonly #reader: FileReader;

  private constructor(rows: ReportRows, reader: FileReader) {
    this.#rows = rows;
    this.#reader = reader;
  }

  static async open(options: FileReadOptions): Promise<OpenFile> {
    const rows = new ReportRows(options.sourceBucket, options.prefix);
    return new OpenFile(rows, await readerOf(options, rows));
  }

  /** Returns the key pages completed since the last call. */
  take(): FileResponse {
    return { pages: this.#rows.take(), counts: this.#rows.counts };
  }

  async add(bytes: Uint8Array<ArrayBuffer>): Promise<FileResponse> {
    this.#hash.update(bytes);
    await this.#reader.add(bytes);
    return this.take();
  }

  async end(): Promise<FileEnd> {
    await this.#reader.finish();
    this.#rows.finish();
    return { ...this.take(), ...this.#rows.order, md5: this.#hash.digest('hex') };
  }

  close(): void {
    this.#reader.close();
  }
}

const files = new Map<string, OpenFile>();

answerCalls(
  async ({ target, method, input }) => {
    const call = method as keyof ReportFileCalls;
    switch (call) {
      case 'open': {
        const file = await OpenFile.open(input as FileReadOptions);
        files.set(target, file);
        return file.take();
      }
      case 'add':
        return await fileOf(target).add((input as { bytes: Uint8Array<ArrayBuffer> }).bytes);
      case 'end': {
        const end = await fileOf(target).end();
        drop(target);
        return end;
      }
      case 'drop':
        drop(target);
        return null;
      default:
        return assertNever(call);
    }
  },
  async (thrown, { target }) => {
    drop(target);
    return await errorOf(thrown);
  },
);

async function readerOf(options: FileReadOptions, rows: ReportRows): Promise<FileReader> {
  if (options.format === 'CSV') return new CsvReport(options.fields, options.columns, options.isPacked, rows);
  const { ParquetReport } = await import('./parquet-report.ts');
  return new ParquetReport(options, rows);
}

function fileOf(target: string): OpenFile {
  const file = files.get(target);
  if (file === undefined) throw new Error('This file is not open.');
  return file;
}

function drop(target: string): void {
  files.get(target)?.close();
  files.delete(target);
}

/** Converts an error to an AppError. Loads the needed modules only when an error occurs. */
async function errorOf(thrown: unknown): Promise<AppError> {
  const { toAppError } = await import('../../../../shared/errors.ts');
  if (!(thrown instanceof DamagedReport)) return toAppError(thrown);
  const { damagedReport: damaged } = await import('../manifest/report-manifest.ts');
  return toAppError(damaged(thrown.message));
}
