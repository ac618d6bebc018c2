import type { QueryClient } from '@tanstack/react-query';
import { folderKey, type Pages } from './folder-query.ts';
import type { FolderSource } from './folder-source.ts';
import { PackedRows } from '../rows/packed-rows.ts';
import { RowJoin } from '../rows/row-join.ts';
import type { RowsPage } from '../rows/row.ts';

/** Minimum interval between additions to the list, since each causes a render. */
const shownEveryMs = 500;

/** How loading ended. 'whole': all loaded. 'in-turn': possible only page by page. 'overtaken': the folder was listed again. */
export type RestEnd = 'whole' | 'in-turn' | 'overtaken';

/**
 * Loads the rest of a folder, many pages in parallel, and appends it in the service's order. Throws the error of the service or of
 * the connection to the core; rows appended until then stay.
 */
export async function loadRest(
  queries: QueryClient,
  { id, rest }: Pick<FolderSource, 'id' | 'rest'>,
  signal: AbortSignal,
): Promise<RestEnd> {
  const key = folderKey(id);
  const begun = queries.getQueryData<Pages>(key);
  const pageToken = begun?.pages.at(-1)?.nextPageToken ?? null;
  if (begun === undefined || pageToken === null || rest === null) return 'whole';
  let latest = begun;
  let join: RowJoin<PackedRows> | null = null;
  let shownMs = performance.now();

  /** Appends the pieces joined so far. Returns false if other code has replaced the pages meanwhile. */
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
      queries.setQueryData<Pages>(key, begun);
      return 'in-turn';
    }
    if (piece.kind === 'begins') {
      join = new RowJoin(piece.after);
      continue;
    }
    join?.add({ ...piece, rows: PackedRows.ofText(piece.rows) });
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

/** Returns the page tokens of all pages except the first: each page holds the token of the next. */
function tokensOf(pages: readonly RowsPage[]): readonly (string | null)[] {
  return pages.slice(0, -1).map(({ nextPageToken }) => nextPageToken);
}
