import { dialogStore } from '../../ui/dialog/dialog-store.ts';
import type { FolderRow } from '../../features/objects/index.ts';
import type { Commands } from './window-commands.ts';
import type { WindowPlace } from '../places/places.ts';

/** An overlay opened by a shortcut: all commands and places, places only, or the list of shortcuts. */
export type Overlay = 'commands' | 'places' | 'shortcuts';

/** The palette's actions on a chosen entry. */
export interface OverlayServices {
  readonly commands: Commands;
  readonly onGo: (place: WindowPlace) => void;
  /** The rows that are loaded of the folder on the screen. */
  readonly loadedRows: () => readonly FolderRow[];
  readonly onRow: (row: FolderRow) => void;
}

const overlays = dialogStore<Overlay>();

/** Opens one of them; Overlays draws it. */
export const openOverlay = overlays.open;
export const closeOverlay = overlays.close;

export function useOpenOverlay(): Overlay | null {
  return overlays.useOpened(({ request }) => request);
}
