import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type Ref,
} from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod/mini';
import { defaultSettings } from '../../../../shared/models/default-settings.ts';
import { orpc, rpc } from '../../../rpc/client.ts';
import { useLocalName, useRootName } from '../../../rpc/root-names.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import { useColumns, useKeptColumns } from '../../../rpc/use-columns.ts';
import { useKeptView } from '../../../rpc/use-kept-view.ts';
import { joinClasses } from '../../../ui/class-names.ts';
import { nextOrder } from '../../../ui/table/columns.ts';
import { useCommandRuns } from '../../../ui/keyboard/commands.ts';
import { useDropRows } from '../../../ui/drop/drop-place.ts';
import type { MenuPoint } from '../../../ui/menus.tsx';
import { InDetailsSlot } from '../details/details-slot.tsx';
import { FindBar, useFind } from '../find/find-bar.tsx';
import { folderColumns, sortOf } from '../rows/folder-columns.ts';
import type { FolderHandle } from '../page/folder-handle.ts';
import { FolderTable } from '../list/folder-table.tsx';
import type { RowViewHandle } from '../views/folder-views.ts';
import { folderUnder } from '../views/row-events.ts';
import type { ListNumber } from '../rows/place.ts';
import { rowName, type FolderRow } from '../rows/row.ts';
import { StatusLine } from '../views/status-line.tsx';
import { useBucketFolder } from '../folder/use-folder.ts';
import { useSelection } from '../views/use-selection.ts';
import { listLines, useViewport } from '../views/use-viewport.ts';
import { recallFolder, useArrival, useVisit, useVisitState } from '../views/use-arrival.ts';
import { LocalDetails } from './local-details.tsx';
import { LocalMenu } from './local-menu.tsx';
import { localSource } from './local-source.ts';
import { LocalStates } from './local-states.tsx';
import { NewLocalFolderDialog } from './new-local-folder-dialog.tsx';
import { type LocalActions, type LocalFolder, useLocalChanges } from './local-actions.ts';
import common from '../../../ui/common.module.css';
import classes from '../page.module.css';

export interface LocalPageProps {
  /** The open folder, or null for the list of this computer's top-level folders. */
  readonly folder: LocalFolder | null;
  readonly list: ListNumber;
  readonly actions: LocalActions;
  readonly onOpenFolder: (folder: LocalFolder) => void;
  readonly onDetails: (open: boolean) => void;
  readonly ref?: Ref<FolderHandle>;
}

const localColumns = folderColumns.filter(({ id }) => ['name', 'size', 'modified', 'type'].includes(id));
const besideRowsPx = 44;
const onlyFilter = ['filter'] as const;

/** Shows a folder on this computer in the same list as a folder in a bucket. */
export function LocalPage({ folder: open, list, actions, onOpenFolder, onDetails, ref }: LocalPageProps) {
  const { t } = useTranslation();
  const localName = useLocalName();
  const hidden = useKeptView('local-hidden', z.boolean(), false);
  const settings = useQuery(orpc.settings.get.queryOptions()).data ?? defaultSettings;
  const storedColumns = useKeptColumns('columns:local', 'columns');
  const sort = sortOf(storedColumns.view.order);
  const source = localSource(open?.handle ?? null, list, hidden.value, useRootName());
  const { id } = source;
  const folder = useBucketFolder(source, { sort, foldersFirst: settings.foldersFirst });
  const { model } = folder;
  // If the folder can no longer be read, shows the error instead of the rows read before.
  const error = folder.error ?? folder.refreshError ?? (folder.isFetching ? null : folder.nextError);
  const visit = useVisit(id);
  // oxlint-disable-next-line react-hooks/exhaustive-deps, react/exhaustive-effect-dependencies -- read once per visit
  const memory = useMemo(() => recallFolder(id), [visit]);
  const [menuAt, setMenuAt] = useVisitState<MenuPoint | null>(visit, null);
  const [isNamingFolder, setNamingFolder] = useState(false);
  const viewport = useViewport(model?.count ?? 0, () => listLines, 0, {
    of: id,
    topPx: memory?.scrollTopPx ?? 0,
  });
  const rows = useSelection(model, viewport.showRow);
  const { selection, selectedRows } = rows;
  const columns = useColumns(storedColumns, {
    columns: localColumns,
    labelOf: ({ id: column }) => t(`objects.columns.${column}`),
    widthPx: viewport.widthPx - besideRowsPx,
  });
  const table = useRef<RowViewHandle>(null);
  const filterField = useRef<HTMLInputElement>(null);
  const finding = useFind(`${String(visit)} ${id}`, '', ignore, filterField, onlyFilter);
  const { filter } = finding;
  const { column: sortedBy = null, descending = false } = sort ?? {};
  useLayoutEffect(() => {
    model?.setSort(sortedBy === null ? null : { column: sortedBy, descending }, settings.foldersFirst);
  }, [model, sortedBy, descending, settings.foldersFirst]);
  useEffect(() => {
    model?.setFilter(filter);
  }, [model, filter]);

  const { selectRow } = useArrival({
    id,
    home: id,
    view: 'list',
    memory,
    model,
    rows,
    viewport,
    table,
    isLooking: false,
  });

  const focusTable = (): void => table.current?.focus();
  const openRow = useCallback(
    (row: FolderRow) => {
      if (row.kind === 'folder' && row.handle !== undefined)
        onOpenFolder({ handle: row.handle, name: rowName(row, '') });
    },
    [onOpenFolder],
  );
  const reveal = (): void => {
    const [row] = selectedRows();
    const handle = row?.handle ?? open?.handle;
    if (handle !== undefined) sayingFailure(async () => await rpc.files.reveal({ handle }));
  };
  const newFolder = (): void => {
    if (open !== null) setNamingFolder(true);
  };
  const { beginRename, edits, renaming, showEntry } = useLocalChanges({
    of: id,
    folder: open,
    model,
    reload: folder.reload,
    showRow: viewport.showRow,
    selectedRows,
    selectRow,
    focusList: focusTable,
  });
  useCommandRuns({ newFolder });
  const toggleHidden = (): void => hidden.set(!hidden.value);

  useImperativeHandle(ref, () => ({
    focus: focusTable,
    find: () => finding.open('filter'),
    setView: ignore,
    selectAll: rows.selectAll,
    reload: folder.reload,
    selected: selectedRows,
    select: selectRow,
    rename: beginRename,
    has: (kind, key) => model !== null && model.find(kind, key) !== -1,
    loaded: () => [],
  }));
  useDropRows((target) => {
    const under = model === null ? null : folderUnder(target, viewport.scroller, model);
    const handle = under?.row.handle;
    if (under === null || handle === undefined) return null;
    const name = rowName(under.row, '');
    return { element: under.element, spot: { kind: 'local', folder: { handle, name } } };
  });
  const tableActions = useMemo(
    () => ({
      copy: actions.refuse,
      cut: actions.refuse,
      rename: edits.rename,
      remove: edits.remove,
      removeVersions: edits.remove,
      forgetCut: () => false,
      drag: actions.drag,
    }),
    [actions, edits],
  );

  const name = open === null ? t('files.computer') : localName(open);
  const leftOut = model?.foreign.count ?? 0;
  return (
    <div className={joinClasses(common.fill, common.column, classes.page)}>
      <h1 className="visually-hidden">{t('objects.table', { name })}</h1>
      {finding.find === null ? null : (
        <FindBar
          field={finding}
          inputRef={filterField}
          find={finding.find}
          choices={onlyFilter}
          onDone={focusTable}
          onSearch={ignore}
        />
      )}
      {leftOut === 0 ? null : (
        <div className={common.note} role="status">
          {t('files.leftOut', { count: leftOut })}
        </div>
      )}
      <div className={joinClasses(common.fill, classes.split)}>
        <Stack className={common.clip} gap={0} pos="relative" flex={1} miw={0} mih={0}>
          <LocalStates
            folder={folder}
            error={error}
            filter={filter}
            isRoot={open === null}
            areHiddenShown={hidden.value}
            onNewFolder={newFolder}
            onShowHidden={toggleHidden}
          />
          {model !== null && error === null && model.count > 0 ? (
            <FolderTable
              ref={table}
              label={t('objects.table', { name })}
              model={model}
              folder={folder}
              viewport={viewport}
              rows={rows}
              columns={columns}
              sort={sort}
              footerPx={0}
              isLocal
              onSort={(column) =>
                columns.setOrder(nextOrder(sort === null ? null : { by: sort.column, ...sort }, column))
              }
              onServiceOrder={null}
              onActivate={(position) => {
                const row = model.row(model.rowAt(position));
                if (row !== undefined) openRow(row);
              }}
              onMenu={setMenuAt}
              onLook={ignore}
              isLooking={false}
              actions={tableActions}
              dimmed={null}
              renaming={renaming}
            />
          ) : null}
        </Stack>
        <InDetailsSlot>
          <LocalDetails folder={open} model={model} selected={selection.rows} />
        </InDetailsSlot>
      </div>
      <StatusLine folder={folder} tileSize={null} selected={selection.rows} />
      <LocalMenu
        at={menuAt}
        selected={menuAt === null ? [] : selectedRows()}
        isFolder={open !== null}
        onClose={() => {
          setMenuAt(null);
          focusTable();
        }}
        onOpen={openRow}
        onCopyToPane={actions.copyToPane}
        onUpload={() => actions.uploadTo(selectedRows())}
        onRename={edits.rename}
        onRemove={edits.remove}
        onDetails={() => onDetails(true)}
        onReveal={reveal}
        onNewFolder={newFolder}
        areHiddenShown={hidden.value}
        onToggleHidden={toggleHidden}
        onSelectAll={rows.selectAll}
        onReload={folder.reload}
      />
      {isNamingFolder && open !== null ? (
        <NewLocalFolderDialog folder={open} onDone={showEntry} onClose={() => setNamingFolder(false)} />
      ) : null}
    </div>
  );
}

/** Handles the commands that local folders do not support: preview, other views, and other ways to find. */
function ignore(): void {
  // Does nothing.
}
