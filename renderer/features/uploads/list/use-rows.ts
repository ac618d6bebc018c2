import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import type { UploadFilter, UploadRow, UploadSort } from '../../../../shared/models/uploads.ts';
import { rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import {
  emptyTable,
  pagesBetween,
  rowAt,
  rowPageSize,
  withPages,
  withRows,
  type RowTable,
} from '../model/row-table.ts';

export interface Rows {
  readonly table: RowTable;
  readonly error: AppError | null;
  /** The rows in sight; what is missing of them is read. */
  readonly onRange: (first: number, last: number) => void;
  /** Reads what is in sight anew: the order may have changed. */
  readonly refresh: () => void;
  readonly learn: (rows: readonly UploadRow[]) => void;
  /** The rows of a range, read where they are missing: for a selection that spans what was never in sight. */
  readonly range: (first: number, last: number) => Promise<readonly UploadRow[]>;
}

/** The rows of a scan by ranges. What was in sight stays until its successor has come, so nothing flickers. */
export function useRows(scanId: string | null, sort: UploadSort, filter: UploadFilter): Rows {
  const [table, setTable] = useState(emptyTable);
  const [error, setError] = useState<AppError | null>(null);
  const latest = useRef(table);
  const sight = useRef({ first: 0, last: 59 });
  const busy = useRef<{ readonly aborter: AbortController; again: boolean } | null>(null);
  const asked = useRef(new Set<number>());

  const change = useCallback((make: (now: RowTable) => RowTable) => {
    latest.current = make(latest.current);
    setTable(latest.current);
  }, []);

  const read = useCallback(
    async (pages: readonly number[], signal: AbortSignal) => {
      if (scanId === null) return [];
      return Promise.all(
        pages.map(async (page) => {
          const range = { offset: page * rowPageSize, limit: rowPageSize };
          const answer = await rpc.uploads.rows({ scanId, ...range, sort, filter }, { signal });
          return { page, answer };
        }),
      );
    },
    [scanId, sort, filter],
  );

  /** One at a time; what is asked for meanwhile is done once afterwards. */
  const refresh = useCallback(() => {
    if (scanId === null) return;
    if (busy.current !== null && !busy.current.aborter.signal.aborted) {
      busy.current.again = true;
      return;
    }
    const mine = { aborter: new AbortController(), again: false };
    busy.current = mine;
    const { signal } = mine.aborter;
    void (async () => {
      try {
        do {
          mine.again = false;
          const answers = await read(pagesBetween(sight.current.first, sight.current.last), signal);
          if (signal.aborted) return;
          asked.current.clear();
          change((now) => withPages(now, answers, true));
          setError(null);
          // Scrolled meanwhile: what was there of the order before is forgotten now, and nobody asks for it again.
          const { pages } = latest.current;
          if (pagesBetween(sight.current.first, sight.current.last).some((page) => !pages.has(page)))
            mine.again = true;
        } while (mine.again);
      } catch (thrown) {
        if (!signal.aborted) setError(appErrorOf(thrown));
      } finally {
        if (busy.current === mine) busy.current = null;
      }
    })();
  }, [scanId, read, change]);

  /** Rows of another scan, order or filter that come late belong nowhere. */
  const order = useRef(read);
  useEffect(() => {
    order.current = read;
    refresh();
    return () => {
      busy.current?.aborter.abort();
      busy.current = null;
    };
  }, [read, refresh]);

  const onRange = useCallback(
    (first: number, last: number) => {
      sight.current = { first, last };
      const { pages } = latest.current;
      const missing = pagesBetween(first, last).filter(
        (page) => !pages.has(page) && !asked.current.has(page),
      );
      if (missing.length === 0) return;
      for (const page of missing) asked.current.add(page);
      const { signal } = new AbortController();
      void (async () => {
        try {
          const answers = await read(missing, signal);
          if (order.current === read) change((now) => withPages(now, answers, false));
        } catch (thrown) {
          if (order.current === read) setError(appErrorOf(thrown));
        } finally {
          for (const page of missing) asked.current.delete(page);
        }
      })();
    },
    [read, change],
  );

  const range = useCallback(
    async (first: number, last: number) => {
      const { pages } = latest.current;
      const missing = pagesBetween(first, last).filter((page) => !pages.has(page));
      if (missing.length > 0) {
        const answers = await read(missing, new AbortController().signal);
        change((now) => withPages(now, answers, false));
      }
      const rows: UploadRow[] = [];
      for (let index = first; index <= last; index += 1) {
        const row = rowAt(latest.current, index);
        if (row !== null) rows.push(row);
      }
      return rows;
    },
    [read, change],
  );

  const learn = useCallback((rows: readonly UploadRow[]) => change((now) => withRows(now, rows)), [change]);
  return { table, error, onRange, refresh, learn, range };
}
