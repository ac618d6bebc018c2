import { createHash, type Hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { assertNever } from '../../../../shared/assert-never.ts';
import { CsvReport } from './csv-report.ts';
import type { FileReader, FileReadOptions, ReportResponse, ReportQuestion } from './report-messages.ts';
import { DamagedReport, ReportRows } from './report-rows.ts';

/** The port of this thread, which decompresses the data files of reports and converts their rows to key pages. */
const port = parentPort;
if (port === null) throw new Error('inventory-report-worker runs as a worker thread only.');

interface OpenFile {
  readonly hash: Hash;
  readonly rows: ReportRows;
  readonly reader: FileReader;
}

const files = new Map<number, OpenFile>();

port.on('message', (question: ReportQuestion) => void answer(question));

async function answer(question: ReportQuestion): Promise<void> {
  try {
    const reply = await answerTo(question);
    const pages = 'pages' in reply ? reply.pages : [];
    port?.postMessage(
      reply,
      pages.map(({ buffer }) => buffer),
    );
  } catch (thrown) {
    drop(question.file);
    port?.postMessage({
      id: question.id,
      kind: 'failed',
      error: await errorOf(thrown),
    } satisfies ReportResponse);
  }
}

async function answerTo(question: ReportQuestion): Promise<ReportResponse> {
  const { id, file } = question;
  switch (question.kind) {
    case 'open': {
      const rows = new ReportRows(question.options.sourceBucket, question.options.prefix);
      files.set(file, {
        hash: createHash('md5'),
        rows,
        reader: await readerOf(question.options, rows),
      });
      return { id, kind: 'rows', pages: [], counts: rows.counts };
    }
    case 'bytes': {
      const { hash, reader, rows } = fileOf(file);
      hash.update(question.bytes);
      await reader.add(question.bytes);
      return { id, kind: 'rows', pages: rows.take(), counts: rows.counts };
    }
    case 'end': {
      const { hash, reader, rows } = fileOf(file);
      await reader.finish();
      rows.finish();
      const end = { pages: rows.take(), counts: rows.counts, ...rows.order, md5: hash.digest('hex') };
      drop(file);
      return { id, kind: 'ended', ...end };
    }
    case 'drop':
      drop(file);
      return { id, kind: 'dropped' };
    default:
      return assertNever(question);
  }
}

async function readerOf(options: FileReadOptions, rows: ReportRows): Promise<FileReader> {
  if (options.format === 'CSV') return new CsvReport(options.fields, options.columns, options.isPacked, rows);
  const { ParquetReport } = await import('./parquet-report.ts');
  return new ParquetReport(options, rows);
}

function fileOf(file: number): OpenFile {
  const open = files.get(file);
  if (open === undefined) throw new Error('This file is not open.');
  return open;
}

function drop(file: number): void {
  files.get(file)?.reader.close();
  files.delete(file);
}

/** Converts an error to an AppError. Loads the needed modules only when an error occurs. */
async function errorOf(thrown: unknown) {
  const { toAppError } = await import('../../../../shared/errors.ts');
  if (!(thrown instanceof DamagedReport)) return toAppError(thrown);
  const { damagedReport: damaged } = await import('../manifest/report-manifest.ts');
  return toAppError(damaged(thrown.message));
}
