import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FolderActions, FolderRow, LocalActions } from '../../features/objects/index.ts';
import {
  beginDrag,
  beginFileDrag,
  forgetCut,
  openOperation,
  runRename,
  type OperationPlace,
} from '../../features/operations/index.ts';
import { downloadInBrowser, fetchForDrag, uploadFiles } from '../../features/transfers/index.ts';
import { rpc } from '../../rpc/client.ts';
import { desktopBridge } from '../../rpc/message-port.ts';
import { saveFrom } from '../../rpc/save-file.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { keysOf } from '../../ui/keyboard/commands.ts';
import { shortcutText } from '../../ui/keyboard/shortcuts.ts';
import { showNotice } from '../../ui/notices/notices.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { downloadItemsOf, handlesOf, beginPricedRows } from '../services/priced-download.ts';
import { selectedIn, type Commands, type CommandWindow } from '../commands/define-command.ts';
import { rowsPlace } from '../places/places.ts';
import { showReport } from '../services/object-extras.ts';

/** Returns the window's commands and the other actions on the rows of a folder or a search. The object never changes. */
export function useFolderActions(
  windowRuns: Commands,
  window: Pick<CommandWindow, 'place' | 'folder' | 'operations'>,
): FolderActions {
  const { t } = useTranslation();
  const { place, operations } = window;
  const from = rowsPlace(place);
  const selected = (): readonly FolderRow[] => selectedIn(window);
  const rowActions = useStable({
    manifest: () => {
      if (from !== null) saveManifest(from, selected(), t);
    },
    inventory: () => showReport(place, selected()),
    renameRow: async (at: OperationPlace, row: FolderRow, newName: string) => {
      if (row.kind === 'folder') openOperation({ kind: 'rename', place: at, row, newName });
      else await runRename(at, row, newName, operations);
    },
    drag: (data: DataTransfer, rows: readonly FolderRow[]) => {
      if (from !== null) beginDrag(data, from, rows, t);
    },
    downloadInBrowser: () => {
      const [only] = selected();
      if (from !== null && only?.kind === 'object')
        beginPricedRows(from, [only], () => downloadInBrowser(from, only.key), t);
    },
    fetchForDrag: () => {
      const rows = selected();
      if (from === null || rows.length === 0 || rows.some(({ kind }) => kind !== 'object')) return;
      beginPricedRows(from, rows, () => fetchForDrag(from, rows), t);
    },
  });
  const [actions] = useState<FolderActions>(() => {
    const { manifest, inventory, ...ofRows } = rowActions;
    const { properties, objectVersions: versions, link } = windowRuns;
    const isDesktop = desktopBridge() !== null;
    return {
      ...windowRuns,
      ...ofRows,
      about: { properties, versions, link, manifest, inventory },
      forgetCut,
      downloadInBrowser: isDesktop ? null : ofRows.downloadInBrowser,
      fetchForDrag: isDesktop ? ofRows.fetchForDrag : null,
    };
  });
  return actions;
}

/** Writes every object key in a selection, including its folders, into a file. Shows errors as notices. */
function saveManifest(
  { connectionId, bucket, folder }: OperationPlace,
  rows: readonly FolderRow[],
  t: TFunction,
): void {
  if (rows.length === 0) return;
  sayingFailure(async () => {
    const title = t('entries.manifest.title');
    const items = downloadItemsOf(rows);
    const made = await rpc.walks.manifest({ connectionId, bucket, folder, items, title });
    if (made.kind === 'download') saveFrom(made.path, made.fileName);
    else if (made.kind === 'saved')
      showNotice({
        message: (say) => say('entries.manifest.saved', { count: made.rows, name: made.fileName }),
      });
  });
}

/** Returns the window's actions on files on this computer. The object never changes. */
export function useLocalActions({ copyToPane }: Commands): LocalActions {
  const { t } = useTranslation();
  return useStable({
    copyToPane,
    drag: (data: DataTransfer, rows: readonly FolderRow[]) => beginFileDrag(data, handlesOf(rows), rows, t),
    uploadTo: (rows: readonly FolderRow[]) =>
      openOperation({ kind: 'upload-target', rows, onChoose: (to) => uploadFiles(to, handlesOf(rows)) }),
    refuse: () => {
      showNotice({
        message: (say) => say('files.onlySent', { keys: shortcutText(keysOf('copyToPane') ?? '') }),
        staysMs: 5000,
      });
    },
  });
}
