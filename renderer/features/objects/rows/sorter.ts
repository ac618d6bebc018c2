import i18next from 'i18next';
import { failure } from '../../../../shared/errors.ts';
import { askedWorker } from '../../../ui/asked-worker.ts';
import { belowOf } from './below.ts';
import { folderColumns, type SortOrder } from './folder-columns.ts';
import { rowName, type FolderRow } from './row.ts';
import { isTextColumn, sortedRows, type SortHead, type SortPiece } from './sort.ts';
import type { SortMessage } from './sort-worker.ts';

export interface SortRequest {
  readonly rows: { readonly count: number; readonly row: (number: number) => FolderRow | undefined };
  readonly folder: string;
  readonly sort: SortOrder;
  readonly foldersFirst: boolean;
  readonly signal: AbortSignal;
}

/** Few rows are sorted at once. */
export type Sorter = (request: SortRequest) => Uint32Array | Promise<Uint32Array>;

/** Below this a sort takes a few milliseconds, less than starting a worker. */
const fewRows = 1500;
/** Takes some 10 ms of the main thread. */
const rowsPerPiece = 1500;
/** Ten million rows take a minute or two. */
const maxSortingMs = 10 * 60_000;

/** Yields to the window so that it can render. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

function numberOf(row: FolderRow, sort: SortOrder): number {
  if (sort.column === 'modified') return row.modifiedMs;
  if (sort.column === 'below') return belowOf(row)?.sizeBytes ?? Number.NaN;
  return row.kind === 'folder' ? Number.NaN : row.sizeBytes;
}

function headOf({ sort, foldersFirst }: SortRequest): SortHead {
  const locale = i18next.isInitialized ? i18next.resolvedLanguage : undefined;
  return { sort, foldersFirst, locale };
}

function pieceOf({ rows, folder, sort }: SortRequest, from: number, to: number): SortPiece {
  const numbers = Array.from({ length: Math.max(0, Math.min(to, rows.count) - from) }, (_, at) => from + at);
  const part = numbers.flatMap((number) => rows.row(number) ?? []);
  const isText = isTextColumn(sort.column);
  const column = folderColumns.find(({ id }) => id === sort.column);
  return {
    isFolder: part.map((row) => (row.kind === 'folder' ? 1 : 0)),
    names: part.map((row) => rowName(row, folder)),
    numbers: sort.column !== 'name' && !isText ? part.map((row) => numberOf(row, sort)) : [],
    texts: isText ? part.map((row) => column?.text(row) ?? '') : [],
  };
}

/** Sorts in a worker, or short lists on the main thread. */
export const workerSorter: Sorter = (request) =>
  request.rows.count <= fewRows
    ? sortedRows({ ...headOf(request), ...pieceOf(request, 0, request.rows.count) })
    : sortBeside(request);

async function sortBeside(request: SortRequest): Promise<Uint32Array> {
  const { rows, signal } = request;
  const worker = askedWorker<SortMessage, Uint32Array>(
    new Worker(new URL('./sort-worker.ts', import.meta.url), { type: 'module' }),
    signal,
    maxSortingMs,
  );
  try {
    for (let from = 0; from < rows.count && !signal.aborted; from += rowsPerPiece) {
      worker.tell({ kind: 'rows', piece: pieceOf(request, from, from + rowsPerPiece) });
      await nextTask();
    }
    return await worker.ask({ kind: 'sort', head: headOf(request) });
  } catch (thrown) {
    if (signal.aborted) throw failure('cancelled', 'Sorting was stopped.');
    throw failure('internal', 'The rows could not be sorted.', { cause: thrown });
  } finally {
    worker.end();
  }
}
