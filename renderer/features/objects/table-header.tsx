import { Tooltip } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Splitter } from '../../ui/splitter.tsx';
import { resized, type ColumnWidths, type SideColumn } from './columns.ts';
import type { SortColumn, SortOrder } from './sort.ts';
import classes from './folder-table.module.css';

interface TableHeaderProps {
  readonly columns: readonly SideColumn[];
  readonly widths: ColumnWidths;
  readonly sort: SortOrder | null;
  /** There is more to load: rows stand in the service's order. */
  readonly isPartial: boolean;
  readonly onSort: (column: SortColumn) => void;
  readonly onWidths: (widths: ColumnWidths) => void;
}

/** The table's first line: sorts by a click, and columns take the width they are given. */
export function TableHeader(props: TableHeaderProps) {
  const { t } = useTranslation();
  const { columns, widths, sort, isPartial, onSort, onWidths } = props;
  return (
    <div role="rowgroup" className={classes.header}>
      <div role="row" aria-rowindex={1} className={classes.headerRow}>
        <HeaderCell column="name" sort={sort} onSort={onSort}>
          {/* Always there: what comes new into the window with a folder's first rows holds them up. */}
          <Tooltip label={t('objects.serviceOrderWhy')} multiline w={260} disabled={!isPartial}>
            <span className={classes.orderNote}>{isPartial ? t('objects.serviceOrder') : null}</span>
          </Tooltip>
        </HeaderCell>
        {columns.map((column) => (
          <HeaderCell key={column} column={column} sort={sort} onSort={onSort}>
            <Splitter
              label={t('objects.resizeColumn', { column: t(`objects.columns.${column}`) })}
              valuePx={widths[column]}
              minPx={64}
              maxPx={600}
              part="end"
              className={classes.columnEdge}
              onResize={(widthPx) => {
                onWidths(resized(widths, column, widthPx));
              }}
            />
          </HeaderCell>
        ))}
      </div>
    </div>
  );
}

interface HeaderCellProps {
  readonly column: SortColumn;
  readonly sort: SortOrder | null;
  readonly onSort: (column: SortColumn) => void;
  readonly children?: React.ReactNode;
}

function HeaderCell({ column, sort, onSort, children }: HeaderCellProps) {
  const { t } = useTranslation();
  const isSorted = sort?.column === column;
  const direction = sort?.descending === true ? 'descending' : 'ascending';
  const Arrow = sort?.descending === true ? ArrowDown : ArrowUp;
  const label = t(`objects.columns.${column}`);
  return (
    <div
      role="columnheader"
      // Of its own, or the width that its border stands at is read with it at every cell: "Size 104".
      aria-label={label}
      aria-sort={isSorted ? direction : 'none'}
      className={classes.headerCell}
      data-column={column}
    >
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
      {children}
    </div>
  );
}
