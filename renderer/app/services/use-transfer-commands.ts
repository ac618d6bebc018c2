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
import type { WindowPlace } from '../places/places.ts';
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
      if (place.kind !== 'folder') return;
      const rows = selected();
      const begin = (): void => startDownload(place, downloadItemsOf(rows), t);
      beginPricedRows(place, rows, begin, t);
    },
    downloadInBrowser: () => {
      const [only] = selected();
      if (place.kind === 'folder' && only?.kind === 'object')
        beginPricedRows(place, [only], () => downloadInBrowser(place, only.key), t);
    },
    fetchForDrag: () => {
      const rows = selected();
      if (place.kind !== 'folder' || rows.length === 0 || rows.some(({ kind }) => kind !== 'object')) return;
      beginPricedRows(place, rows, () => fetchForDrag(place, rows), t);
    },
    openAndEdit: () => {
      const [only, ...others] = selected();
      if (place.kind !== 'folder' || only?.kind !== 'object' || others.length > 0) return;
      openAndEdit({ connectionId: place.connectionId, bucket: place.bucket, key: only.key });
    },
  };
}
