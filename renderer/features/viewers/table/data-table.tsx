import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import { formatCount } from '../../../ui/words/format.ts';
import type { GridColumn } from '../../../ui/table/grid-props.ts';
import { VirtualGrid } from '../../../ui/table/virtual-grid.tsx';
import { appErrorOf } from '../../../rpc/errors.ts';
import { Notes, ReadFailure, useViewerActions, ViewerLoading } from '../frame/frame.tsx';
import { useRead } from '../frame/viewer-hooks.ts';
import classes from '../tables.module.css';

const rowHeightPx = 26;
const numberWidthPx = 84;
/** Limit of shown columns. Browsers render more columns slowly. */
export const maxColumns = 200;

/** Limit of characters in a cell. The panel with the full row shows the rest. */
const maxCellLength = 500;

/** A cell whose value cannot be shown. */
export const hiddenCell = Symbol('hidden cell');

export type Cell = string | null | undefined | typeof hiddenCell;

export interface DataColumn {
  /** The name, or null for a column that has only a number. */
  readonly name: string | null;
  /** The width of the column's values, in characters. */
  readonly characters: number;
  readonly isNumeric: boolean;
  /** The type of the column's values, shown below its name. */
  readonly type?: string;
}

interface DataTableProps {
  readonly name: string;
  readonly columns: readonly DataColumn[];
  readonly rowCount: number;
  /** Returns the value in a cell. Null means no value; undefined means that it is not loaded yet. */
  readonly cellOf: (row: number, column: number) => Cell;
  readonly onRange?: (first: number, last: number) => void;
  /** Reads the values in a row without the length limit of a cell. */
  readonly wholeRow: WholeRow;
}

function columnsOf(
  shown: readonly DataColumn[],
  widths: readonly number[],
  cellOf: DataTableProps['cellOf'],
): readonly GridColumn<number>[] {
  const number: GridColumn<number> = {
    id: '#',
    label: '#',
    width: `${String(numberWidthPx)}px`,
    align: 'end',
    cell: (row) => <span className={classes.rowNumber}>{formatCount(row + 1)}</span>,
  };
  const columns = shown.map((column, at): GridColumn<number> => ({
    id: String(at),
    label: <HeadCell column={column} at={at} />,
    width: `${String(widths[at] ?? 0)}px`,
    align: column.isNumeric ? 'end' : 'start',
    cell: (row) => <Value value={cellOf(row, at)} />,
  }));
  return [number, ...columns];
}

/** Shows a table of any length and width. Enter or a double click shows the full values of a row below the table. */
export function DataTable({ name, columns, rowCount, cellOf, onRange, wholeRow }: DataTableProps) {
  const { t } = useTranslation();
  const { isBare = false } = useViewerActions();
  const [active, setActive] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const shown = columns.slice(0, maxColumns);
  const widths = shown.map(widthOf);
  const total = widths.reduce((sum, width) => sum + width, numberWidthPx + 16);
  return (
    <div className={classes.tableFrame}>
      <Notes
        notes={
          columns.length > maxColumns
            ? [t('viewers.table.columnsCut', { count: maxColumns, total: formatCount(columns.length) })]
            : []
        }
      />
      <div className={classes.grid} data-keeps-arrows>
        <VirtualGrid
          label={t('viewers.table.label', { name })}
          columns={columnsOf(shown, widths, cellOf)}
          minWidthPx={total}
          rowCount={rowCount}
          rowHeightPx={rowHeightPx}
          active={active}
          onActive={setActive}
          takesKeyboard
          onOpen={(row) => setOpen(row !== active || !isOpen)}
          rowAt={(row) => row}
          idOf={(row) => row}
          {...(onRange === undefined ? {} : { onRange })}
        />
      </div>
      {isBare || rowCount === 0 ? null : (
        <div className={classes.rowBar}>
          <span>{t('viewers.table.row', { number: formatCount(active + 1) })}</span>
          <Button size="compact-xs" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t(isOpen ? 'viewers.table.hideWhole' : 'viewers.table.showWhole')}
          </Button>
        </div>
      )}
      {isOpen && !isBare && active < rowCount ? (
        <RowValues key={active} row={active} columns={shown} wholeRow={wholeRow} />
      ) : null}
    </div>
  );
}

function Value({ value }: { readonly value: Cell }) {
  if (value === hiddenCell) return <span className={classes.noValue}>—</span>;
  if (value === null) return <span className={classes.noValue}>null</span>;
  if (value === undefined) return '…';
  return value.length > maxCellLength ? `${value.slice(0, maxCellLength).toWellFormed()}…` : value;
}

function HeadCell({ column, at }: { readonly column: DataColumn; readonly at: number }) {
  const { t } = useTranslation();
  const name = column.name ?? t('viewers.table.column', { number: formatCount(at + 1) });
  return (
    <span className={classes.columnHead} title={column.type === undefined ? name : `${name}: ${column.type}`}>
      <span className={joinClasses(common.cut, classes.columnName)}>{name}</span>
      {column.type === undefined ? null : <span className={classes.columnType}>{column.type}</span>}
    </span>
  );
}

function widthOf({ name, characters, type }: DataColumn): number {
  const head = (name?.length ?? 10) + (type === undefined ? 0 : type.length + 1);
  return Math.round(Math.max(64, Math.min(360, Math.max(characters, Math.min(head, 32)) * 7.6 + 20)));
}

/** Reads the full values in a row. A value that cannot be shown is undefined. */
type WholeRow = (row: number, signal: AbortSignal) => Promise<readonly (string | null | undefined)[]>;

interface RowValuesProps {
  readonly row: number;
  readonly columns: readonly { readonly name: string | null }[];
  readonly wholeRow: WholeRow;
}

/** Shows the full values in a row, each below the name of its column. */
function RowValues({ row, columns, wholeRow }: RowValuesProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useRead(async (signal) => await wholeRow(row, signal), [columns.length]);
  return (
    <section
      className={classes.values}
      aria-label={t('viewers.table.row', { number: formatCount(row + 1) })}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
      tabIndex={0}
    >
      {error !== null ? (
        <ReadFailure error={appErrorOf(error)} onRetry={refetch} />
      ) : data === undefined ? (
        <ViewerLoading />
      ) : (
        <dl>
          {columns.map(({ name }, at) => {
            const value = data[at];
            return (
              // oxlint-disable-next-line react/no-array-index-key -- columns of a table never move
              <div key={at}>
                <dt>{name ?? t('viewers.table.column', { number: formatCount(at + 1) })}</dt>
                {value === null || value === undefined ? (
                  <dd className={classes.noValue}>{value === null ? 'null' : '—'}</dd>
                ) : (
                  <dd>{value}</dd>
                )}
              </div>
            );
          })}
        </dl>
      )}
    </section>
  );
}
