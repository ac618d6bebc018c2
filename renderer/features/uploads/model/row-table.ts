import type { UploadRow, UploadRows, UploadTotals } from '../../../../shared/models/uploads.ts';

export const rowPageSize = 100;

/** The rows that have been read of one order and filter, in pages. */
export interface RowTable {
  readonly pages: ReadonlyMap<number, readonly UploadRow[]>;
  readonly total: number;
  readonly unread: number;
  readonly found: number;
  readonly totals: UploadTotals;
}

const noTotals: UploadTotals = { storedBytes: 0, unread: 0, oldestAt: null };

export const emptyTable: RowTable = { pages: new Map(), total: 0, unread: 0, found: 0, totals: noTotals };

export function rowAt(table: RowTable, index: number): UploadRow | null {
  return table.pages.get(Math.floor(index / rowPageSize))?.[index % rowPageSize] ?? null;
}

/** Adds pages; `fresh` forgets those that were read before, since the order may have changed. */
export function withPages(
  table: RowTable,
  read: readonly { readonly page: number; readonly answer: UploadRows }[],
  fresh: boolean,
): RowTable {
  const newest = read.at(-1)?.answer;
  if (newest === undefined) return table;
  const pages = new Map(fresh ? [] : table.pages);
  for (const { page, answer } of read) pages.set(page, answer.rows);
  const { total, unread, found, totals } = newest;
  return { pages, total, unread, found, totals };
}

/** New facts about some rows, wherever they are; the visible order does not change. */
export function withRows(table: RowTable, rows: readonly UploadRow[]): RowTable {
  if (rows.length === 0) return table;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const pages = new Map(table.pages);
  let learnt = 0;
  for (const [page, old] of pages) {
    if (!old.some(({ id }) => byId.has(id))) continue;
    pages.set(
      page,
      old.map((row) => {
        const next = byId.get(row.id) ?? row;
        if (row.verdict === 'unread' && next.verdict !== 'unread') learnt += 1;
        return next;
      }),
    );
  }
  return { ...table, pages, unread: Math.max(0, table.unread - learnt) };
}

export function pagesBetween(first: number, last: number): readonly number[] {
  if (last < first) return [];
  const from = Math.floor(Math.max(0, first) / rowPageSize);
  const to = Math.floor(last / rowPageSize);
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
