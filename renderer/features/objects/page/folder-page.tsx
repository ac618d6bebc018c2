import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  type ReactNode,
  type Ref,
} from 'react';
import { useTranslation } from 'react-i18next';
import { nameText } from '../../../../shared/keys/display.ts';
import { lastSegment } from '../../../../shared/keys/paths.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { defaultSettings } from '../../../../shared/models/default-settings.ts';
import { orpc } from '../../../rpc/client.ts';
import { useColumns, useKeptColumns } from '../../../rpc/use-columns.ts';
import { nextOrder } from '../../../ui/table/columns.ts';
import { useDropRows } from '../../../ui/drop/drop-place.ts';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { useStable } from '../../../ui/use-stable.ts';
import {
  useVisit,
  useVisitState,
  useWantedRow,
  recallFolder,
  useKeepFocusVisible,
  useFocusOnArrival,
  useStoredScroll,
  useRestoredFocus,
  useScrollToFocus,
} from '../views/use-arrival.ts';
import type { MenuPoint } from '../../../ui/menus.tsx';
import { columnsName, rowFacts, serviceOrder, sortOf, type FolderColumn } from '../rows/folder-columns.ts';
import { detailedRows } from '../details/detailed-rows.ts';
import { InDetailsSlot, LazyDetailsPane } from '../details/details-slot.tsx';
import { findChoices, type FindChoice } from '../find/find-state.ts';
import { FolderNotes } from './folder-notes.tsx';
import { EmptyFolder, LoadingRows, NothingFiltered } from './folder-states.tsx';
import { FolderRows, rowsPerLine } from './folder-rows.tsx';
import { useFolderView, type FolderView, type RowView, type RowViewHandle } from '../views/folder-views.ts';
import { useTileSize, TileSize } from '../gallery/tile-size.tsx';
import { useCopyKeys, type CopyKind, type FolderActions } from '../actions/folder-actions.ts';
import { placeId, type FolderPlace, type ListNumber } from '../rows/place.ts';
import type { FolderRow } from '../rows/row.ts';
import { useRowRename } from '../rename/use-row-rename.ts';
import { thumbnailsOf } from '../views/row-thumbnails.ts';
import { nameProblemText, newNameProblem, useCutKeys } from '../../operations/index.ts';
import { LazyLook, LazyPreviewDialog } from '../../viewers/index.ts';
import { listRowOf } from '../views/row-events.ts';
import { RowMenu } from '../actions/row-menu.tsx';
import { StatusLine } from '../views/status-line.tsx';
import { useFind, FindBar } from '../find/find-bar.tsx';
import { useColumnsWithTotals } from '../folder/sizes-below.ts';
import { bucketSource } from '../folder/folder-query.ts';
import { usePreviousRows, useBucketFolder } from '../folder/use-folder.ts';
import { useSelection } from '../views/use-selection.ts';
import { useViewport } from '../views/use-viewport.ts';
import { useReportQuickLook, useTellUnusable } from './list-states.ts';
import classes from '../page.module.css';

/** The functions that the window's commands call on the visible folder. */
export interface FolderHandle {
  focus(): void;
  /** Opens the find field above the list with this choice. */
  find(choice: FindChoice): void;
  selectAll(): void;
  reload(): void;
  setView(view: FolderView): void;
  /** Returns the selected rows. Empty if all results of a search are selected, since some of them are not loaded. */
  selected(): readonly FolderRow[];
  /** Returns true if rows are selected, loaded or not. Absent if all rows are loaded. */
  hasSelected?(): boolean;
  /** Loads the selected rows, so that `selected` returns them, then calls `act`. Absent if all rows are loaded. */
  withSelected?(act: () => void): void;
  /** Selects a row once it has loaded, and scrolls to it. With `isLook`, opens a quick look if the row is loaded already. */
  select(kind: FolderRow['kind'], key: string, isLook?: boolean): void;
  /** Starts editing the name of a row in place. */
  rename(row: FolderRow): void;
  /** Returns true if a loaded row has this kind and key. */
  has(kind: FolderRow['kind'], key: string): boolean;
  /** All rows that are loaded. */
  loaded(): readonly FolderRow[];
}

/** The functions by which the folder opens other folders and panes in the window. */
export interface FolderNavigation {
  readonly openFolder: (folder: string, inNewTab: boolean) => void;
  /** Lists only names that begin with this text. */
  readonly startsWith: (text: string) => void;
  /** Searches names in this folder and all folders below. With '', opens an empty search form. */
  readonly search: (text: string) => void;
  readonly showMap: (folder: string) => void;
  readonly showDetails: (open: boolean) => void;
}

/** Pieces of the page that other features render, passed in since features may not import each other. */
export interface FolderSlots {
  /** Renders facts about a folder for its details. */
  readonly renderExtras: (prefix: string) => ReactNode;
  /** Renders an explanation of what the user can do when the folder could not be opened. */
  readonly renderWaysOut: (error: AppError) => ReactNode;
}

export interface FolderPageProps {
  readonly place: FolderPlace;
  readonly list: ListNumber;
  readonly moves: FolderNavigation;
  readonly actions: FolderActions;
  readonly slots: FolderSlots;
  readonly ref?: Ref<FolderHandle>;
}

/** Width beside the rows that columns cannot use. */
const besideRowsPx = 44;
const plainFooterPx = 36;
const errorFooterPx = 230;
const noRows: ReadonlySet<number> = new Set();

/** Shows a folder with its list, find field, selection and previews. Stays mounted when another folder opens. */
export function FolderPage({ place, list, moves, actions, slots, ref }: FolderPageProps) {
  const { about } = actions;
  const dimmed = useCutKeys(place);
  const { t } = useTranslation();
  const id = placeId(place, list);
  const home = placeId({ ...place, startsWith: '' }, list);
  // A number that changes when another folder is shown. It resets state without remounting, which would cost more than the rows.
  const visit = useVisit(home);
  // oxlint-disable-next-line react-hooks/exhaustive-deps, react/exhaustive-effect-dependencies -- read once per visit
  const memory = useMemo(() => recallFolder(id), [visit]);
  const settings = useQuery(orpc.settings.get.queryOptions()).data ?? defaultSettings;
  const kept = useKeptColumns(columnsName(place), 'columns');
  const sort = sortOf(kept.view.order);
  const folder = useBucketFolder(bucketSource(place, list), { sort, foldersFirst: settings.foldersFirst });
  const { model } = folder;
  const { view: chosenView, isKnown: isViewKnown, setView } = useFolderView(place);
  // In the map view, the window shows a map instead of this page.
  const view: RowView = chosenView === 'map' ? 'list' : chosenView;
  const { value: tilePx, isSettled: isTileKnown, set: setTilePx } = useTileSize();
  // Holds prefetched rows back until the view is known. Otherwise, a list would flash before a gallery.
  const canDraw = isViewKnown && (view === 'list' || isTileKnown);
  const { shown, isHeld } = usePreviousRows(canDraw ? model : null, home, folder.error !== null);

  const footerPx =
    folder.nextError !== null && !folder.isFetching ? errorFooterPx : folder.hasMore ? plainFooterPx : 0;
  const startPx = memory?.view === view ? memory.scrollTopPx : 0;
  const viewport = useViewport(
    shown?.count ?? 0,
    (widthPx) => rowsPerLine(view, widthPx, tilePx),
    footerPx,
    isHeld ? null : { of: home, topPx: startPx },
  );
  const rows = useSelection(model, viewport.showRow);
  const { selection } = rows;

  const labelOf = useCallback(({ id: column }: FolderColumn) => t(`objects.columns.${column}`), [t]);
  const columns = useColumns(kept, {
    columns: useColumnsWithTotals(place, model, kept.view.chosen['size'] !== false),
    labelOf,
    widthPx: viewport.widthPx - besideRowsPx,
  });
  const [wanted, setWanted] = useVisitState<FolderColumn | null>(visit, null);
  const findField = useRef<HTMLInputElement>(null);
  const finding = useFind(`${String(visit)} ${home}`, place.startsWith, moves.startsWith, findField);
  const { filter } = finding;
  const [menuAt, setMenuAt] = useVisitState<MenuPoint | null>(visit, null);
  const [previewKey, setPreviewKey] = useVisitState<string | null>(visit, null);
  const [isLooking, setLooking] = useVisitState(visit, memory?.isLooking === true);
  const table = useRef<RowViewHandle>(null);
  const copyKeys = useCopyKeys(place);

  const isComplete = model !== null && !folder.hasMore;
  const { setOrder } = columns;
  const { showRow, topPx, topPosition } = viewport;
  const anchor = useRef<{ readonly row: number; readonly focus: number | null } | null>(null);
  useEffect(() => {
    if (wanted === null || !isComplete) return;
    setOrder(nextOrder(null, wanted));
    setWanted(null);
  }, [wanted, isComplete, setOrder, setWanted]);
  const activeSort = isComplete ? sort : null;
  const { column: sortedBy = null, descending = false } = activeSort ?? {};
  useLayoutEffect(() => {
    if (model === null) return;
    if (model.sort === null && sortedBy !== null && topPx() > 0)
      anchor.current = {
        row: selection.focus ?? model.rowAt(topPosition()),
        focus: selection.focus,
      };
    model.setSort(sortedBy === null ? null : { column: sortedBy, descending }, settings.foldersFirst);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the focus is read only when the order changes
  }, [model, sortedBy, descending, settings.foldersFirst, topPx, topPosition]);
  // After sorting, scrolls to the row that was on top or focused before, or that got focus meanwhile.
  useLayoutEffect(() => {
    if (anchor.current === null || model === null || model.busy !== null) return;
    const { row, focus } = anchor.current;
    showRow(model.positionOf(selection.focus === focus ? row : (selection.focus ?? row)));
    anchor.current = null;
  });
  useEffect(() => {
    model?.setFilter(filter);
  }, [model, filter]);

  useFocusOnArrival(table, home, viewport.scroller);
  useRestoredFocus(home, viewport.scroller !== null && (model?.loadedCount ?? 0) > 0, () => {
    const focus = memory?.focus;
    const number = focus === null || focus === undefined ? -1 : (model?.find(focus.kind, focus.key) ?? -1);
    if (number === -1) setLooking(false);
    else rows.focusRow(number);
  });
  const selectRow = useWantedRow(model, rows.focusRow);
  const focused = selection.focus === null ? undefined : model?.row(selection.focus);
  useStoredScroll(id, viewport, model !== null, view, focused);
  useScrollToFocus(view, viewport, rows.focusPosition);
  useKeepFocusVisible(home, isLooking, viewport, rows.focusPosition);
  useReportQuickLook(list, isLooking && focused !== undefined);
  useTellUnusable(list, folder.error);

  const openRow = useCallback(
    (row: FolderRow, inNewTab: boolean) => {
      if (row.kind === 'folder') moves.openFolder(row.key, inNewTab);
      else setPreviewKey(row.key);
      setLooking(false);
    },
    [moves, setPreviewKey, setLooking],
  );
  const order = useStable({
    sortBy: (column: FolderColumn) => {
      if (isComplete) setOrder(nextOrder(sort === null ? null : { by: sort.column, ...sort }, column));
      else setWanted(column);
    },
    asServed: () => {
      setOrder(serviceOrder);
    },
  });
  const { selectedRows } = rows;
  const copy = (kind: CopyKind): void => {
    const keys = selectedRows().map((row) => row.key);
    if (keys.length > 0) copyKeys(kind, keys);
  };
  const reload = (): void => {
    viewport.toTop();
    folder.reload();
  };
  const focusTable = (): void => {
    table.current?.focus();
  };
  const has = (kind: FolderRow['kind'], key: string): boolean =>
    model !== null && model.find(kind, key) !== -1;
  const naming = useStable({
    problemOf: (row: FolderRow, newName: string) => {
      const problem = newNameProblem(newName, row, place.folder, has);
      return problem === null ? null : (say: TFunction) => nameProblemText(problem, say);
    },
    submit: (row: FolderRow, newName: string) => actions.renameRow(place, row, newName),
    focusList: focusTable,
  });
  const { rename: renaming, begin: beginRename } = useRowRename({
    of: home,
    model,
    isComplete,
    showRow,
    ...naming,
  });
  const detailed = useMemo(() => detailedRows(model, selection.rows), [model, selection.rows]);
  const stepPreview = (by: -1 | 1): void => {
    if (model === null || previewKey === null) return;
    let position = model.positionOf(model.find('object', previewKey)) + by;
    while (model.row(model.rowAt(position))?.kind === 'folder') position += by;
    const next = position < 0 || position >= model.count ? undefined : model.row(model.rowAt(position));
    if (next === undefined) return;
    rows.focusRow(model.rowAt(position));
    setPreviewKey(next.key);
  };

  useImperativeHandle(ref, () => ({
    focus: focusTable,
    find: finding.open,
    selectAll: rows.selectAll,
    reload,
    setView,
    selected: selectedRows,
    select: (kind, key, isLook = false) => {
      selectRow(kind, key);
      if (isLook && has(kind, key)) setLooking(true);
    },
    rename: beginRename,
    has,
    loaded: () =>
      Array.from({ length: model?.loadedCount ?? 0 }, (_, number) => model?.row(number) ?? []).flat(),
  }));
  useDropRows((target) => {
    const under = isHeld ? null : listRowOf(target, viewport.scroller);
    const row = under === null ? undefined : model?.row(model.rowAt(under.position));
    if (under === null || row?.kind !== 'folder') return null;
    const { connectionId, bucket } = place;
    return {
      element: under.element,
      spot: { kind: 'bucket', place: { connectionId, bucket, folder: row.key } },
    };
  });

  const name = place.folder === '' ? place.bucket : lastSegment(place.folder);
  return (
    <div className={classes.page}>
      <h1 className="visually-hidden">
        {t('objects.table', { name: nameText(name, t('common.keyText.empty')) })}
      </h1>
      {finding.find === null ? null : (
        <FindBar
          field={finding}
          inputRef={findField}
          find={finding.find}
          choices={findChoices}
          onDone={focusTable}
          onSearch={moves.search}
        />
      )}
      <FolderNotes
        folder={folder}
        model={model}
        filter={filter}
        wanted={wanted?.id ?? null}
        onUnwanted={() => {
          setWanted(null);
        }}
        onReload={reload}
      />
      <div className={classes.split}>
        <div className={classes.main}>
          {folder.error === null ? null : (
            <ErrorNotice
              variant="page"
              error={folder.error}
              onRetry={folder.retry}
              isReading
              permission="s3:ListBucket"
              actions={slots.renderWaysOut(folder.error)}
            />
          )}
          {folder.error === null &&
          !isHeld &&
          (model === null || (model.loadedCount === 0 && folder.hasMore && folder.nextError === null)) ? (
            <LoadingRows />
          ) : null}
          {model !== null && model.loadedCount === 0 && !folder.hasMore && model.unreadable.length === 0 ? (
            <EmptyFolder
              place={place}
              hasPlaceholder={folder.hasPlaceholder}
              actions={actions}
              onShowAll={finding.close}
            />
          ) : null}
          {model !== null &&
          filter !== '' &&
          model.count === 0 &&
          model.busy === null &&
          model.loadedCount > 0 ? (
            <NothingFiltered
              filter={filter}
              onLoadRest={folder.hasMore && !folder.isLoadingAll ? folder.loadAll : null}
              onSearch={() => {
                moves.search(filter);
              }}
            />
          ) : null}
          {shown !== null && (shown.count > 0 || folder.nextError !== null) ? (
            <FolderRows
              ref={table}
              view={view}
              tilePx={tilePx}
              place={place}
              label={t('objects.table', { name })}
              model={shown}
              folder={folder}
              viewport={viewport}
              rows={rows}
              columns={columns}
              sort={activeSort}
              footerPx={footerPx}
              onSort={order.sortBy}
              onServiceOrder={order.asServed}
              onActivate={(position, inNewTab) => {
                const row = model?.row(model.rowAt(position));
                if (row !== undefined) openRow(row, inNewTab);
              }}
              onMenu={setMenuAt}
              onLook={setLooking}
              isLooking={isLooking}
              actions={actions}
              dimmed={dimmed}
              renaming={renaming}
            />
          ) : null}
        </div>
        {isLooking && focused !== undefined ? (
          <LazyLook
            place={place}
            rowKey={focused.key}
            isFolder={focused.kind === 'folder'}
            etag={focused.etag}
            facts={rowFacts(focused)}
            onClose={() => {
              setLooking(false);
              focusTable();
            }}
          />
        ) : null}
        <InDetailsSlot>
          <LazyDetailsPane
            place={place}
            chosen={detailed}
            onPreview={(row) => {
              openRow(row, false);
            }}
            about={about}
            actions={actions}
            renderExtras={slots.renderExtras}
            onShowMap={moves.showMap}
            isArriving={isHeld}
            isUnlisted={folder.error !== null}
          />
        </InDetailsSlot>
      </div>
      <StatusLine
        folder={folder}
        selected={model === null ? noRows : selection.rows}
        tileSize={view === 'gallery' ? <TileSize tilePx={tilePx} onTilePx={setTilePx} /> : null}
      />
      <RowMenu
        place={place}
        at={menuAt}
        selected={menuAt === null ? [] : selectedRows()}
        onClose={() => {
          setMenuAt(null);
          focusTable();
        }}
        onOpen={openRow}
        onLook={() => {
          setLooking(true);
        }}
        onThumbnails={menuAt === null ? null : thumbnailsOf(place, selectedRows())}
        onCopy={copy}
        onDetails={() => {
          moves.showDetails(true);
        }}
        actions={actions}
        about={about}
        onSelectAll={rows.selectAll}
        onReload={reload}
      />
      <LazyPreviewDialog
        place={place}
        objectKey={previewKey}
        onStep={stepPreview}
        onClose={() => {
          setPreviewKey(null);
        }}
      />
    </div>
  );
}
