import { Flex } from '@mantine/core';
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { folderOf } from '../../../shared/keys/paths.ts';
import { maxSelectedItems } from '../../../shared/models/limits.ts';
import type { WalkSort, WalkStatus } from '../../../shared/models/walks.ts';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { showNotice } from '../../ui/notices/notices.tsx';
import type { MenuPoint } from '../../ui/menus.tsx';
import { StatusContent } from '../../ui/status-slot.tsx';
import { useStable } from '../../ui/use-stable.ts';
import {
  FolderRows,
  objectRow,
  RowMenu,
  rowsPerLine,
  RowLook,
  TileSize,
  newNameMessage,
  useKeepFocusVisible,
  useFolderView,
  useRowRename,
  useScrollToFocus,
  useTileSize,
  useViewport,
  type FolderHandle,
  type FolderPlace,
  type FolderRow,
  type RowView,
  type RowViewHandle,
} from '../objects/index.ts';
import { useCutKeys } from '../operations/index.ts';
import { foundPart } from './results-model.ts';
import type { ResultActions } from './result-actions.ts';
import { AllResultsMenu, foundEntries } from './result-bar.tsx';
import { shownOrder, sortKeyOf, useResultColumns, type SortedColumn } from './result-columns.tsx';
import type { SearchServices } from './search-services.ts';
import type { Results } from './use-results.ts';
import classes from './search.module.css';

interface Props {
  /** The searched folder. */
  readonly place: FolderPlace;
  readonly status: WalkStatus;
  readonly results: Results;
  readonly resultActions: ResultActions;
  readonly services: SearchServices;
  readonly sort: WalkSort;
  readonly onSort: (by: SortedColumn) => void;
  /** Opens the preview of an object. */
  readonly onOpen: (key: string) => void;
  readonly onAgain: () => void;
  readonly ref: Ref<FolderHandle> | undefined;
}

/** Width beside the rows that columns cannot use, and width that the name keeps before other columns are shown. */
const besideRowsPx = 44 + 120;

function nothing(): void {
  // Results are filtered by the fields of the search.
}

/** Shows search results in the list or the gallery of a folder. Rows load as they become visible. */
export function ResultsList(props: Props) {
  const { place, status, results, resultActions, services, sort, onOpen, ref } = props;
  const { t } = useTranslation();
  const { shown, rows: loaded, selectedRows } = results;
  const isRunning = status.state === 'running';
  const { view: chosenView, setView } = useFolderView(place);
  const view: RowView = chosenView === 'gallery' ? 'gallery' : 'list';
  const { value: tilePx, set: setTilePx } = useTileSize();
  const home = status.walkId;
  const viewport = useViewport(loaded.total, (widthPx) => rowsPerLine(view, widthPx, tilePx), 0, {
    of: home,
    topPx: 0,
  });
  const { showRow } = viewport;
  const columns = useResultColumns(place.folder, viewport.widthPx - besideRowsPx);
  const rows = results.inView(showRow);
  const [menuAt, setMenuAt] = useState<MenuPoint | null>(null);
  const [isLooking, setLooking] = useState(false);
  const dimmed = useCutKeys(place);
  const table = useRef<RowViewHandle>(null);
  const focusList = (): void => table.current?.focus();
  const { first, end } = viewport.window;
  const { onRange } = loaded;
  useEffect(() => {
    if (end > first) onRange(first, end - 1);
  }, [onRange, first, end]);
  useScrollToFocus(view, viewport, rows.focusPosition);
  useKeepFocusVisible(home, isLooking, viewport, rows.focusPosition);
  const { toTop } = viewport;
  const drawn = useRef(sort);
  useEffect(() => {
    if (drawn.current !== sort) toTop();
    drawn.current = sort;
  });

  const has = (kind: FolderRow['kind'], key: string): boolean => shown.find(kind, key) !== -1;
  /** The keys of objects whose renaming has begun, by their new keys. */
  const renames = useRef(new Map<string, string>());
  const naming = useStable({
    problemOf: (row: FolderRow, newName: string) => newNameMessage(newName, row, folderOf(row.key), has),
    submit: async (row: FolderRow, newName: string) => {
      const folder = folderOf(row.key);
      renames.current.set(folder + newName, row.key);
      await services.actions.renameRow({ ...place, folder }, row, newName);
    },
    focusList,
  });
  // Rows that are not loaded may still exist, so the list is never complete.
  const renaming = useRowRename({ of: home, model: shown, isComplete: false, showRow, ...naming });

  useImperativeHandle(ref, () => ({
    focus: focusList,
    find: nothing,
    selectAll: results.selectAll,
    reload: props.onAgain,
    setView,
    selected: selectedRows,
    hasSelected: () => resultActions.chosen.count > 0,
    withSelected: resultActions.withSelected,
    select: (_kind, key) => {
      const before = renames.current.get(key);
      if (before !== undefined) results.rename(before, key);
      renames.current.delete(key);
    },
    rename: (row) => {
      // The marker of a folder has the folder's name, which only renaming the folder changes.
      if (row.key.endsWith('/')) showNotice({ message: (say) => say('operations.rename.only') });
      else renaming.begin(row);
    },
    has,
    loaded: () => loaded.cachedRows().map(objectRow),
  }));

  const { actions } = services;
  const rowActions = {
    ...actions,
    copy: resultActions.copyKeys,
    remove: resultActions.remove,
    drag: (data: DataTransfer, dragged: readonly FolderRow[]) => {
      if (dragged.length > 0 && dragged.length <= maxSelectedItems) actions.drag(data, dragged);
      // A drag needs all selected results, but not all of them are loaded.
      else showNotice({ message: (say) => say('search.actions.dragAll') });
    },
  };
  const pattern = status.query?.name ?? null;
  const focused = rows.focusPosition === -1 ? undefined : shown.row(rows.focusPosition);
  const isAll = results.selection.kind === 'all';
  const closeMenu = (): void => {
    setMenuAt(null);
    focusList();
  };
  const menuRows = menuAt === null ? [] : selectedRows();
  return (
    <div className={joinClasses(common.fill, common.lineAbove, classes.listFrame)}>
      <FolderRows
        ref={table}
        view={view}
        tilePx={tilePx}
        place={place}
        label={t('search.results')}
        model={shown}
        folder={{
          hasMore: isRunning,
          isFetching: isRunning,
          nextError: null,
          fetchAhead: nothing,
          retry: loaded.refresh,
        }}
        viewport={viewport}
        rows={rows}
        columns={columns}
        sort={shownOrder(sort)}
        sortHint={isRunning ? t('search.sortHint') : undefined}
        footerPx={0}
        onSort={(column) => {
          const by = sortKeyOf(column);
          if (by !== null) props.onSort(by);
        }}
        onServiceOrder={null}
        onActivate={(position, inFolder) => {
          const row = shown.row(position);
          if (row === undefined) return;
          setLooking(false);
          if (inFolder) services.goToObject(row.key, false);
          else onOpen(row.key);
        }}
        onMenu={setMenuAt}
        onLook={setLooking}
        isLooking={isLooking}
        actions={rowActions}
        dimmed={dimmed}
        renaming={renaming.rename}
        foundIn={(row) =>
          pattern?.kind === 'contains'
            ? foundPart(shown.nameOf(row), pattern.text, pattern.caseSensitive)
            : null
        }
      />
      {isLooking && focused !== undefined ? (
        <RowLook
          place={place}
          row={focused}
          onClose={() => {
            setLooking(false);
            focusList();
          }}
        />
      ) : null}
      {view === 'gallery' ? (
        <StatusContent>
          <Flex justify="flex-end" pe={4} ps="md">
            <TileSize tilePx={tilePx} onTilePx={setTilePx} />
          </Flex>
        </StatusContent>
      ) : null}
      <AllResultsMenu
        at={isAll ? menuAt : null}
        resultActions={resultActions}
        actions={actions}
        count={loaded.total}
        onClose={closeMenu}
      />
      <RowMenu
        place={place}
        at={isAll || menuRows.length === 0 ? null : menuAt}
        selected={menuRows}
        found={foundEntries(resultActions, t)}
        onClose={closeMenu}
        onOpen={(row) => onOpen(row.key)}
        onLook={() => setLooking(true)}
        onDetails={services.showDetails}
        actions={actions}
        onSelectAll={results.selectAll}
        onReload={props.onAgain}
      />
    </div>
  );
}
