import { Menu, Tooltip } from '@mantine/core';
import { memo, useId, useImperativeHandle, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { sortingOf } from '../../../ui/table/columns.ts';
import { GridHeader } from '../../../ui/table/grid-header.tsx';
import type { GridHeading } from '../../../ui/table/grid-props.ts';
import { footerOffset, maxRows } from '../../../ui/table/virtual-scroll.ts';
import type { Columns } from '../../../rpc/use-columns.ts';
import type { FolderColumn, SortOrder } from '../rows/folder-columns.ts';
import type { RowViewProps, ViewRowProps } from '../views/folder-views.ts';
import { LazyNameField } from '../rename/lazy-name-field.ts';
import { renameOf, type RowRename } from '../rename/use-row-rename.ts';
import { ListEnd, useListEnd } from '../views/list-end.tsx';
import { positionOf, useRowEvents } from '../views/row-events.ts';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import { TypeIcon } from '../../../ui/cells/type-icon.tsx';
import classes from '../list.module.css';

interface TableRowProps extends ViewRowProps {
  /** The first column is the name. */
  readonly columns: readonly FolderColumn[];
  /** "Folder" or "Object" for screen readers. */
  readonly kindName: string;
  /** The edit of this row's name, or null if it is not being edited. */
  readonly renaming: RowRename | null;
}

/** One row in the table. The table handles clicks, so that a row re-renders only when its own content changes. */
const TableRow = memo(function TableRow(props: TableRowProps) {
  const { id, row, name, found, position, columns, kindName, isSelected, isFocused, isDimmed, renaming } =
    props;
  const isFolder = row.kind === 'folder';
  return (
    <div
      role="row"
      id={id}
      aria-rowindex={position + 2}
      aria-selected={isSelected}
      className={classes.row}
      data-row-position={position}
      data-kind={row.kind}
      data-focused={isFocused}
      data-dimmed={isDimmed || undefined}
      draggable={renaming === null}
    >
      <div role="gridcell" className={classes.nameCell}>
        <TypeIcon name={name} isFolder={isFolder} />
        {renaming === null ? (
          <span className={classes.name}>
            <KeyText name={name} isCut found={found} />
          </span>
        ) : (
          <LazyNameField rename={renaming} />
        )}
        <span className="visually-hidden">{kindName}</span>
      </div>
      {columns.slice(1).map(({ id: column, text, cell = text, align }) => (
        <div key={column} role="gridcell" className={classes.cell} data-column={column} data-align={align}>
          {cell(row)}
        </div>
      ))}
    </div>
  );
});

export interface FolderTableProps extends RowViewProps {
  readonly columns: Columns<FolderColumn>;
  /** The sort order in the header. */
  readonly sort: SortOrder | null;
  readonly onSort: (column: FolderColumn) => void;
  /** The reason why the rows cannot be sorted now, as the tooltip of the headings. Absent if they can. */
  readonly sortHint?: string | undefined;
  /** Returns to the service's order. Null if the list has no such order. */
  readonly onServiceOrder: (() => void) | null;
  /** True if the rows are files on this computer instead of objects. */
  readonly isLocal?: boolean;
}

/** Returns the headings and the columns menu. Both are memoized, so that opening another folder does not render the header again. */
function useHeader({ columns, sort, onSort, sortHint, onServiceOrder, folder }: FolderTableProps) {
  const { t } = useTranslation();
  const isPartial = folder.hasMore && sortHint === undefined;
  const headings = useMemo(() => {
    const order = sort === null ? null : { by: sort.column, descending: sort.descending };
    return columns.fitting.map((column): GridHeading => {
      const heading = columns.headingOf(column);
      // Stays mounted, since new elements would delay the first rows of a folder.
      const note = column.isFixed === true ? { note: <OrderNote isPartial={isPartial} /> } : {};
      if (column.isUnsorted === true) return { ...heading, ...note };
      const hint = sortHint === undefined ? {} : { hint: sortHint };
      return { ...heading, ...sortingOf(order, () => onSort(column), column), ...hint, ...note };
    });
  }, [columns, sort, onSort, sortHint, isPartial]);
  const menu = useMemo(
    () =>
      onServiceOrder === null ? null : (
        <>
          <Menu.CheckboxItem
            checked={sort === null}
            disabled={isPartial}
            closeMenuOnClick
            onChange={onServiceOrder}
          >
            {t('objects.sort.service')}
          </Menu.CheckboxItem>
          <Menu.Divider />
        </>
      ),
    [onServiceOrder, sort, isPartial, t],
  );
  return { headings, menu };
}

/** Names the service's order while the folder is not completely loaded. */
function OrderNote({ isPartial }: { readonly isPartial: boolean }) {
  const { t } = useTranslation();
  return (
    <Tooltip label={t('objects.serviceOrderWhy')} multiline w={260} disabled={!isPartial}>
      <span className={classes.orderNote}>{isPartial ? t('objects.serviceOrder') : null}</span>
    </Tooltip>
  );
}

/** Shows the rows of a folder as a table, with elements only for visible rows. Follows the ARIA grid pattern. */
export function FolderTable(props: FolderTableProps) {
  const { label, model, folder, viewport, rows, columns, dimmed, ref } = props;
  const { scroller, attach, window: rendered, track } = viewport;
  const { focusPosition } = rows;
  const { t } = useTranslation();
  const folderName = t('objects.kinds.folder');
  const objectName = t(props.isLocal === true ? 'files.file' : 'objects.kinds.object');
  const baseId = useId();
  const { headings, menu } = useHeader(props);
  const events = useRowEvents(props);
  useImperativeHandle(ref, () => ({ focus: () => scroller?.focus({ preventScroll: true }) }), [scroller]);

  useListEnd(props);
  const positions = Array.from({ length: rendered.end - rendered.first }, (_, at) => rendered.first + at);
  const isFocusRendered = focusPosition >= rendered.first && focusPosition < rendered.end;

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
      aria-activedescendant={isFocusRendered ? `${baseId}-${String(focusPosition)}` : undefined}
      className={classes.table}
      style={{ ['--columns' as string]: columns.template }}
      {...events}
      onPointerOver={(event) => {
        const cell = event.target instanceof HTMLElement ? event.target : null;
        const hover = columns.fitting.find(({ id }) => id === cell?.dataset['column'])?.hover;
        const position = hover === undefined ? null : positionOf(event);
        const row = position === null ? undefined : model.row(model.rowAt(position));
        if (cell !== null && row !== undefined && hover !== undefined) cell.title = hover(row, Date.now());
      }}
    >
      <GridHeader
        columns={headings}
        template={columns.template}
        minWidthPx={undefined}
        chooser={columns}
        menu={menu}
        skipsTab
      />
      <div role="rowgroup" className={classes.body} style={{ height: viewport.trackHeightPx }}>
        <div
          role="presentation"
          className={classes.window}
          style={{ transform: `translateY(${String(rendered.offsetPx)}px)` }}
        >
          {positions.map((position) => {
            const number = model.rowAt(position);
            const row = model.row(number);
            return row === undefined ? null : (
              <TableRow
                // Reuses the elements of rows that have scrolled off the screen.
                key={position % maxRows}
                id={`${baseId}-${String(position)}`}
                row={row}
                name={model.nameOf(row)}
                found={props.foundIn?.(row) ?? null}
                position={position}
                columns={columns.fitting}
                kindName={row.kind === 'folder' ? folderName : objectName}
                isSelected={rows.isSelected(number)}
                isDimmed={dimmed !== null && dimmed.has(row.key)}
                isFocused={position === focusPosition}
                renaming={renameOf(props.renaming, row)}
              />
            );
          })}
        </div>
        {props.footerPx === 0 || model.count > rendered.end + 100 ? null : (
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
                <ListEnd folder={folder} />
              </div>
            </div>
          </div>
        )}
      </div>
    </div>
  );
}
