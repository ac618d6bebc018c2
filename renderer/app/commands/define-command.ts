import type { QueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import type { RefObject } from 'react';
import type { WindowCommand } from '../../../shared/commands.ts';
import type { FolderHandle, FolderRow } from '../../features/objects/index.ts';
import type { OperationServices } from '../../features/operations/index.ts';
import type { NavigationAction, Pane, Tab } from '../places/navigation.ts';
import { rowsPlace, type FolderWindowPlace, type WindowPlace } from '../places/places.ts';

/** A part of the window that a command shows or hides. */
interface Toggle {
  readonly toggle: () => void;
}

/** The state of the window in which a command runs, and the functions that change it. */
export interface CommandWindow {
  readonly tab: Tab;
  /** The active pane and its location. */
  readonly pane: Pane;
  readonly place: WindowPlace;
  /** The folder or the search results in the active pane, or null on any other page. Belongs to the same render as `place`. */
  readonly folder: RefObject<FolderHandle | null>;
  /** True if the folder could not be opened, so that nothing can be put into it. */
  readonly isUnusable: boolean;
  /** The connection of the location, otherwise the first connection. */
  readonly connectionId: string | null;
  readonly go: (place: WindowPlace) => void;
  readonly dispatch: (action: NavigationAction) => void;
  readonly operations: OperationServices;
  /** Returns true if the service of this connection runs batch jobs. */
  readonly offersBatches: (connectionId: string) => boolean;
  readonly sidebar: Toggle;
  readonly details: Toggle;
  readonly log: Toggle;
  readonly transfers: Toggle;
  readonly versions: Toggle;
  readonly bookmark: Toggle;
  readonly path: { readonly edit: () => void; readonly showSiblings: () => void };
  readonly queries: QueryClient;
  readonly t: TFunction;
}

/** The function that runs each command in this window. */
export type Commands = Readonly<Record<WindowCommand, () => void>>;

interface CommandAction {
  /** Returns true if the command can run now. Without it, the command can always run. */
  readonly enabled?: (window: CommandWindow) => boolean;
  readonly run: (window: CommandWindow) => void;
  /** True if the command acts on the selected rows. Beside search results, the palette offers it only while some are selected. */
  readonly isOnRows?: boolean;
  /**
   * True if `run` checks again whether it can run. `enabled` reads the rendered location, and navigation may be ahead of it
   * (`useNavigation`), so keys must reach `run` even while the toolbar disables the command.
   */
  readonly isAheadOfRender?: boolean;
}

/** A command of the window: when it can run, and what it does. */
export interface DefinedCommand<Id extends WindowCommand = WindowCommand> extends Required<CommandAction> {
  readonly id: Id;
}

/**
 * Defines a command of the window. Shortcuts, the palette, the toolbar and the menus all run it from here. Its name and keys are in
 * `shared/commands.ts`, since the desktop's menu shows them in another process.
 */
export function defineCommand<Id extends WindowCommand>(
  id: Id,
  { enabled = always, run, isOnRows = false, isAheadOfRender = false }: CommandAction,
): DefinedCommand<Id> {
  return { id, enabled, run, isOnRows, isAheadOfRender };
}

function always(): boolean {
  return true;
}

/** Returns the visible folder of a bucket, or null on any other page. */
export function folderIn({ place }: CommandWindow): FolderWindowPlace | null {
  return place.kind === 'folder' ? place : null;
}

/** Calls `work` with the visible folder of a bucket. Has no effect on any other page. */
export function withFolder(window: CommandWindow, work: (place: FolderWindowPlace) => void): void {
  const place = folderIn(window);
  if (place !== null) work(place);
}

/** Returns true if a folder of a bucket is visible. */
export function isInFolder({ place }: CommandWindow): boolean {
  return place.kind === 'folder';
}

/** Returns true if a folder of a bucket, or the results of a search, are visible. */
function hasRows({ place }: CommandWindow): boolean {
  return rowsPlace(place) !== null;
}

/** The facts that commands on the selected rows share. */
export const onRows = { enabled: hasRows, isOnRows: true } as const;

/** Returns true unless the visible folder could not be opened. */
export function isUsable({ isUnusable }: CommandWindow): boolean {
  return !isUnusable;
}

/** Returns the selected rows of the visible folder or search results. */
export function selectedIn({ folder }: Pick<CommandWindow, 'folder'>): readonly FolderRow[] {
  return folder.current?.selected() ?? [];
}

/** Returns true if rows of the visible folder or search results are selected, also ones that are not loaded. */
export function hasSelected({ folder }: Pick<CommandWindow, 'folder'>): boolean {
  return folder.current?.hasSelected?.() ?? selectedIn({ folder }).length > 0;
}

/** Returns the selected folder if it is the only selected row, otherwise the visible folder. Null on any other page. */
export function chosenFolderIn(window: CommandWindow): FolderWindowPlace | null {
  const place = folderIn(window);
  const [first, ...others] = place === null ? [] : selectedIn(window);
  return place !== null && first?.kind === 'folder' && others.length === 0
    ? { ...place, folder: first.key }
    : place;
}
