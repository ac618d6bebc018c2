import type { RowsPage } from '../rows/row.ts';

/** The first pages of a folder that was left. */
export interface KeptFolder {
  readonly pages: readonly RowsPage[];
  readonly pageParams: readonly (string | null)[];
}

/** The maximum number of pages kept per folder. */
const maxPagesOfOne = 10;

/**
 * Keeps the folders left most recently, so that they show immediately on return. Limits the total of rows, and evicts the folder
 * left longest ago.
 */
export class KeptFolders {
  readonly #folders = new Map<string, KeptFolder>();
  readonly #maxRows: number;
  #rows = 0;

  constructor(maxRows: number) {
    this.#maxRows = maxRows;
  }

  get rowCount(): number {
    return this.#rows;
  }

  keep(id: string, { pages, pageParams }: KeptFolder): void {
    this.forget(id);
    // Copies the pages. Models are keyed weakly by their first page, so the original object would keep the whole model alive.
    const begin = pages.slice(0, maxPagesOfOne).map((page) => ({ ...page }));
    this.#folders.set(id, { pages: begin, pageParams: pageParams.slice(0, begin.length) });
    this.#rows += rowsOf(begin);
    for (const oldest of this.#folders.keys()) {
      if (this.#rows <= this.#maxRows) break;
      this.forget(oldest);
    }
  }

  get(id: string): KeptFolder | null {
    return this.#folders.get(id) ?? null;
  }

  forget(id: string): void {
    const known = this.#folders.get(id);
    if (known === undefined) return;
    this.#folders.delete(id);
    this.#rows -= rowsOf(known.pages);
  }

  /** Drops all folders whose ids start with `idsBegin`. */
  forgetAll(idsBegin: string): void {
    for (const id of this.#folders.keys()) if (id.startsWith(idsBegin)) this.forget(id);
  }
}

/** Returns the number of rows plus one, so that empty folders also count towards the limit. */
function rowsOf(pages: readonly RowsPage[]): number {
  return pages.reduce((sum, { rows }) => sum + rows.length, 1);
}
