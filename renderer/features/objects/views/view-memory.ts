import type { RowView } from './folder-views.ts';
import { placeId, type FolderPlace, type ListNumber } from '../rows/place.ts';

/** The scroll position and focus of a folder when it was left, for a return to it. Kept until the window closes. */
export interface FolderMemory {
  /** The view to which `scrollTopPx` applies, or null before the folder was shown. */
  readonly view: RowView | null;
  readonly scrollTopPx: number;
  readonly focus: { readonly kind: 'folder' | 'object'; readonly key: string } | null;
  /** True if the folder opens with a quick look at the focused row. */
  readonly isLooking?: boolean;
}

const maxRemembered = 200;
const memories = new Map<string, FolderMemory>();

export function recallFolder(id: string): FolderMemory | undefined {
  return memories.get(id);
}

export function rememberFolder(id: string, memory: FolderMemory): void {
  memories.delete(id);
  memories.set(id, memory);
  const [oldest] = memories.keys();
  if (memories.size > maxRemembered && oldest !== undefined) memories.delete(oldest);
}

/** Lets the folder open with this object focused, and with a quick look if requested. */
export function rememberObject(place: FolderPlace, list: ListNumber, key: string, isLooking: boolean): void {
  const id = placeId(place, list);
  const known = memories.get(id);
  rememberFolder(id, {
    view: known?.view ?? null,
    scrollTopPx: known?.scrollTopPx ?? 0,
    focus: { kind: 'object', key },
    isLooking,
  });
}

/** Lets the parent folder open with this child folder focused, after the user went up. */
export function rememberChild(parentId: string, child: string): void {
  const known = memories.get(parentId);
  rememberFolder(parentId, {
    view: known?.view ?? null,
    scrollTopPx: known?.scrollTopPx ?? 0,
    focus: { kind: 'folder', key: child },
  });
}
