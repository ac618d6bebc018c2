import { create } from 'zustand';
import type { FolderModel } from './folder-model.ts';

/** Folders with more pages than this are listed again only on request. */
const maxPages = 10;

/**
 * The models to show until the new rows arrive, by the id of their location. Stored as functions, since a model may be created
 * only after the request.
 */
const refreshed = new Map<string, () => FolderModel | null>();
/**
 * The reason why rows may be out of date. Either a job changed them, or the user returned to a folder too long to be listed again
 * automatically.
 */
export type Outdated = 'changed' | 'revisited';

/** The ids of locations whose rows are out of date, with the reason. */
const useOutdatedIds = create<{ readonly ids: ReadonlyMap<string, Outdated> }>()(() => ({ ids: new Map() }));

/**
 * Returns how to refresh a folder. With `again`, it is listed again and shows its rows until then. A long folder is marked as out
 * of date if visible (`say-so`); otherwise only its first page is listed (`cut-short`).
 */
export function beginRefresh(
  id: string,
  pages: number,
  isShown: boolean,
  model: () => FolderModel | null,
  why: Outdated = 'changed',
): 'again' | 'cut-short' | 'say-so' {
  if (pages <= maxPages) {
    refreshed.set(id, model);
    return 'again';
  }
  if (!isShown) return 'cut-short';
  // A change by a job takes precedence as the reason.
  useOutdatedIds.setState(({ ids }) =>
    ids.get(id) === 'changed' ? { ids } : { ids: new Map([...ids, [id, why]]) },
  );
  return 'say-so';
}

/** Removes and returns the model whose rows the new rows replace, or null. */
export function takeRefreshed(id: string): FolderModel | null {
  const before = refreshed.get(id)?.() ?? null;
  refreshed.delete(id);
  return before;
}

/** Forgets the rows to be replaced, and the mark as out of date. The next listing begins with an empty model. */
export function endRefresh(id: string): void {
  refreshed.delete(id);
  const { ids } = useOutdatedIds.getState();
  if (ids.has(id))
    useOutdatedIds.setState({ ids: new Map([...ids].filter(([outdatedId]) => outdatedId !== id)) });
}

export function useOutdated(id: string): Outdated | null {
  return useOutdatedIds(({ ids }) => ids.get(id) ?? null);
}
