import { Loader } from '@mantine/core';
import { useEffect, useId, useImperativeHandle, type KeyboardEvent, type MouseEvent, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { isCommand } from '../../ui/commands.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { hasMainModifier } from '../../ui/shortcuts.ts';
import { footerOffset, mostRows } from '../../ui/virtual-scroll.ts';
import type { Columns } from '../../rpc/use-columns.ts';
import type { FolderColumn } from './columns.ts';
import type { FolderActions } from './folder-actions.ts';
import type { FolderModel } from './folder-model.ts';
import type { SortOrder } from './sort.ts';
import { TableHeader } from './table-header.tsx';
import { TableRow } from './table-row.tsx';
import type { Folder } from './use-folder.ts';
import type { RowSelection } from './use-selection.ts';
import type { Viewport } from './use-viewport.ts';
import classes from './folder-table.module.css';

export interface TableHandle {
  focus(): void;
}

interface FolderTableProps {
  readonly label: string;
  readonly model: FolderModel;
  readonly folder: Folder;
  readonly viewport: Viewport;
  readonly rows: RowSelection;
  readonly columns: Columns<FolderColumn>;
  /** What the header shows as sorted. */
  readonly sort: SortOrder | null;
  readonly footerPx: number;
  readonly onSort: (column: FolderColumn) => void;
  readonly onServiceOrder: () => void;
  /** Enter or a double click on the row at a position. */
  readonly onActivate: (position: number, inNewTab: boolean) => void;
  readonly onMenu: (at: { readonly x: number; readonly y: number }) => void;
  /** Opens the look at the focused row, or closes it. */
  readonly onLook: (isOpen: boolean) => void;
  readonly isLooking: boolean;
  readonly actions: FolderActions;
  readonly dimmed: ReadonlySet<string> | null;
  readonly ref?: Ref<TableHandle>;
}

/** Rows asked for before the eye gets to them. */
const aheadRows = 700;

/** The row that an element belongs to. */
export function rowElement(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-position]') : null;
}

function positionUnder(target: EventTarget | null): number | null {
  const row = rowElement(target);
  return row === null ? null : Number(row.dataset['position']);
}

/** The keys of the rows that do something to them; whether this was one. Paste is an event of its own. */
function runAction(event: KeyboardEvent, actions: FolderActions): boolean {
  // Text that somebody has marked is copied as always.
  if (isCommand(event, 'copy') && globalThis.getSelection()?.isCollapsed !== false) actions.copy();
  else if (isCommand(event, 'cut')) actions.cut();
  else if (isCommand(event, 'rename')) actions.rename();
  else if (isCommand(event, 'remove')) actions.remove();
  else if (isCommand(event, 'removeVersions')) actions.removeVersions();
  else return event.key === 'Escape' && actions.forgetCut();
  return true;
}

/** The rows of a folder: only those in sight are there as elements. A grid by the ARIA practices. */
export function FolderTable(props: FolderTableProps) {
  const { label, model, folder, viewport, rows, columns, sort, actions, onActivate, onMenu, dimmed, ref } =
    props;
  const { scroller, attach, window: seen, track } = viewport;
  const { selection, focusPosition } = rows;
  const { t } = useTranslation();
  const folderName = t('objects.kinds.folder');
  const objectName = t('objects.kinds.object');
  const baseId = useId();
  useImperativeHandle(ref, () => ({ focus: () => scroller?.focus({ preventScroll: true }) }), [scroller]);

  const { fetchAhead } = folder;
  const nearEnd = model.filter === '' && seen.end + aheadRows >= model.count;
  useEffect(() => {
    if (nearEnd) fetchAhead();
  }, [nearEnd, fetchAhead]);

  // Whoever is at the last row is shown why there is no next one, and the button that asks again.
  const isAtFailure = folder.nextError !== null && focusPosition === model.count - 1;
  useEffect(() => {
    if (isAtFailure) scroller?.scrollTo({ top: scroller.scrollHeight });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the footer grows with what it says
  }, [isAtFailure, scroller, props.footerPx]);

  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter' && !event.altKey) {
      if (focusPosition !== -1) onActivate(focusPosition, hasMainModifier(event));
    } else if (event.key === 'ContextMenu' || isCommand(event, 'rowMenu')) {
      onMenu(menuPoint(scroller, focusPosition));
    } else if (event.key === 'Escape' && props.isLooking) {
      props.onLook(false);
    } else if (!runAction(event, actions) && !rows.press(event, viewport.pageRows)) {
      if (!isCommand(event, 'look')) return;
      props.onLook(!props.isLooking && focusPosition !== -1);
    }
    event.preventDefault();
  };
  const click = (event: MouseEvent): void => {
    const position = positionUnder(event.target);
    if (position !== null) rows.click(position, { range: event.shiftKey, keep: hasMainModifier(event) });
  };
  const positions = Array.from({ length: seen.end - seen.first }, (_, at) => seen.first + at);
  const focusInSight = focusPosition >= seen.first && focusPosition < seen.end;

  return (
    <div
      ref={attach}
      role="grid"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the grid holds the focus for its rows
      tabIndex={0}
      aria-label={label}
      aria-multiselectable
      aria-rowcount={folder.hasMore ? -1 : model.count + 1}
      aria-colcount={columns.fitting.length}
      aria-busy={folder.isFetching || model.busy !== null}
      aria-activedescendant={focusInSight ? `${baseId}-${String(focusPosition)}` : undefined}
      className={classes.table}
      style={{ ['--columns' as string]: columns.template }}
      onKeyDown={press}
      onClick={click}
      onDoubleClick={(event) => {
        const position = positionUnder(event.target);
        if (position !== null) onActivate(position, hasMainModifier(event));
      }}
      onPointerOver={(event) => {
        const cell = event.target instanceof HTMLElement ? event.target : null;
        const hover = columns.fitting.find(({ id }) => id === cell?.dataset['column'])?.hover;
        const position = hover === undefined ? null : positionUnder(cell);
        const row = position === null ? undefined : model.row(model.rowAt(position));
        if (cell !== null && row !== undefined && hover !== undefined) cell.title = hover(row, Date.now());
      }}
      onAuxClick={(event) => {
        const position = positionUnder(event.target);
        if (event.button === 1 && position !== null) onActivate(position, true);
      }}
      onDragStart={(event) => {
        const position = positionUnder(event.target);
        if (position === null) return;
        const number = model.rowAt(position);
        const isOne = !selection.rows.has(number);
        if (isOne) rows.pointAt(position);
        const dragged = isOne ? [number] : [...selection.rows];
        actions.drag(
          event.dataTransfer,
          dragged.flatMap((one) => model.row(one) ?? []),
        );
      }}
      onMouseDown={(event) => {
        // Shift and a click would select text.
        if (event.shiftKey) event.preventDefault();
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        rows.pointAt(positionUnder(event.target));
        onMenu({ x: event.clientX, y: event.clientY });
      }}
    >
      <TableHeader
        columns={columns}
        sort={sort}
        isPartial={folder.hasMore}
        onSort={props.onSort}
        onServiceOrder={props.onServiceOrder}
      />
      <div role="rowgroup" className={classes.body} style={{ height: viewport.trackHeightPx }}>
        <div
          role="presentation"
          className={classes.window}
          style={{ transform: `translateY(${String(seen.offsetPx)}px)` }}
        >
          {positions.map((position) => {
            const number = model.rowAt(position);
            const row = model.row(number);
            return row === undefined ? null : (
              <TableRow
                // Elements are used again for the rows that come into sight: scrolling changes text, not the page.
                key={position % mostRows}
                id={`${baseId}-${String(position)}`}
                row={row}
                folder={model.folder}
                position={position}
                columns={columns.fitting}
                kindName={row.kind === 'folder' ? folderName : objectName}
                isSelected={selection.rows.has(number)}
                isDimmed={dimmed !== null && dimmed.has(row.key)}
                isFocused={position === focusPosition}
              />
            );
          })}
        </div>
        {props.footerPx === 0 || model.count > seen.end + 100 ? null : (
          <div
            role="presentation"
            className={classes.footer}
            style={{
              height: props.footerPx,
              transform: `translateY(${String(footerOffset(track, viewport.scrollTopPx))}px)`,
            }}
          >
            <div role="row">
              <div role="gridcell">
                <Footer folder={folder} />
              </div>
            </div>
          </div>
        )}
      </div>
    </div>
  );
}

function Footer({ folder }: { readonly folder: Folder }) {
  const { t } = useTranslation();
  if (folder.isFetching)
    return (
      <span className={classes.footerLine}>
        <Loader size={14} aria-hidden />
        {t('objects.footer.loading')}
      </span>
    );
  if (folder.nextError !== null)
    return (
      <div className={classes.footerError}>
        <strong>{t('objects.footer.failed')}</strong>
        <ErrorNotice error={folder.nextError} onRetry={folder.retry} isReading permission="s3:ListBucket" />
      </div>
    );
  return <span className={classes.footerLine}>{t('objects.footer.more')}</span>;
}

/** Where a menu that was opened by the keyboard belongs: under the focused row. */
function menuPoint(scroller: HTMLElement | null, position: number): { x: number; y: number } {
  const row = scroller?.querySelector(`[data-position="${String(position)}"]`);
  const box = (row ?? scroller)?.getBoundingClientRect();
  return {
    x: (box?.left ?? 0) + 32,
    y: row === null || row === undefined ? (box?.top ?? 0) + 40 : row.getBoundingClientRect().bottom,
  };
}
