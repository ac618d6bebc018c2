import type { TFunction } from 'i18next';
import { rpc } from '../../../rpc/client.ts';
import { desktopBridge } from '../../../rpc/message-port.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import { askToConfirm } from '../../../ui/dialog/ask-to-confirm.tsx';

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
