import type { QueryClient } from '@tanstack/react-query';
import { folderKey, type Pages } from './folder-query.ts';
import type { FolderSource } from './folder-source.ts';
import { PackedRows } from '../rows/packed-rows.ts';
import { RowJoin } from '../rows/row-join.ts';
import type { RowsPage } from '../rows/row.ts';

/** Minimum interval between additions to the list, since each causes a render. */
const shownEveryMs = 500;

/**
 * How loading ended: `whole` if all rows are loaded, `in-turn` if the folder can only be loaded page by page, `overtaken` if it
 * was listed again meanwhile.
 */
export type RestEnd = 'whole' | 'in-turn' | 'overtaken';

/**
 * Loads the rest of a folder, many pages in parallel, and appends the rows in the service's order. Throws the error of the
 * service or of the connection to the core. Rows appended before an error stay.
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

/** Returns the page tokens of all pages except the first. Each page holds the token of the next page. */
function tokensOf(pages: readonly RowsPage[]): readonly (string | null)[] {
  return pages.slice(0, -1).map(({ nextPageToken }) => nextPageToken);
}
