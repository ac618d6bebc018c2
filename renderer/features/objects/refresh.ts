import { useSyncExternalStore } from 'react';
import type { FolderModel } from './folder-model.ts';

/** Folders with more pages than this are listed again only when they are asked for. */
const mostPages = 10;

/** What stood there, until the new rows are here: by the id of the place. */
const refreshed = new Map<string, FolderModel>();
const outdated = new Set<string>();
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

/**
 * Notes that a folder is listed again. `again`: all of its pages; `cut-short`: the first alone, since nobody looks at it;
 * `say-so`: not at all, its page tells that it is out of date.
 */
export function beginRefresh(
  id: string,
  pages: number,
  isShown: boolean,
  model: FolderModel | null,
): 'again' | 'cut-short' | 'say-so' {
  if (pages > mostPages && isShown) {
    outdated.add(id);
    changed();
    return 'say-so';
  }
  if (pages > mostPages) return 'cut-short';
  if (model !== null) refreshed.set(id, model);
  return 'again';
}

/** The rows that the new ones take the place of; null where they do not continue anything. */
export function takeRefreshed(id: string): FolderModel | null {
  const before = refreshed.get(id) ?? null;
  refreshed.delete(id);
  return before;
}

/** The folder is listed from its beginning: nothing is carried over. */
export function endRefresh(id: string): void {
  refreshed.delete(id);
  if (outdated.delete(id)) changed();
}

export function useOutdated(id: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => outdated.has(id),
  );
}
