import i18next from 'i18next';
import { failure } from '../../../../shared/errors.ts';
import { requestWorker } from '../../../ui/asked-worker.ts';
import { nextTask } from '../../../ui/next-task.ts';
import { folderTotalsOf } from './folder-row.ts';
import { folderColumns, type FolderColumn, type SortOrder } from './folder-columns.ts';
import type { PackedRows } from './packed-rows.ts';
import type { FolderRow } from './row.ts';
import { isTextColumn, SortRows, type SortHead, type SortPiece } from './sort.ts';
import type { SortMessage } from './sort-worker.ts';

export interface SortRequest {
  readonly rows: {
    readonly count: number;
    /** All rows, in order. */
    readonly pages: readonly PackedRows[];
    readonly row: (number: number) => FolderRow | undefined;
  };
  readonly folder: string;
  readonly sort: SortOrder;
  readonly foldersFirst: boolean;
  readonly signal: AbortSignal;
}

/** Sorts rows, short lists synchronously and long lists in a worker. */
export type Sorter = (request: SortRequest) => Uint32Array | Promise<Uint32Array>;

/** Number of rows up to which sorting takes only a few milliseconds, less than starting a worker. */
const fewRows = 1500;
/** Rows per piece of a page whose keys are not packed. */
const rowsPerPiece = 1500;
/** The longest time in ms to send rows before yielding to the window. */
const maxBusyMs = 8;
/** Limit on the time of one sort. Ten million rows take a minute or two. */
const maxSortingMs = 10 * 60_000;

function headOf({ sort, foldersFirst }: SortRequest): SortHead {
  const locale = i18next.isInitialized ? i18next.resolvedLanguage : undefined;
  return { sort, foldersFirst, locale };
}

/** A part of a page. */
interface PagePart {
  readonly page: PackedRows;
  /** The number of the page's first row. */
  readonly first: number;
  readonly from: number;
  readonly to: number;
}

/** Returns those values of some rows by which they are sorted. */
function pieceOf({ rows, sort }: SortRequest, { page, first, from, to }: PagePart): SortPiece {
  const { column } = sort;
  const text = isTextColumn(column) ? folderColumns.find(({ id }) => id === column)?.text : undefined;
  const row = (at: number): FolderRow | undefined => rows.row(first + from + at);
  const isFolder = page.folderFlags(from, to);
  const numbers =
    column === 'size' || column === 'modified' ? page.numbers(column, from, to) : new Float64Array();
  if (column === 'size')
    for (let at = isFolder.indexOf(1); at !== -1; at = isFolder.indexOf(1, at + 1))
      numbers[at] = sizeBelow(row(at));
  const texts = text === undefined ? [] : Array.from(isFolder, (_, at) => textOf(row(at), text));
  return { isFolder, keys: page.keys(from, to), numbers, texts };
}

/** Returns the memory of a piece that a worker takes over, since a copy costs as much as sorting. */
function memoryOf({ isFolder, keys, numbers }: SortPiece): Transferable[] {
  const packed = 'starts' in keys ? [keys.bytes.buffer, keys.starts.buffer] : [];
  return [isFolder.buffer, numbers.buffer, ...packed].filter((memory) => memory instanceof ArrayBuffer);
}

function sizeBelow(row: FolderRow | undefined): number {
  return (row === undefined ? null : folderTotalsOf(row))?.sizeBytes ?? Number.NaN;
}

function textOf(row: FolderRow | undefined, text: FolderColumn['text']): string {
  return row === undefined ? '' : text(row);
}

/** Yields all rows in pieces: whole pages if they are packed, otherwise slices of pages. */
function* piecesOf(request: SortRequest): Generator<SortPiece> {
  let first = 0;
  for (const page of request.rows.pages) {
    const size = page.isPacked ? page.length : rowsPerPiece;
    for (let from = 0; from < page.length; from += size)
      yield pieceOf(request, { page, first, from, to: Math.min(page.length, from + size) });
    first += page.length;
  }
}

/** Sorts in a worker, or short lists on the main thread. */
export const workerSorter: Sorter = (request) => {
  if (request.rows.count > fewRows) return sortBeside(request);
  const rows = new SortRows(request.folder);
  for (const piece of piecesOf(request)) rows.add(piece);
  return rows.sorted(headOf(request));
};

async function sortBeside(request: SortRequest): Promise<Uint32Array> {
  const { signal } = request;
  const worker = requestWorker<SortMessage, Uint32Array>(
    new Worker(new URL('./sort-worker.ts', import.meta.url), { type: 'module' }),
    signal,
    maxSortingMs,
  );
  try {
    worker.tell({ kind: 'folder', folder: request.folder });
    let sinceMs = performance.now();
    for (const piece of piecesOf(request)) {
      if (signal.aborted) break;
      worker.tell({ kind: 'rows', piece }, memoryOf(piece));
      if (performance.now() - sinceMs < maxBusyMs) continue;
      await nextTask();
      sinceMs = performance.now();
    }
    return await worker.ask({ kind: 'sort', head: headOf(request) });
  } catch (thrown) {
    if (signal.aborted) throw failure('cancelled', 'Sorting was stopped.');
    throw failure('internal', 'The rows could not be sorted.', { cause: thrown });
  } finally {
    worker.end();
  }
}
