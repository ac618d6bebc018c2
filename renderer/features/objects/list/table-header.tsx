import { Menu, Tooltip } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { memo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Columns } from '../../../rpc/use-columns.ts';
import { ChooserHeading } from '../../../ui/table/column-chooser.tsx';
import { minColumnWidthPx, maxColumnWidthPx, widthOf } from '../../../ui/table/columns.ts';
import { isEventInside } from '../../../ui/event-inside.ts';
import type { MenuPoint } from '../../../ui/menus.tsx';
import { Splitter } from '../../../ui/splitter.tsx';
import type { FolderColumn, SortOrder } from '../rows/folder-columns.ts';
import classes from '../list.module.css';

interface TableHeaderProps {
  readonly columns: Columns<FolderColumn>;
  readonly sort: SortOrder | null;
  /** True if the folder is not completely loaded. Its rows are then in the service's order. */
  readonly isPartial: boolean;
  /** The reason why the rows cannot be sorted now. Absent if they can. */
  readonly sortHint: string | undefined;
  readonly onSort: (column: FolderColumn) => void;
  readonly onServiceOrder: (() => void) | null;
}

/**
 * The header of the table, which sorts on click and offers to choose and resize columns. Opening another folder does not
 * re-render it.
 */
export const TableHeader = memo(function TableHeader(props: TableHeaderProps) {
  const { t } = useTranslation();
  const { columns, sort, isPartial, sortHint, onSort, onServiceOrder } = props;
  const [menuAt, setMenuAt] = useState<MenuPoint | null>(null);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the menu also opens from a button
    <div
      role="rowgroup"
      className={classes.header}
      onContextMenu={(event) => {
        if (!isEventInside(event)) return;
        event.preventDefault();
        // Otherwise the menu of the rows would open.
        event.stopPropagation();
        setMenuAt({ x: event.clientX, y: event.clientY });
      }}
    >
      <div role="row" aria-rowindex={1} className={classes.headerRow}>
        {columns.fitting.map((column) => (
          <HeaderCell key={column.id} column={column} sort={sort} sortHint={sortHint} onSort={onSort}>
            {column.isFixed === true ? (
              // Stays mounted, since new elements would delay the first rows of a folder.
              <Tooltip label={t('objects.serviceOrderWhy')} multiline w={260} disabled={!isPartial}>
                <span className={classes.orderNote}>{isPartial ? t('objects.serviceOrder') : null}</span>
              </Tooltip>
            ) : (
              <Splitter
                label={t('common.columns.resize', { column: t(`objects.columns.${column.id}`) })}
                valuePx={widthOf(columns.view, column)}
                minPx={minColumnWidthPx}
                maxPx={maxColumnWidthPx}
                part="end"
                className={classes.columnEdge}
                onResize={(widthPx) => {
                  columns.resize(column.id, widthPx);
                }}
              />
            )}
          </HeaderCell>
        ))}
        <ChooserHeading chooser={columns} at={menuAt} onAt={setMenuAt}>
          {onServiceOrder === null ? null : (
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
          )}
        </ChooserHeading>
      </div>
    </div>
  );
});

interface HeaderCellProps {
  readonly column: FolderColumn;
  readonly sort: SortOrder | null;
  readonly sortHint: string | undefined;
  readonly onSort: (column: FolderColumn) => void;
  readonly children?: ReactNode;
}

function HeaderCell({ column, sort, sortHint, onSort, children }: HeaderCellProps) {
  const { t } = useTranslation();
  const isSorted = sort?.column === column.id;
  const direction = sort?.descending === true ? 'descending' : 'ascending';
  const Arrow = sort?.descending === true ? ArrowDown : ArrowUp;
  const label = t(`objects.columns.${column.id}`);
  return (
    <div
      role="columnheader"
      // Sets an explicit label. Otherwise, screen readers would announce the value of the resize handle with every cell: "Size
      // 104".
      aria-label={label}
      aria-sort={column.isUnsorted === true ? undefined : isSorted ? direction : 'none'}
      className={classes.headerCell}
      data-column={column.id}
      data-align={column.align}
    >
      {column.isUnsorted === true || sortHint !== undefined ? (
        <span className={classes.headerText} title={column.isUnsorted === true ? undefined : sortHint}>
          {label}
        </span>
      ) : (
        <button
          type="button"
          tabIndex={-1}
          className={classes.headerButton}
          onClick={() => {
            onSort(column);
          }}
        >
          {label}
          {isSorted ? <Arrow size={13} aria-hidden /> : null}
        </button>
      )}
      {children}
    </div>
  );
}
