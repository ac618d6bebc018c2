import { useCallback } from 'react';
import { clipboardLine } from '../../../ui/clipboard/shell-quote.ts';
import { showNotice } from '../../../ui/notices/notices.tsx';
import { copyAndSay } from '../../../ui/clipboard/copy-text.ts';
import { rpc } from '../../../rpc/client.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import type { FolderPlace } from '../rows/place.ts';
import type { FolderRow } from '../rows/row.ts';

/** Dialogs about the selection, which other features provide through the application. */
export interface AboutActions {
  readonly properties: () => void;
  /** Shows the versions of the one selected object. */
  readonly versions: () => void;
  readonly link: () => void;
  /** Opens the S3 Inventory report whose manifest.json is selected. */
  readonly inventory: () => void;
  /** Saves a file that lists every selected key, for example for S3 Batch Operations. */
  readonly manifest: () => void;
}

/**
 * The actions of other features on a folder and its selection. The functions never change (ui/use-stable), so that rows do not
 * re-render.
 */
export interface FolderActions {
  /** Dialogs about the selection. */
  readonly about: AboutActions;
  readonly uploadFiles: () => void;
  readonly uploadFolder: () => void;
  /** Uploads after asking for storage options. */
  readonly uploadWithOptions: () => void;
  /** Downloads the selection, or the whole folder. */
  readonly download: () => void;
  /** Downloads one object through the browser; null in the desktop app. */
  readonly downloadInBrowser: (() => void) | null;
  /** Fetches the selected objects so that they can be dragged out; null in a browser. */
  readonly fetchForDrag: (() => void) | null;
  /** Opens the one selected object with the system's program for its type. */
  readonly openAndEdit: () => void;
  /** Searches the selected folder, or the open folder without a selection. */
  readonly search: () => void;
  readonly folderSize: () => void;
  readonly newFolder: () => void;
  /** Starts editing the name of a single selected row, or asks for a pattern if several are selected. */
  readonly rename: () => void;
  /** Renames a row of this folder. Throws if the core refuses the name. */
  readonly renameRow: (place: FolderPlace, row: FolderRow, name: string) => Promise<void>;
  readonly cut: () => void;
  /** Marks the selection for pasting, and copies its keys to the clipboard as text. */
  readonly copy: () => void;
  readonly paste: () => void;
  readonly copyTo: () => void;
  readonly moveTo: () => void;
  readonly remove: () => void;
  /** Deletes the selection with all versions. */
  readonly removeVersions: () => void;
  /** Clears the mark on rows that were cut, on Escape. Returns true if rows were marked. */
  readonly forgetCut: () => boolean;
  /** Starts dragging these rows. */
  readonly drag: (data: DataTransfer, rows: readonly FolderRow[]) => void;
}

/** Copies a text and confirms it with a notice. If `textOf` returns null, the notice says that copying is impossible. */
export function putOnClipboard(textOf: () => Promise<string | null> | string | null): void {
  sayingFailure(async () => {
    const text = await textOf();
    if (text === null) showNotice({ tone: 'bad', message: (say) => say('objects.copyAs.impossible') });
    else await copyAndSay(text, (say) => say('objects.menu.copied'));
  });
}

export type CopyKind = 'key' | 's3Uri' | 'httpsUrl';

/**
 * Returns a function that copies keys, or their addresses, one per line. Copies keys unchanged, without the marks that the window
 * shows for invisible characters. Quotes a key for a shell if a terminal might execute it.
 */
export function useCopyKeys(place: FolderPlace): (kind: CopyKind, keys: readonly string[]) => void {
  const { connectionId, bucket } = place;
  return useCallback(
    (kind, keys) => {
      const textOf = async (key: string): Promise<string> =>
        kind === 'key' ? key : (await rpc.objects.addresses({ connectionId, bucket, key }))[kind];
      putOnClipboard(async () => (await Promise.all(keys.map(textOf))).map(clipboardLine).join('\n'));
    },
    [connectionId, bucket],
  );
}
