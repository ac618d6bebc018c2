import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useImperativeHandle, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { nameText } from '../../../../shared/keys/display.ts';
import { lastSegment } from '../../../../shared/keys/paths.ts';
import { defaultSettings } from '../../../../shared/models/default-settings.ts';
import { orpc } from '../../../rpc/client.ts';
import { useColumns, useKeptColumns } from '../../../rpc/use-columns.ts';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import { useDropRows } from '../../../ui/drop/drop-place.ts';
import { useStable } from '../../../ui/use-stable.ts';
import { recallFolder, useArrival, useVisit, useVisitState } from '../views/use-arrival.ts';
import type { MenuPoint } from '../../../ui/menus.tsx';
import { columnsName, sortOf, type FolderColumn } from '../rows/folder-columns.ts';
import { InDetailsSlot, LazyDetailsPane } from '../details/details-slot.tsx';
import { findChoices } from '../find/find-state.ts';
import { FolderNotes } from './folder-notes.tsx';
import type { FolderPageProps } from './folder-handle.ts';
import { FolderStates } from './folder-states.tsx';
import { useFolderOrder } from './use-folder-order.ts';
import { FolderRows, rowsPerLine } from './folder-rows.tsx';
import { RowLook, RowPreview } from './row-previews.tsx';
import { useFolderView, type RowView, type RowViewHandle } from '../views/folder-views.ts';
import { useTileSize, TileSize } from '../gallery/tile-size.tsx';
import { placeId } from '../rows/place.ts';
import type { FolderRow } from '../rows/row.ts';
import { newNameMessage, useRowRename } from '../rename/use-row-rename.ts';
import { useCutKeys } from '../../operations/index.ts';
import { folderUnder } from '../views/row-events.ts';
import { RowMenu } from '../actions/row-menu.tsx';
import { detailedRows, StatusLine } from '../views/status-line.tsx';
import { useFind, FindBar } from '../find/find-bar.tsx';
import { useColumnsWithTotals } from '../folder/sizes-below.ts';
import { bucketSource } from '../folder/folder-query.ts';
import { usePreviousRows, useBucketFolder } from '../folder/use-folder.ts';
import { useSelection } from '../views/use-selection.ts';
import { useViewport } from '../views/use-viewport.ts';
import { useReportQuickLook, useTellUnusable } from './list-states.ts';
import classes from '../page.module.css';

/** Width beside the rows that columns cannot use. */
const besideRowsPx = 44;
const plainFooterPx = 36;
const errorFooterPx = 230;

/** Shows a folder with its list, find field, selection and previews. Stays mounted when another folder opens. */
export function FolderPage({ place, list, moves, actions, slots, ref }: FolderPageProps) {
  const dimmed = useCutKeys(place);
  const { t } = useTranslation();
  const id = placeId(place, list);
  const home = placeId({ ...place, startsWith: '' }, list);
  // A number that changes when another folder is shown. It resets state without remounting, which would cost more than the rows.
  const visit = useVisit(home);
  // oxlint-disable-next-line react-hooks/exhaustive-deps, react/exhaustive-effect-dependencies -- read once per visit
  const memory = useMemo(() => recallFolder(id), [visit]);
  const settings = useQuery(orpc.settings.get.queryOptions()).data ?? defaultSettings;
  const storedColumns = useKeptColumns(columnsName(place), 'columns');
  const sort = sortOf(storedColumns.view.order);
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
  const columns = useColumns(storedColumns, {
    columns: useColumnsWithTotals(place, model, storedColumns.view.chosen['size'] !== false),
    labelOf,
    widthPx: viewport.widthPx - besideRowsPx,
  });
  const findField = useRef<HTMLInputElement>(null);
  const finding = useFind(`${String(visit)} ${home}`, place.startsWith, moves.startsWith, findField);
  const { filter } = finding;
  const [menuAt, setMenuAt] = useVisitState<MenuPoint | null>(visit, null);
  const [previewKey, setPreviewKey] = useVisitState<string | null>(visit, null);
  const [isLooking, setLooking] = useVisitState(visit, memory?.isLooking === true);
  const table = useRef<RowViewHandle>(null);

  const isComplete = model !== null && !folder.hasMore;
  const order = useFolderOrder(visit, {
    model,
    isComplete,
    sort,
    foldersFirst: settings.foldersFirst,
    setOrder: columns.setOrder,
    viewport,
    focus: selection.focus,
  });
  useEffect(() => {
    model?.setFilter(filter);
  }, [model, filter]);

  const { focused, selectRow } = useArrival({
    id,
    home,
    view,
    memory,
    model,
    rows,
    viewport,
    table,
    isLooking,
    onGone: () => setLooking(false),
  });
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
  const { selectedRows } = rows;
  const reload = (): void => {
    viewport.toTop();
    folder.reload();
  };
  const focusTable = (): void => table.current?.focus();
  const closeLook = (): void => {
    setLooking(false);
    focusTable();
  };
  const has = (kind: FolderRow['kind'], key: string): boolean =>
    model !== null && model.find(kind, key) !== -1;
  const naming = useStable({
    problemOf: (row: FolderRow, newName: string) => newNameMessage(newName, row, place.folder, has),
    submit: (row: FolderRow, newName: string) => actions.renameRow(place, row, newName),
    focusList: focusTable,
  });
  const renaming = useRowRename({ of: home, model, isComplete, showRow: viewport.showRow, ...naming });
  const detailed = useMemo(() => detailedRows(model, selection.rows), [model, selection.rows]);

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
    rename: renaming.begin,
    has,
    loaded: () =>
      Array.from({ length: model?.loadedCount ?? 0 }, (_, number) => model?.row(number) ?? []).flat(),
  }));
  useDropRows((target) => {
    const under = isHeld || model === null ? null : folderUnder(target, viewport.scroller, model);
    if (under === null) return null;
    const { connectionId, bucket } = place;
    return {
      element: under.element,
      spot: { kind: 'bucket', place: { connectionId, bucket, folder: under.row.key } },
    };
  });

  const name = place.folder === '' ? place.bucket : lastSegment(place.folder);
  return (
    <div className={joinClasses(common.fill, common.column, classes.page)}>
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
        filter={filter}
        pendingSort={order.wanted?.id ?? null}
        onCancelSort={order.forgetWanted}
        onReload={reload}
      />
      <div className={joinClasses(common.fill, classes.split)}>
        <Stack className={common.clip} gap={0} pos="relative" flex={1} miw={0} mih={0}>
          <FolderStates
            place={place}
            folder={folder}
            filter={filter}
            isHeld={isHeld}
            actions={actions}
            renderWaysOut={slots.renderWaysOut}
            onShowAll={finding.close}
            onSearch={moves.search}
          />
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
              sort={order.active}
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
              renaming={renaming.rename}
            />
          ) : null}
        </Stack>
        {isLooking && focused !== undefined ? (
          <RowLook place={place} row={focused} onClose={closeLook} />
        ) : null}
        <InDetailsSlot>
          <LazyDetailsPane
            place={place}
            chosen={detailed}
            onPreview={(row) => openRow(row, false)}
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
        selected={selection.rows}
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
        onLook={() => setLooking(true)}
        onDetails={() => moves.showDetails(true)}
        actions={actions}
        onSelectAll={rows.selectAll}
        onReload={reload}
      />
      <RowPreview
        place={place}
        model={model}
        shown={previewKey}
        onShow={setPreviewKey}
        onFocus={rows.focusRow}
      />
    </div>
  );
}
