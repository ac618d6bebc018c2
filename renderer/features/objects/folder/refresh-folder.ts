import { create } from 'zustand';
import type { FolderModel } from './folder-model.ts';

/** Folders with more pages than this are listed again only on request. */
const maxPages = 10;

/**
 * Returns the models shown until the new rows arrive, by the id of their place. Functions, since a model may be created only
 * after the request.
 */
const refreshed = new Map<string, () => FolderModel | null>();
/**
 * The reason why rows may be out of date: a job changed them, or the user returned to a folder too long to be listed again
 * without asking.
 */
export type Outdated = 'changed' | 'revisited';

/** The places whose rows are out of date, by their ids. */
const useOutdatedIds = create<{ readonly ids: ReadonlyMap<string, Outdated> }>()(() => ({ ids: new Map() }));

/**
 * Registers a new listing of a folder. `again`: all of its pages; `cut-short`: the first only, since the folder is not visible;
 * `say-so`: none, and its page says that it is out of date.
 */
export function beginRefresh(
  id: string,
  pages: number,
  isShown: boolean,
  model: () => FolderModel | null,
): 'again' | 'cut-short' | 'say-so' {
  if (pages > maxPages && isShown) {
    sayOutdated(id, 'changed');
    return 'say-so';
  }
  if (pages > maxPages) return 'cut-short';
  refreshed.set(id, model);
  return 'again';
}

/** Registers a return to a folder. `say-so`: it is too long to be listed again, so its page says how old it is. */
export function beginRevisit(id: string, pages: number, model: () => FolderModel | null): 'again' | 'say-so' {
  if (pages > maxPages) {
    sayOutdated(id, 'revisited');
    return 'say-so';
  }
  refreshed.set(id, model);
  return 'again';
}

function sayOutdated(id: string, why: Outdated): void {
  // A change by a job takes precedence as the reason.
  useOutdatedIds.setState(({ ids }) =>
    ids.get(id) === 'changed' ? { ids } : { ids: new Map([...ids, [id, why]]) },
  );
}

/** Returns the rows that the new ones replace; null if they do not replace any. */
export function takeRefreshed(id: string): FolderModel | null {
  const before = refreshed.get(id)?.() ?? null;
  refreshed.delete(id);
  return before;
}

/** Lists the folder from its beginning without taking over rows. */
export function endRefresh(id: string): void {
  refreshed.delete(id);
  const { ids } = useOutdatedIds.getState();
  if (ids.has(id))
    useOutdatedIds.setState({ ids: new Map([...ids].filter(([outdatedId]) => outdatedId !== id)) });
}

export function useOutdated(id: string): Outdated | null {
  return useOutdatedIds(({ ids }) => ids.get(id) ?? null);
}
