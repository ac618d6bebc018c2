import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { openAndEdit } from '../../features/edits/index.ts';
import type { FolderHandle } from '../../features/objects/index.ts';
import {
  downloadInBrowser,
  fetchForDrag,
  openUploadOptions,
  startDownload,
  startUpload,
} from '../../features/transfers/index.ts';
import { rowsPlace, type WindowPlace } from '../places/places.ts';
import { beginPricedRows } from './priced-download.ts';
import { downloadItemsOf } from '../commands/chosen-rows.ts';
import type { Commands } from '../commands/window-commands.ts';

interface TransferCommandNeeds {
  readonly place: WindowPlace;
  readonly folder: RefObject<FolderHandle | null>;
  /** True if the folder could not be opened, so that uploads into it are refused. */
  readonly isUnusable: boolean;
}

type TransferCommands = Pick<
  Commands,
  'uploadFiles' | 'uploadFolder' | 'uploadWithOptions' | 'download' | 'openAndEdit'
> & {
  /** Downloads the selected object with the browser. */
  readonly downloadInBrowser: () => void;
  /** Fetches the selected objects so that they can be dragged out. */
  readonly fetchForDrag: () => void;
};

/** Returns the commands that upload into the folder or download from it. */
export function useTransferCommands(needs: TransferCommandNeeds): TransferCommands {
  const { place, folder, isUnusable } = needs;
  const { t } = useTranslation();
  const from = rowsPlace(place);
  const selected = () => folder.current?.selected() ?? [];
  const upload = (kind: 'file' | 'folder'): void => {
    if (place.kind === 'folder' && !isUnusable) startUpload(place, kind, t);
  };
  return {
    uploadFiles: () => upload('file'),
    uploadFolder: () => upload('folder'),
    uploadWithOptions: () => {
      if (place.kind === 'folder' && !isUnusable) openUploadOptions(place);
    },
    download: () => {
      if (from === null) return;
      const rows = selected();
      const begin = (): void => startDownload(from, downloadItemsOf(rows), t);
      beginPricedRows(from, rows, begin, t);
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
    openAndEdit: () => {
      const [only, ...others] = selected();
      if (from === null || only?.kind !== 'object' || others.length > 0) return;
      openAndEdit({ connectionId: from.connectionId, bucket: from.bucket, key: only.key });
    },
  };
}
