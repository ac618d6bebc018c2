import type { TFunction } from 'i18next';
import { rpc } from '../../../rpc/client.ts';
import { desktopBridge } from '../../../rpc/message-port.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import { askToConfirm } from '../../../ui/dialog/ask-to-confirm.tsx';
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

/**
 * Asks for confirmation, and moves local files to the system's trash. Only the desktop app can use the trash; in a browser they
 * are deleted permanently, as the question says. Calls `onDone` even after a failure, since some files may be gone.
 */
export function askToRemove(
  folderHandle: string,
  names: readonly string[],
  onDone: () => void,
  t: TFunction,
): void {
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
