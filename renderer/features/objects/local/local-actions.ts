import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { FileEntry } from '../../../../shared/models/files.ts';
import { rpc } from '../../../rpc/client.ts';
import { desktopBridge } from '../../../rpc/message-port.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import { askToConfirm } from '../../../ui/dialog/ask-to-confirm.tsx';
import { useStable } from '../../../ui/use-stable.ts';
import type { FolderModel } from '../folder/folder-model.ts';
import { useRowRename } from '../rename/use-row-rename.ts';
import { rowName, type FolderRow } from '../rows/row.ts';

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

/**
 * Asks for confirmation, and moves local files to the system's trash. Only the desktop app can use the trash; in a browser they
 * are deleted permanently, as the question says. Calls `onDone` even after a failure, since some files may be gone.
 */
function askToRemove(folderHandle: string, names: readonly string[], onDone: () => void, t: TFunction): void {
  const isPermanent = desktopBridge() === null;
  const count = names.length;
  askToConfirm(
    {
      title: t(isPermanent ? 'files.remove.title' : 'files.remove.trashTitle', { count }),
      body: t(isPermanent ? 'files.remove.body' : 'files.remove.trashBody'),
      labels: {
        confirm: t(isPermanent ? 'files.remove.delete' : 'files.remove.trash'),
        cancel: t('common.cancel'),
      },
      weight: isPermanent ? 'destructive' : 'heavy',
      onConfirm: () => {
        sayingFailure(async () => {
          try {
            await rpc.files.remove({ folderHandle, names: [...names], isPermanent });
          } finally {
            onDone();
          }
        });
      },
    },
    t,
  );
}

interface ChangedFolder {
  /** The id of the folder in its list. */
  readonly of: string;
  /** Null for the list of top-level folders, in which nothing can be changed. */
  readonly folder: LocalFolder | null;
  readonly model: FolderModel | null;
  readonly reload: () => void;
  readonly showRow: (position: number) => void;
  readonly selectedRows: () => readonly FolderRow[];
  readonly selectRow: (kind: FolderRow['kind'], key: string) => void;
  readonly focusList: () => void;
}

/** Returns the functions that rename and remove the files of a local folder, and show a new one. `edits` never changes. */
export function useLocalChanges({
  of,
  folder,
  model,
  reload,
  showRow,
  selectedRows,
  selectRow,
  focusList,
}: ChangedFolder) {
  const { t } = useTranslation();
  const showEntry = ({ kind, name }: FileEntry): void => {
    reload();
    selectRow(kind === 'folder' ? 'folder' : 'object', kind === 'folder' ? `${name}/` : name);
  };
  const naming = useStable({
    problemOf: (row: FolderRow, name: string) => {
      if (name === '') return (say: TFunction) => say('operations.name.empty');
      const isTaken =
        name !== rowName(row, '') &&
        model !== null &&
        (model.find('object', name) !== -1 || model.find('folder', `${name}/`) !== -1);
      return isTaken ? (say: TFunction) => say('files.nameExists') : null;
    },
    submit: async (row: FolderRow, newName: string) => {
      if (folder === null) return;
      showEntry(await rpc.files.rename({ folderHandle: folder.handle, name: rowName(row, ''), newName }));
    },
    focusList,
  });
  const { rename: renaming, begin: beginRename } = useRowRename({
    of,
    model,
    isComplete: true,
    showRow,
    ...naming,
  });
  const edits = useStable({
    rename: () => {
      const [row, ...others] = selectedRows();
      if (folder !== null && row !== undefined && others.length === 0) beginRename(row);
    },
    remove: () => {
      const names = selectedRows().map((row) => rowName(row, ''));
      if (folder !== null && names.length > 0) askToRemove(folder.handle, names, reload, t);
    },
  });
  return { renaming, beginRename, edits, showEntry };
}
