import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../ui/words/format.ts';
import { VirtualGrid } from '../../../ui/table/virtual-grid.tsx';
import classes from './data-table.module.css';

const rowHeightPx = 26;
const numberWidthPx = 84;
/** Limit of columns: an engine draws more of them slowly. */
export const maxColumns = 200;

/** A cell whose value cannot be shown. */
export const hiddenCell = Symbol('hidden cell');

export type Cell = string | null | undefined | typeof hiddenCell;

export interface DataColumn {
  /** null: it only has a number. */
  readonly name: string | null;
  /** The width of its values, in characters. */
  readonly characters: number;
  readonly isNumeric: boolean;
  /** The type of its values, shown below its name. */
  readonly type?: string;
}

interface DataTableProps {
  readonly name: string;
  readonly columns: readonly DataColumn[];
  readonly rowCount: number;
  /** null: no value; undefined: not loaded yet. */
  readonly cellOf: (row: number, column: number) => Cell;
  readonly onRange?: (first: number, last: number) => void;
}

/** Shows a table of any length and width: numbers aligned right, rows counted from 1. */
export function DataTable({ name, columns, rowCount, cellOf, onRange }: DataTableProps) {
  const { t } = useTranslation();
  const [active, setActive] = useState(0);
  const shown = columns.slice(0, maxColumns);
  const widths = shown.map(widthOf);
  const total = widths.reduce((sum, width) => sum + width, numberWidthPx + 16);
  const cellsOf = (row: number): readonly ReactNode[] => [
    <span key="#" className={classes.number}>
      {formatCount(row + 1)}
    </span>,
    // oxlint-disable-next-line react/no-array-index-key -- columns of a table never move
    ...shown.map((_, column) => <Value key={column} value={cellOf(row, column)} />),
  ];
  return (
    <div className={classes.frame}>
      {columns.length > maxColumns ? (
        <p className={classes.more} role="note">
          {t('viewers.table.columnsCut', { count: maxColumns, total: formatCount(columns.length) })}
        </p>
      ) : null}
      <div className={classes.table} data-keeps-arrows>
        <VirtualGrid
          label={t('viewers.table.label', { name })}
          columns={[
            { id: '#', label: '#', width: `${String(numberWidthPx)}px`, align: 'end' },
            ...shown.map((column, at) => ({
              id: String(at),
              label: <HeadCell column={column} at={at} />,
              width: `${String(widths[at] ?? 0)}px`,
              align: column.isNumeric ? ('end' as const) : ('start' as const),
            })),
          ]}
          minWidthPx={total}
          rowCount={rowCount}
          rowHeightPx={rowHeightPx}
          active={active}
          onActive={setActive}
          takesKeyboard
          cellsOf={cellsOf}
          {...(onRange === undefined ? {} : { onRange })}
        />
      </div>
    </div>
  );
}

function Value({ value }: { readonly value: Cell }) {
  if (value === hiddenCell) return <span className={classes.none}>—</span>;
  if (value === null) return <span className={classes.none}>null</span>;
  return value ?? '…';
}

function HeadCell({ column, at }: { readonly column: DataColumn; readonly at: number }) {
  const { t } = useTranslation();
  const name = column.name ?? t('viewers.table.column', { number: formatCount(at + 1) });
  return (
    <span className={classes.head} title={column.type === undefined ? name : `${name}: ${column.type}`}>
      <span className={classes.headName}>{name}</span>
      {column.type === undefined ? null : <span className={classes.type}>{column.type}</span>}
    </span>
  );
}

function widthOf({ name, characters, type }: DataColumn): number {
  const head = (name?.length ?? 10) + (type === undefined ? 0 : type.length + 1);
  return Math.round(Math.max(64, Math.min(360, Math.max(characters, Math.min(head, 32)) * 7.6 + 20)));
}
