import type { ReactNode, Ref } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import type { FolderActions } from '../actions/folder-actions.ts';
import type { FindChoice } from '../find/find-state.ts';
import type { FolderPlace, ListNumber } from '../rows/place.ts';
import type { FolderRow } from '../rows/row.ts';
import type { FolderView } from '../views/folder-views.ts';

/** The functions that the window's commands call on the visible folder. */
export interface FolderHandle {
  focus(): void;
  /** Opens the find field above the list with this choice. */
  find(choice: FindChoice): void;
  selectAll(): void;
  reload(): void;
  setView(view: FolderView): void;
  /** Returns the selected rows. Empty if all results of a search are selected, since some of them are not loaded. */
  selected(): readonly FolderRow[];
  /** Returns true if rows are selected, loaded or not. Absent if all rows are loaded. */
  hasSelected?(): boolean;
  /** Loads the selected rows, so that `selected` returns them, then calls `act`. Absent if all rows are loaded. */
  withSelected?(act: () => void): void;
  /** Selects a row once it has loaded, and scrolls to it. With `isLook`, opens a quick look if the row is loaded already. */
  select(kind: FolderRow['kind'], key: string, isLook?: boolean): void;
  /** Starts editing the name of a row in place. */
  rename(row: FolderRow): void;
  /** Returns true if a loaded row has this kind and key. */
  has(kind: FolderRow['kind'], key: string): boolean;
  /** All rows that are loaded. */
  loaded(): readonly FolderRow[];
}

/** The functions by which the folder opens other folders and panes in the window. */
export interface FolderNavigation {
  readonly openFolder: (folder: string, inNewTab: boolean) => void;
  /** Lists only names that begin with this text. */
  readonly startsWith: (text: string) => void;
  /** Searches names in this folder and all folders below. With '', opens an empty search form. */
  readonly search: (text: string) => void;
  readonly showMap: (folder: string) => void;
  readonly showDetails: (open: boolean) => void;
}

/** Pieces of the page that other features render, passed in since features may not import each other. */
export interface FolderSlots {
  /** Renders facts about a folder for its details. */
  readonly renderExtras: (prefix: string) => ReactNode;
  /** Renders an explanation of what the user can do when the folder could not be opened. */
  readonly renderWaysOut: (error: AppError) => ReactNode;
}

export interface FolderPageProps {
  readonly place: FolderPlace;
  readonly list: ListNumber;
  readonly moves: FolderNavigation;
  readonly actions: FolderActions;
  readonly slots: FolderSlots;
  readonly ref?: Ref<FolderHandle>;
}
