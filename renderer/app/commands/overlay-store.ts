import type { WindowCommand } from '../../../shared/commands.ts';
import type { Place } from '../../../shared/models/objects.ts';
import { dialogStore } from '../../ui/dialog/define-dialog.tsx';
import { catchEarlyKeys, type EarlyKeys, type EarlyText } from '../../ui/keyboard/early-keys.ts';
import type { FolderRow } from '../../features/objects/index.ts';
import type { Commands } from './define-command.ts';
import type { WindowPlace } from '../places/places.ts';

/** An overlay opened by a shortcut: the palette with all commands and places, with places only, or the list of shortcuts. */
export type Overlay =
  { readonly kind: 'commands' } | { readonly kind: 'places' } | { readonly kind: 'shortcuts' };

/** The palette's actions on a chosen entry. */
export interface OverlayServices {
  readonly commands: Commands;
  /** Returns the commands that can run now. */
  readonly offered: () => readonly WindowCommand[];
  readonly onGo: (place: WindowPlace) => void;
  /** Returns the loaded rows of the visible folder. */
  readonly loadedRows: () => readonly FolderRow[];
  readonly onRow: (row: FolderRow) => void;
  /** Opens the folder of an object, and selects the object. */
  readonly onObject: (bucket: Place, key: string) => void;
  /** Searches all names in a bucket. */
  readonly onSearch: (bucket: Place, text: string) => void;
}

export const overlays = dialogStore<Overlay>();

/** Captures keys typed before the palette's field has focus, since the palette's code is only loaded on first use. */
let early: EarlyKeys | null = null;

/** Returns the text typed so far, and stops capturing keys. A second call returns an empty text. */
export function takeEarlyKeys(): EarlyText {
  const typed = early?.take() ?? { text: '', replacesAll: false, isSent: false };
  early = null;
  return typed;
}

/** Opens an overlay, which `Overlays` renders. */
export function openOverlay(kind: Overlay['kind']): void {
  takeEarlyKeys();
  if (kind !== 'shortcuts') early = catchEarlyKeys('dialog');
  overlays.open({ kind });
}
