import type { FolderRow, LocalActions } from '../../features/objects/index.ts';
import { openOperation } from '../../features/operations/index.ts';
import { uploadFiles } from '../../features/transfers/index.ts';
import { keysOf } from '../../ui/keyboard/commands.ts';
import { shortcutText } from '../../ui/keyboard/shortcuts.ts';
import { showNotice } from '../../ui/notices/notices.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { handlesOf } from '../commands/chosen-rows.ts';

/** Returns the window's actions on files on this computer. */
export function useLocalActions({
  copyToPane,
  drag,
}: Pick<LocalActions, 'copyToPane' | 'drag'>): LocalActions {
  return useStable({
    copyToPane,
    drag,
    uploadTo: (rows: readonly FolderRow[]) => {
      openOperation({
        kind: 'upload-target',
        rows,
        onChoose: (to) => uploadFiles(to, handlesOf(rows)),
      });
    },
    refuse: () => {
      showNotice({
        message: (say) => say('files.onlySent', { keys: shortcutText(keysOf('copyToPane') ?? '') }),
        staysMs: 5000,
      });
    },
  });
}
