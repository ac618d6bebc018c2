import type { QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import { bytesOfBase64 } from '../../../rpc/base64.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { PackedRows } from '../rows/packed-rows.ts';
import { RowJoin } from '../rows/row-join.ts';
import type { RowsPage } from '../rows/row.ts';
import { folderKey, type FolderSource, type Pages } from './folder-query.ts';

/** The progress of loading the rest of one folder. */
type Rest =
  | { readonly kind: 'running' | 'in-turn'; readonly id: string }
  | { readonly kind: 'failed'; readonly id: string; readonly error: AppError };

/** Loads the rest of a folder while `isEnabled` is true. Leaving the folder or resetting `isEnabled` aborts the requests. */
export function useLoadRest(queries: QueryClient, source: FolderSource, isEnabled: boolean) {
  const { id } = source;
  const [rest, setRest] = useState<Rest | null>(null);
  const current = rest?.id === id ? rest : null;
  const mayBegin = isEnabled && current?.kind !== 'in-turn' && current?.kind !== 'failed';

  useEffect(() => {
    if (!mayBegin) return undefined;
    const aborter = new AbortController();
    const run = async (): Promise<void> => {
      setRest({ kind: 'running', id });
      try {
        for (;;) {
          const end = await loadRest(queries, source, aborter.signal);
          if (aborter.signal.aborted) return;
          // The folder was listed again in the meantime, so loading starts over with the new page token.
          if (end === 'overtaken') continue;
          setRest(end === 'in-turn' ? { kind: 'in-turn', id } : null);
          return;
        }
      } catch (thrown) {
        if (!aborter.signal.aborted) setRest({ kind: 'failed', id, error: appErrorOf(thrown) });
      }
    };
    void run();
    return () => {
      aborter.abort();
      setRest((now) => (now?.kind === 'running' ? null : now));
    };
    // The id identifies the source.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [queries, id, mayBegin]);

  return {
    isRunning: current?.kind === 'running',
    /** True if this folder can be listed only page by page. */
    isInTurn: current?.kind === 'in-turn',
    error: current?.kind === 'failed' ? current.error : null,
    forgetError: useCallback(() => {
      setRest((now) => (now?.kind === 'failed' ? null : now));
    }, []),
  };
}

/** Minimum interval between additions to the list, since each causes a render. */
const shownEveryMs = 500;

/**
 * How loading ended: `whole` if all rows are loaded, `in-turn` if the folder can only be loaded page by page, `overtaken` if it
 * was listed again meanwhile.
 */
type RestEnd = 'whole' | 'in-turn' | 'overtaken';

/**
 * Loads the rest of a folder, many pages in parallel, and appends the rows in the service's order. Throws the error of the
 * service or of the connection to the core. Rows appended before an error stay.
 */
async function loadRest(
  queries: QueryClient,
  { id, rest }: Pick<FolderSource, 'id' | 'rest'>,
  signal: AbortSignal,
): Promise<RestEnd> {
  const key = folderKey(id);
  const startPages = queries.getQueryData<Pages>(key);
  const pageToken = startPages?.pages.at(-1)?.nextPageToken ?? null;
  if (startPages === undefined || pageToken === null || rest === null) return 'whole';
  let latest = startPages;
  let join: RowJoin<PackedRows> | null = null;
  let shownMs = performance.now();

  /** Appends the pieces joined so far. Returns false if other code has replaced the pages in the meantime. */
  const append = (): boolean => {
    if (queries.getQueryData<Pages>(key) !== latest) return false;
    const joined = join?.take() ?? [];
    if (joined.length === 0) return true;
    const pages = joined.map(pageOf);
    latest = {
      pages: [...latest.pages, ...pages],
      pageParams: [...latest.pageParams, latest.pages.at(-1)?.nextPageToken ?? null, ...tokensOf(pages)],
    };
    latest = queries.setQueryData<Pages>(key, latest) ?? latest;
    return true;
  };

  for await (const piece of await rest(pageToken, signal)) {
    if (piece.kind === 'in-turn') {
      if (queries.getQueryData<Pages>(key) !== latest) return 'overtaken';
      queries.setQueryData<Pages>(key, startPages);
      return 'in-turn';
    }
    if (piece.kind === 'begins') {
      join = new RowJoin(piece.after);
      continue;
    }
    join?.add({ ...piece, rows: PackedRows.ofBytes(bytesOfBase64(piece.rows)) });
    if (performance.now() - shownMs < shownEveryMs) continue;
    shownMs = performance.now();
    if (!append()) return 'overtaken';
  }
  return append() ? 'whole' : 'overtaken';
}

function pageOf(piece: { readonly rows: PackedRows; readonly nextPageToken: string | null }): RowsPage {
  const { rows, nextPageToken } = piece;
  const listedAtMs = Date.now();
  return {
    rows,
    listedAtMs,
    nextPageToken,
    hasPlaceholder: false,
    unreadable: [],
    foreign: { count: 0, example: null },
  };
}

/** Returns the page tokens of all pages except the first. Each page holds the token of the next page. */
function tokensOf(pages: readonly RowsPage[]): readonly (string | null)[] {
  return pages.slice(0, -1).map(({ nextPageToken }) => nextPageToken);
}
