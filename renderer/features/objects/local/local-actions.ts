import type { FolderRow } from '../rows/row.ts';

/** The application's actions on files of this computer. Functions that stay the same (ui/use-stable). */
export interface LocalActions {
  /** To the folder in the other pane. */
  readonly copyToPane: () => void;
  /** These rows begin to be dragged. */
  readonly drag: (data: DataTransfer, rows: readonly FolderRow[]) => void;
  /** Files of this computer are only sent, not changed: says so. */
  readonly refuse: () => void;
}

/** An ancestor of the shown folder of this computer. */
export interface LocalFolder {
  readonly handle: string;
  readonly name: string;
}
