import type { TFunction } from 'i18next';
import { assertNever } from '../../../shared/assert-never.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { FolderHandle, FolderRow } from '../../features/objects/index.ts';
import { refreshFolders } from '../../features/objects/index.ts';
import {
  beginTransfer,
  isSameBucket,
  pasteMarked,
  useDragTargets,
  type Chosen,
  type Drop,
  type OperationPlace,
  type OperationServices,
} from '../../features/operations/index.ts';
import { downloadInto, fetchForDrag, uploadFiles } from '../../features/transfers/index.ts';
import { showNotice } from '../../ui/notices/notices.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { downloadItemsOf, beginPricedRows } from './priced-download.ts';
import { rowsPlace, type WindowPlace } from '../places/places.ts';
import { useFolderChanges } from './use-folder-changes.ts';

interface Needs {
  readonly place: WindowPlace;
  readonly folder: RefObject<FolderHandle | null>;
  readonly onHoldTab: (tabId: number) => void;
}

/** Returns the window's functions for operations, and runs those that drops and pastes start. Use it once. */
export function useOperations({ place, folder, onHoldTab }: Needs): OperationServices {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const shownFolder: OperationPlace | null = place.kind === 'folder' ? place : null;
  /** The folder of the selected rows. In search results, rows are in this folder or below. */
  const from = rowsPlace(place);
  const isShown = (at: OperationPlace): boolean =>
    from !== null &&
    isSameBucket(from, at) &&
    (shownFolder === null ? at.folder.startsWith(from.folder) : shownFolder.folder === at.folder);
  const follow = useFolderChanges((at, kind, key) => {
    if (isShown(at)) folder.current?.select(kind, key);
  });
  const services: OperationServices = useStable({
    focusList: () => folder.current?.focus(),
    has: (at: OperationPlace, kind: FolderRow['kind'], key: string) =>
      isShown(at) && folder.current?.has(kind, key) === true,
    changed: (at: OperationPlace, kind: FolderRow['kind'], key: string) => {
      refreshFolders(queries, at);
      if (isShown(at)) folder.current?.select(kind, key);
    },
    changedBy: follow,
  });
  useDragTargets(useStable({ onDrop: (drop: Drop) => takeDrop(drop, services, t), onHoldTab }));
  usePaste(() => {
    if (shownFolder !== null) pasteMarked(shownFolder, services, t);
  });
  return services;
}

/** Copies, moves or uploads what was dropped onto a folder. */
function takeDrop(drop: Drop, services: OperationServices, t: TFunction): void {
  switch (drop.kind) {
    case 'transfer':
      beginTransfer(drop.transfer, services, t);
      break;
    case 'upload':
      uploadFiles(drop.to, drop.handles);
      break;
    case 'download':
      beginPricedRows(
        drop.from,
        drop.rows,
        () => downloadInto(drop.from, downloadItemsOf(drop.rows), drop.folder.handle),
        t,
      );
      break;
    case 'outside':
      offerToFetch(drop.from, drop.rows, t);
      break;
    default:
      assertNever(drop);
  }
}

/** Says why objects that were dropped outside the window did not arrive there, and offers to fetch them. */
function offerToFetch(from: OperationPlace, rows: readonly Chosen[], t: TFunction): void {
  const fetch = (): void => beginPricedRows(from, rows, () => fetchForDrag(from, rows), t);
  const action = { label: (say: TFunction) => say('transfers.fetchForDrag'), onClick: fetch };
  showNotice({
    message: (say) => say('transfers.drag.outside'),
    actions: rows.every(({ kind }) => kind === 'object') ? [action] : [],
    staysMs: 10_000,
  });
}

/** Handles Ctrl+V outside fields and dialogs. Ignores pasted files, which the upload code handles. */
function usePaste(onRows: () => void): void {
  const latest = useStable({ onRows });
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const isInField = event.target instanceof Element && event.target.closest('input, textarea') !== null;
      if (event.defaultPrevented || isInField || document.querySelector('[role="dialog"]') !== null) return;
      if (event.clipboardData !== null && event.clipboardData.files.length > 0) return;
      event.preventDefault();
      latest.onRows();
    };
    window.addEventListener('paste', onPaste);
    return () => window.removeEventListener('paste', onPaste);
  }, [latest]);
}
