import type { FolderRow } from '../rows/row.ts';

/** The actions of other features on files on this computer. The functions never change (ui/use-stable). */
export interface LocalActions {
  /** Copies the selection to the folder in the other pane. */
  readonly copyToPane: () => void;
  /** Starts dragging these rows. */
  readonly drag: (data: DataTransfer, rows: readonly FolderRow[]) => void;
  /** Asks for a folder in a bucket, and uploads these files and folders into it. */
  readonly uploadTo: (rows: readonly FolderRow[]) => void;
  /** Tells the user that Cooper does not copy files within this computer. */
  readonly refuse: () => void;
}

/** A folder on this computer, identified by the core's handle. */
export interface LocalFolder {
  readonly handle: string;
  readonly name: string;
}
