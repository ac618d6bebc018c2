import { useCallback, useMemo, type ReactNode } from 'react';
import { z } from 'zod/mini';
import {
  columnsViewSchema,
  firstColumnsView,
  fittingColumns,
  gridTemplate,
  knownWidthOf,
  trackOf,
  isChosen,
  sortingOf,
  withChoice,
  withWidth,
  type Column,
  type ColumnChoice,
  type ColumnOrder,
  type OrderBy,
  type ColumnsView,
} from '../ui/table/columns.ts';
import type { GridColumn, GridHeading } from '../ui/table/grid-props.ts';
import { useKeptView } from './use-kept-view.ts';

export interface KeptColumns {
  readonly view: ColumnsView;
  readonly set: (view: ColumnsView) => void;
}

export interface ColumnsOptions<C extends Column> {
  readonly columns: readonly C[];
  /** Returns the label of a column. Memoize it if the header must not re-render with every change of the rows. */
  readonly labelOf: (column: C) => string;
  /** The width of the rows. */
  readonly widthPx: number;
}

export interface Columns<C extends Column> {
  /** The visible columns, in order. */
  readonly fitting: readonly C[];
  readonly headingOf: (column: C) => GridHeading;
  /** The widths of the columns, as `grid-template-columns`. */
  readonly template: string;
  readonly view: ColumnsView;
  readonly setOrder: (order: ColumnOrder) => void;
  readonly resize: (id: string, widthPx: number) => void;
  readonly choices: readonly ColumnChoice[];
  readonly toggle: (id: string) => void;
  /** Resets columns and widths to their defaults, but not the order. */
  readonly reset: () => void;
}

// Version 1.0.0 stored only the widths of the folder's columns.
const widthsSchema = z.pipe(
  z.record(z.string(), z.number()),
  z.transform((widths) => ({ ...firstColumnsView, widths })),
);
const storedViewSchema = z.union([columnsViewSchema, widthsSchema, z.null()]);

/**
 * Returns the user's choice of columns, stored under `name`. If nothing is stored there, returns the last choice, without its
 * order, under any name with the same `like`.
 */
export function useKeptColumns(name: string, like = name): KeptColumns {
  const { value: storedView, set: keep } = useKeptView<ColumnsView | null>(name, storedViewSchema, null);
  const { value: common, set: keepCommon } = useKeptView<ColumnsView | null>(like, storedViewSchema, null);
  const view = useMemo(
    () => storedView ?? (common === null ? firstColumnsView : { ...common, order: null }),
    [storedView, common],
  );
  const set = useCallback(
    (next: ColumnsView) => {
      if (like !== name) keepCommon({ ...next, order: null });
      keep(next);
    },
    [keep, keepCommon, like, name],
  );
  return useMemo(() => ({ view, set }), [view, set]);
}

/** Returns the columns that a table shows, and the handlers of its header. The object stays the same until one of them changes. */
export function useColumns<C extends Column>(
  { view, set }: KeptColumns,
  options: ColumnsOptions<C>,
): Columns<C> {
  const { columns, labelOf, widthPx } = options;
  const fitting = fittingColumns(columns, view, widthPx);
  // Compares the ids of columns, so that a slightly wider table does not re-render every row.
  const names = fitting.map(({ id }) => id).join();
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const stable = useMemo(() => fitting, [names, columns]);
  return useMemo(
    (): Columns<C> => ({
      fitting: stable,
      headingOf: (column) => ({
        id: column.id,
        label: labelOf(column),
        width: trackOf(column, view),
        align: column.align ?? 'start',
        ...(column.isFixed === true
          ? {}
          : { edge: { name: labelOf(column), widthPx: knownWidthOf(view, column) } }),
      }),
      template: gridTemplate(stable, view),
      view,
      setOrder: (order) => set({ ...view, order }),
      resize: (id, px) => set(withWidth(view, id, px)),
      choices: columns.map((column) => ({
        id: column.id,
        label: labelOf(column),
        isFixed: column.isFixed === true,
        isChosen: isChosen(view, column),
        hasRoom: stable.includes(column),
      })),
      toggle: (id) => set(withChoice(view, columns, id)),
      reset: () => set({ ...firstColumnsView, order: view.order }),
    }),
    [stable, columns, view, set, labelOf],
  );
}

/** The cells of a table, by column. */
export type Cells<Row, Id extends string> = Readonly<Record<Id, (row: Row) => ReactNode>>;

export interface Sorting<Id extends string> {
  readonly order: OrderBy<Id>;
  readonly onSort: (order: OrderBy<Id>) => void;
}

/** Returns the visible columns with their cells, for a VirtualGrid. With `sorting`, a click on a heading sorts. */
export function gridColumns<Row, Id extends string>(
  { fitting, headingOf }: Columns<Column<Id>>,
  cells: Cells<Row, Id>,
  sorting?: Sorting<Id>,
): readonly GridColumn<Row>[] {
  return fitting.map((column) => ({
    ...headingOf(column),
    ...(sorting === undefined ? {} : sortingOf(sorting.order, sorting.onSort, column)),
    cell: cells[column.id],
  }));
}
