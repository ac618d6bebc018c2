import { create } from 'zustand';
import type { FolderModel } from './folder-model.ts';

/** Folders with more pages than this are listed again only on request. */
const maxPages = 10;

/**
 * The models to show until the new rows arrive, by the id of their place. Functions, since a model may be created only after the
 * request.
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
 * Returns how to refresh a folder. `again`: list it again, and show its rows until then. `cut-short`: too long and not visible, so
 * list only its first page. `say-so`: too long but visible, so only mark it as out of date.
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

/** Returns how to refresh a folder that the user returned to. `say-so`: too long to be listed again, so its page shows its age. */
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

/** Returns the model whose rows the new ones replace, once; null if there is none. */
export function takeRefreshed(id: string): FolderModel | null {
  const before = refreshed.get(id)?.() ?? null;
  refreshed.delete(id);
  return before;
}

/** Forgets the rows to be replaced, and that the folder was out of date. The next listing starts afresh. */
export function endRefresh(id: string): void {
  refreshed.delete(id);
  const { ids } = useOutdatedIds.getState();
  if (ids.has(id))
    useOutdatedIds.setState({ ids: new Map([...ids].filter(([outdatedId]) => outdatedId !== id)) });
}

export function useOutdated(id: string): Outdated | null {
  return useOutdatedIds(({ ids }) => ids.get(id) ?? null);
}
