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
  const row = (at: number): FolderRow | undefined => rows.row(first + at);
  const modified = (at: number): number => page.modifiedMs(at);
  const size = (at: number): number => (page.isFolder(at) ? sizeBelow(row(at)) : page.sizeBytes(at));
  const number = column === 'size' ? size : column === 'modified' ? modified : null;
  const length = to - from;
  return {
    isFolder: Uint8Array.from({ length }, (_, at) => (page.isFolder(from + at) ? 1 : 0)),
    keys: page.keys(from, to),
    numbers:
      number === null ? new Float64Array() : Float64Array.from({ length }, (_, at) => number(from + at)),
    texts: text === undefined ? [] : Array.from({ length }, (_, at) => textOf(row(from + at), text)),
  };
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
      worker.tell({ kind: 'rows', piece });
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
