import type { FolderActions } from '../features/objects/index.ts';

/** What the toolbar, the shortcuts and the palette can do to the window. */
export interface Commands extends Omit<FolderActions, 'drag' | 'forgetCut' | 'downloadInBrowser'> {
  readonly back: () => void;
  readonly forward: () => void;
  readonly up: () => void;
  readonly reload: () => void;
  readonly editPath: () => void;
  readonly focusFilter: () => void;
  readonly focusStartsWith: () => void;
  readonly selectAll: () => void;
  readonly newTab: () => void;
  readonly closeTab: () => void;
  readonly nextTab: () => void;
  readonly previousTab: () => void;
  readonly toggleSidebar: () => void;
  readonly toggleDetails: () => void;
  readonly toggleLog: () => void;
  readonly toggleBookmark: () => void;
  /** The stalled uploads of the folder, or of the connection. */
  readonly openUploads: () => void;
  /** Of the selection; a history and a link belong to one object. */
  readonly properties: () => void;
  readonly objectVersions: () => void;
  readonly link: () => void;
  /** All versions and delete markers, in the place of the folder's objects. */
  readonly toggleVersions: () => void;
  readonly toggleTransfers: () => void;
  /** Of the folder on the screen, or the one that is chosen in it. */
  readonly syncUp: () => void;
  readonly syncDown: () => void;
  readonly newBucket: () => void;
  /** The settings of the bucket that is open. */
  readonly bucketSettings: () => void;
  readonly deleteBucket: () => void;
  readonly exportConnections: () => void;
  readonly importConnections: () => void;
  readonly openSettings: () => void;
  readonly openAbout: () => void;
  /** Looks for updates of the program, and shows what there is. */
  readonly openUpdates: () => void;
  readonly openPalette: () => void;
}
