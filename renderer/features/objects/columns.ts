import { z } from 'zod';
import type { SortColumn } from './sort.ts';

export type SideColumn = Exclude<SortColumn, 'name'>;

const widthSchema = z.number().min(64).max(600);
/** How wide the columns are, as it is kept; the name has the rest. */
export const columnWidthsSchema = z.object({
  size: widthSchema,
  modified: widthSchema,
  storageClass: widthSchema,
});
export type ColumnWidths = Readonly<z.infer<typeof columnWidthsSchema>>;

export const defaultWidths: ColumnWidths = { size: 104, modified: 176, storageClass: 132 };

const narrowestNamePx = 180;
/** The last goes first when there is no room. */
const sideColumns: readonly SideColumn[] = ['size', 'modified', 'storageClass'];

/** The columns there is room for, beside a name that can be read. */
export function fittingColumns(widths: ColumnWidths, tableWidthPx: number): readonly SideColumn[] {
  let restPx = tableWidthPx - narrowestNamePx;
  return sideColumns.filter((column) => {
    restPx -= widths[column];
    return restPx >= 0;
  });
}

export function resized(widths: ColumnWidths, column: SideColumn, widthPx: number): ColumnWidths {
  return { ...widths, [column]: Math.round(Math.max(64, Math.min(600, widthPx))) };
}

export function gridTemplate(widths: ColumnWidths, columns: readonly SideColumn[]): string {
  return ['minmax(0, 1fr)', ...columns.map((column) => `${String(widths[column])}px`)].join(' ');
}
