import { useSyncExternalStore } from 'react';
import type { FolderRow } from '../features/objects/index.ts';
import type { Commands } from './commands.ts';
import type { WindowPlace } from './places.ts';

/** What lies over the window at a key: all commands and places, places alone, or the list of shortcuts. */
export type Overlay = 'commands' | 'places' | 'shortcuts';

/** What the palette does with what is chosen. */
export interface OverlayServices {
  readonly commands: Commands;
  readonly onGo: (place: WindowPlace) => void;
  /** The rows that are loaded of the folder on the screen. */
  readonly loadedRows: () => readonly FolderRow[];
  readonly onRow: (row: FolderRow) => void;
}

let open: Overlay | null = null;
const listeners = new Set<() => void>();

function set(next: Overlay | null): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Opens one of them; Overlays draws it. */
export function openOverlay(overlay: Overlay): void {
  set(overlay);
}

export function closeOverlay(): void {
  set(null);
}

export function useOpenOverlay(): Overlay | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
}
