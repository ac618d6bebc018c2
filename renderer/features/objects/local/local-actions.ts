import type { FolderRow } from '../rows/row.ts';

/** The application's actions on files of this computer. Functions with a permanent identity (ui/use-stable). */
export interface LocalActions {
  /** Copies to the folder in the other pane. */
  readonly copyToPane: () => void;
  /** Starts dragging these rows. */
  readonly drag: (data: DataTransfer, rows: readonly FolderRow[]) => void;
  /** Asks for a folder of a bucket, and uploads these files and folders into it. */
  readonly uploadTo: (rows: readonly FolderRow[]) => void;
  /** Says that files are not copied within this computer. */
  readonly refuse: () => void;
}

/** An ancestor of the shown folder of this computer. */
export interface LocalFolder {
  readonly handle: string;
  readonly name: string;
}
