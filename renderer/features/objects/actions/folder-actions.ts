import type { FolderRow } from '../rows/row.ts';

/**
 * The actions of other features on a folder and its selection. The
 * application puts it together of functions that stay the same (ui/use-stable), so that no row is drawn again for it.
 */
export interface FolderActions {
  readonly uploadFiles: () => void;
  readonly uploadFolder: () => void;
  /** Asks first how it is stored. */
  readonly uploadWithOptions: () => void;
  /** The selection, or all of the folder. */
  readonly download: () => void;
  /** One object, to where the browser puts its downloads; null in a program of the desktop. */
  readonly downloadInBrowser: (() => void) | null;
  /** The one object that is selected, with the system's program for its kind. */
  readonly openAndEdit: () => void;
  /** Below the chosen folder, or this one. */
  readonly search: () => void;
  readonly folderSize: () => void;
  readonly newFolder: () => void;
  readonly rename: () => void;
  readonly cut: () => void;
  /** Marks the selection for pasting; its keys go to the clipboard as text. */
  readonly copy: () => void;
  readonly paste: () => void;
  readonly copyTo: () => void;
  readonly moveTo: () => void;
  readonly remove: () => void;
  /** The selection with all of its versions. */
  readonly removeVersions: () => void;
  /** Clears the cut mark (Escape). Returns true if there was one. */
  readonly forgetCut: () => boolean;
  /** These rows begin to be dragged. */
  readonly drag: (data: DataTransfer, rows: readonly FolderRow[]) => void;
}
