import { z } from 'zod/mini';

/** A column in a table, independent of its content. */
export interface Column<Id extends string = string> {
  readonly id: Id;
  /** The initial width, or the minimum width of a column with a share. */
  readonly widthPx: number;
  /** The column's share of the remaining width, until the user sets a fixed width. */
  readonly share?: number;
  /** True for a column that is always shown, since it identifies the row. */
  readonly isFixed?: boolean;
  /** True for a column that is hidden unless the user has chosen it. */
  readonly isExtra?: boolean;
  readonly align?: 'end';
  /** True if the first click sorts descending, with the largest or newest first. */
  readonly firstDescending?: boolean;
  /** In a narrow table, the column with the highest rank is hidden first. The default is the column's position. */
  readonly rank?: number;
}

export const minColumnWidthPx = 56;
export const maxColumnWidthPx = 600;

const orderSchema = z.object({ by: z.string(), descending: z.boolean() });

/** A user's changes to a table's columns, as stored. */
export const columnsViewSchema = z.object({
  /** The chosen visibility by column id. Contains only choices that differ from the default. */
  chosen: z.record(z.string(), z.boolean()),
  widths: z.record(z.string(), z.number().check(z.gte(minColumnWidthPx), z.lte(maxColumnWidthPx))),
  /** Null for the table's default order. */
  order: z.nullable(orderSchema),
});

/** An order of rows by one of these columns. */
export interface OrderBy<Id extends string> {
  readonly by: Id;
  readonly descending: boolean;
}
export type ColumnOrder = OrderBy<string>;
export type ColumnsView = z.infer<typeof columnsViewSchema>;

export const firstColumnsView: ColumnsView = { chosen: {}, widths: {}, order: null };

export function isChosen(view: ColumnsView, column: Column): boolean {
  return column.isFixed === true || (view.chosen[column.id] ?? column.isExtra !== true);
}

/** Toggles a column. */
export function withChoice(view: ColumnsView, columns: readonly Column[], id: string): ColumnsView {
  const column = columns.find((candidate) => candidate.id === id);
  if (column === undefined || column.isFixed === true) return view;
  const { [id]: before, ...chosen } = view.chosen;
  return before === undefined
    ? { ...view, chosen: { ...chosen, [id]: !isChosen(view, column) } }
    : { ...view, chosen };
}

/** Sets the width of a column, within limits that keep the column's border reachable. */
export function withWidth(view: ColumnsView, id: string, widthPx: number): ColumnsView {
  const clampedPx = Math.round(Math.max(minColumnWidthPx, Math.min(maxColumnWidthPx, widthPx)));
  return { ...view, widths: { ...view.widths, [id]: clampedPx } };
}

/** Returns the width of a column, or the minimum width of a flexible column. */
export function widthOf(view: ColumnsView, column: Column): number {
  return view.widths[column.id] ?? column.widthPx;
}

/** Returns the width of a column, or null for a flexible column, whose width depends on the table's. */
export function knownWidthOf(view: ColumnsView, { id, widthPx, share }: Column): number | null {
  return view.widths[id] ?? (share === undefined ? widthPx : null);
}

/** Returns the chosen columns that fit, in order. Includes fixed columns in any case. */
export function fittingColumns<C extends Column>(
  columns: readonly C[],
  view: ColumnsView,
  tableWidthPx: number,
): readonly C[] {
  const chosen = columns.filter((column) => isChosen(view, column));
  const rankOf = (column: C): number =>
    column.isFixed === true ? -1 : (column.rank ?? columns.indexOf(column));
  let restPx = tableWidthPx;
  const fitting = new Set<C>();
  for (const column of chosen.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    restPx -= widthOf(view, column);
    if (restPx < 0 && column.isFixed !== true) break;
    fitting.add(column);
  }
  return chosen.filter((column) => fitting.has(column));
}

/** Returns the width of a column, as in `grid-template-columns`. */
export function trackOf(column: Column, view: ColumnsView): string {
  const { [column.id]: chosenWidthPx } = view.widths;
  if (chosenWidthPx === undefined && column.share !== undefined)
    return `minmax(${String(column.widthPx)}px, ${String(column.share)}fr)`;
  return `${String(chosenWidthPx ?? column.widthPx)}px`;
}

/** Returns the widths as `grid-template-columns`. */
export function gridTemplate(columns: readonly Column[], view: ColumnsView): string {
  return columns.map((column) => trackOf(column, view)).join(' ');
}

/** Returns the order after a click on a column's name. */
export function nextOrder<Id extends string>(
  order: OrderBy<string> | null,
  { id, firstDescending = false }: Pick<Column<Id>, 'id' | 'firstDescending'>,
): OrderBy<Id> {
  if (order?.by === id) return { by: id, descending: !order.descending };
  return { by: id, descending: firstDescending };
}

/** Returns the sort direction that a heading shows, and the handler of a click on it. */
export function sortingOf<Id extends string>(
  order: OrderBy<string> | null,
  onSort: (order: OrderBy<Id>) => void,
  column: Pick<Column<Id>, 'id' | 'firstDescending'>,
): { readonly sort: 'ascending' | 'descending' | 'none'; readonly onSort: () => void } {
  return {
    sort: order?.by !== column.id ? 'none' : order.descending ? 'descending' : 'ascending',
    onSort: () => onSort(nextOrder(order, column)),
  };
}

/** A column in the header's menu. */
export interface ColumnChoice {
  readonly id: string;
  readonly label: string;
  readonly isFixed: boolean;
  readonly isChosen: boolean;
  /** True if the window is wide enough for this column and the others. */
  readonly hasRoom: boolean;
}
