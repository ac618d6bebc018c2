import { describe, expect, it } from 'vitest';
import {
  columnsViewSchema,
  fittingColumns,
  firstColumnsView,
  gridTemplate,
  isChosen,
  nextOrder,
  sortingOf,
  type ColumnOrder,
  withChoice,
  withWidth,
  type Column,
} from '../../../../../renderer/ui/table/columns.ts';

const columns: readonly Column[] = [
  { id: 'name', widthPx: 180, share: 1, isFixed: true },
  { id: 'size', widthPx: 104, firstDescending: true },
  { id: 'modified', widthPx: 176, firstDescending: true },
  { id: 'class', widthPx: 132 },
  { id: 'etag', widthPx: 250, isExtra: true },
];
const ids = (fitting: readonly Column[]): readonly string[] => fitting.map(({ id }) => id);

describe('the columns of a table', () => {
  it('are the chosen ones without the last ones that do not fit', () => {
    expect(ids(fittingColumns(columns, firstColumnsView, 1000))).toEqual([
      'name',
      'size',
      'modified',
      'class',
    ]);
    expect(ids(fittingColumns(columns, firstColumnsView, 480))).toEqual(['name', 'size', 'modified']);
    expect(ids(fittingColumns(columns, firstColumnsView, 300))).toEqual(['name', 'size']);
    expect(ids(fittingColumns(columns, firstColumnsView, 50))).toEqual(['name']);
  });

  it('lose the lowest rank first if they do not fit', () => {
    const ranked = columns.map((column) => (column.id === 'size' ? { ...column, rank: 9 } : column));
    expect(ids(fittingColumns(ranked, firstColumnsView, 500))).toEqual(['name', 'modified', 'class']);
  });

  it('can be toggled except the fixed one, and default choices are not stored', () => {
    const chosen = withChoice(withChoice(firstColumnsView, columns, 'etag'), columns, 'size');
    expect(ids(fittingColumns(columns, chosen, 2000))).toEqual(['name', 'modified', 'class', 'etag']);
    expect(withChoice(firstColumnsView, columns, 'name')).toEqual(firstColumnsView);
    expect(withChoice(chosen, columns, 'etag').chosen).toEqual({ size: false });
    expect(isChosen(chosen, { id: 'etag', widthPx: 1, isExtra: true })).toBe(true);
  });

  it('never get a width that is too small to grab or invalid to store', () => {
    for (const width of [-10, 0, 55, 100.4, 9999])
      expect(columnsViewSchema.safeParse(withWidth(firstColumnsView, 'size', width)).success).toBe(true);
  });

  it('share the remaining width if flexible, until resized', () => {
    const two: readonly Column[] = [
      { id: 'name', widthPx: 180, share: 1, isFixed: true },
      { id: 'folder', widthPx: 100, share: 2 },
    ];
    expect(gridTemplate(two, firstColumnsView)).toBe('minmax(180px, 1fr) minmax(100px, 2fr)');
    expect(gridTemplate(two, withWidth(firstColumnsView, 'folder', 222))).toBe('minmax(180px, 1fr) 222px');
  });

  it('reverse their order on a second click, and start with the largest if configured', () => {
    const [name, size] = columns;
    if (name === undefined || size === undefined) throw new Error('no columns');
    const up = nextOrder(null, name);
    expect(up).toEqual({ by: 'name', descending: false });
    expect(nextOrder(up, name)).toEqual({ by: 'name', descending: true });
    expect(nextOrder(nextOrder(up, name), name)).toEqual(up);
    expect(nextOrder(up, size)).toEqual({ by: 'size', descending: true });
    const sortOf = (order: ColumnOrder | null) => sortingOf(order, () => undefined, name).sort;
    expect([sortOf(up), sortOf(nextOrder(up, name)), sortOf(nextOrder(up, size)), sortOf(null)]).toEqual([
      'ascending',
      'descending',
      'none',
      'none',
    ]);
  });
});
