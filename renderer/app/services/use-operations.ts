import type { TFunction } from 'i18next';
import { folderOf } from '../../../shared/keys/paths.ts';
import { assertNever } from '../../../shared/assert-never.ts';
import { maxSelectedItems } from '../../../shared/models/selection-limit.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { FolderActions, FolderHandle, FolderRow } from '../../features/objects/index.ts';
import { refreshFolders } from '../../features/objects/index.ts';
import {
  beginDrag,
  beginTransfer,
  copyMarked,
  cutMarked,
  forgetCut,
  openOperation,
  pasteMarked,
  runRename,
  useDragTargets,
  beginFileDrag,
  type Chosen,
  type Drop,
  type OperationPlace,
  type OperationServices,
} from '../../features/operations/index.ts';
import { downloadInto, fetchForDrag, showStartedJob, uploadFiles } from '../../features/transfers/index.ts';
import { showNotice } from '../../ui/notices/notices.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { beginPricedRows } from './priced-download.ts';
import { handlesOf, downloadItemsOf } from '../commands/chosen-rows.ts';
import { rowsPlace, type WindowPlace } from '../places/places.ts';
import { useFolderChanges } from './use-folder-changes.ts';

type OperationActions = Pick<
  FolderActions,
  | 'newFolder'
  | 'rename'
  | 'renameRow'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'copyTo'
  | 'moveTo'
  | 'remove'
  | 'removeVersions'
  | 'forgetCut'
  | 'drag'
>;

interface Operations {
  readonly actions: OperationActions;
  /** Starts dragging files on this computer. */
  readonly dragFiles: (data: DataTransfer, rows: readonly FolderRow[]) => void;
  readonly services: OperationServices;
}

interface Needs {
  readonly place: WindowPlace;
  readonly folder: RefObject<FolderHandle | null>;
  readonly connectionName: (connectionId: string) => string;
  readonly onHoldTab: (tabId: number) => void;
}

/** Returns the window's operations on objects, for menus, keys and the palette. Use it once. */
export function useOperations({ place, folder, connectionName, onHoldTab }: Needs): Operations {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const here: OperationPlace | null = place.kind === 'folder' ? place : null;
  /** The folder of the selected rows. In search results, rows are in this folder or below. */
  const from = rowsPlace(place);
  const isHere = (at: OperationPlace): boolean =>
    from !== null &&
    from.connectionId === at.connectionId &&
    from.bucket === at.bucket &&
    (here === null ? at.folder.startsWith(from.folder) : here.folder === at.folder);
  const follow = useFolderChanges((at, kind, key) => {
    if (isHere(at)) folder.current?.select(kind, key);
  });
  const services: OperationServices = useStable({
    showJob: showStartedJob,
    connectionName,
    focusList: () => folder.current?.focus(),
    has: (at: OperationPlace, kind: FolderRow['kind'], key: string) =>
      isHere(at) && folder.current?.has(kind, key) === true,
    changed: (at: OperationPlace, kind: FolderRow['kind'], key: string) => {
      refreshFolders(queries, at);
      if (isHere(at)) folder.current?.select(kind, key);
    },
    changedBy: follow,
  });
  const withRows = (work: (at: OperationPlace, rows: readonly FolderRow[]) => void): void => {
    const rows = folder.current?.selected() ?? [];
    if (from !== null && rows.length > 0) work(from, rows);
  };
  const chooseTarget = (isMove: boolean) => (): void => {
    withRows((at, rows) => openOperation({ kind: 'target', from: at, rows, isMove }));
  };
  const remove = (allVersions: boolean) => (): void => {
    withRows((at, rows) => openOperation({ kind: 'delete', place: at, rows, allVersions }));
  };
  const paste = (): void => {
    if (here !== null) pasteMarked(here, services, t);
  };
  const actions: OperationActions = useStable({
    newFolder: () => {
      if (here !== null) openOperation({ kind: 'new-folder', place: here });
    },
    rename: () => {
      withRows((at, rows) => {
        const [row, ...others] = rows;
        if (row === undefined) return;
        const [parent = at.folder, ...otherParents] = new Set(rows.map(({ key }) => folderOf(key)));
        const canRenameAll = rows.length <= maxSelectedItems && rows.every(({ kind }) => kind === 'object');
        if (others.length === 0) folder.current?.rename(row);
        else if (!canRenameAll) showNotice({ message: (say) => say('operations.rename.only') });
        else if (otherParents.length > 0)
          showNotice({ message: (say) => say('operations.rename.oneFolder') });
        else openOperation({ kind: 'rename-many', place: { ...at, folder: parent }, rows });
      });
    },
    renameRow: async (at: OperationPlace, row: FolderRow, newName: string) => {
      if (row.kind === 'folder') openOperation({ kind: 'rename', place: at, row, newName });
      else await runRename(at, row, newName, services);
    },
    cut: () => {
      withRows((at, rows) => cutMarked(at, rows));
    },
    copy: () => {
      withRows((at, rows) => copyMarked(at, rows));
    },
    paste,
    copyTo: chooseTarget(false),
    moveTo: chooseTarget(true),
    remove: remove(false),
    removeVersions: remove(true),
    forgetCut,
    drag: (data: DataTransfer, rows: readonly FolderRow[]) => {
      if (from !== null) beginDrag(data, from, rows, t);
    },
  });
  useDragTargets(
    useStable({
      onDrop: (drop: Drop) => {
        takeDrop(drop, services, t);
      },
      onHoldTab,
    }),
  );
  usePaste(paste);
  const { dragFiles } = useStable({
    dragFiles: (data: DataTransfer, rows: readonly FolderRow[]) => {
      beginFileDrag(data, handlesOf(rows), rows, t);
    },
  });
  return { actions, services, dragFiles };
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
  const latest = useRef(onRows);
  useEffect(() => {
    latest.current = onRows;
  });
  useEffect(() => {
    const pasted = (event: ClipboardEvent): void => {
      const inField = event.target instanceof Element && event.target.closest('input, textarea') !== null;
      if (event.defaultPrevented || inField || document.querySelector('[role="dialog"]') !== null) return;
      if (event.clipboardData !== null && event.clipboardData.files.length > 0) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('paste', pasted);
    return () => {
      window.removeEventListener('paste', pasted);
    };
  }, []);
}
