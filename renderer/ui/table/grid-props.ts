import type { KeyboardEvent, ReactNode } from 'react';
import type { MenuPoint } from '../menus.tsx';
import type { ColumnChooser } from './column-chooser.tsx';
import type { Modifiers } from './selection.ts';

/** The heading of a column. */
export interface GridHeading {
  readonly id: string;
  readonly label: ReactNode;
  /** As in grid-template-columns. */
  readonly width: string;
  readonly align?: 'start' | 'end';
  /**
   * Makes the border at the start of the column draggable. `widthPx` is null before a width is set. Undefined if the width is
   * fixed.
   */
  readonly edge?: { readonly name: string; readonly widthPx: number | null };
  /** The sort direction. Undefined if rows cannot be sorted by this column. */
  readonly sort?: 'ascending' | 'descending' | 'none';
  readonly onSort?: () => void;
  /** The reason why rows cannot be sorted now, as a tooltip. */
  readonly hint?: string;
  /** Shown beside the label. */
  readonly note?: ReactNode;
}

/** A column of a grid: its heading, and its cell in each row. */
export interface GridColumn<Row> extends GridHeading {
  readonly cell: (row: Row) => ReactNode;
}

export interface GridChooser extends ColumnChooser {
  readonly resize: (id: string, widthPx: number) => void;
}

export interface VirtualGridProps<Row> {
  readonly label: string;
  readonly columns: readonly GridColumn<Row>[];
  readonly rowCount: number;
  /** Returns a row; null or undefined while it is not loaded. */
  readonly rowAt: (index: number) => Row | null | undefined;
  /** Returns a value that identifies a row after the list is loaded again, compared by `Object.is`. */
  readonly idOf: (row: Row) => unknown;
  /** The text of a row that is not loaded, in its first column. */
  readonly loading?: string;
  readonly rowHeightPx: number;
  /** The focused row, or -1. */
  readonly active: number;
  readonly onActive: (index: number, how: Modifiers) => void;
  /** Lets users select several rows, by boxes, Space and Ctrl+click. Without it, only the focused row is selected. */
  readonly boxes?: GridBoxes<Row>;
  readonly onOpen?: (row: Row, index: number) => void;
  /** True if one click opens a row, as in a list of locations. Otherwise, a double click opens it. */
  readonly opensOnClick?: boolean;
  /** Returns the names of the rows. Typed letters then move the focus to the next name that starts with them. */
  readonly names?: () => readonly string[];
  /** Handles keys that the grid does not use. */
  readonly onKey?: (event: KeyboardEvent) => void;
  /** The columns menu, and the handler for the borders of columns. */
  readonly chooser?: GridChooser;
  readonly onRange?: (first: number, last: number) => void;
  readonly onMenu?: (row: Row, at: MenuPoint, index: number) => void;
  /** False hides the column names, for example in a list with one column. */
  readonly hasHeader?: boolean;
  /** Identifies the order and the filter. When it changes, the list scrolls to its top. */
  readonly topKey?: string;
  /** A new object scrolls the list to its row. */
  readonly seek?: { readonly row: number };
  /** True if the list takes focus when its first rows appear, unless another element has focus. */
  readonly takesKeyboard?: boolean;
  /** Returns the position of a row in a tree, and makes this a tree grid. */
  readonly branchOf?: (row: Row) => GridBranch;
  /** Minimum width of the table. In a narrower space, the table scrolls sideways. */
  readonly minWidthPx?: number;
}

export interface GridBoxes<Row> {
  /** Names the column of the boxes for screen readers. */
  readonly label: string;
  readonly isSelected: (row: Row) => boolean;
}

export interface GridBranch {
  /** The depth in the tree, from 1. */
  readonly level: number;
  /** Null without children. */
  readonly isOpen: boolean | null;
  /** The row's position among its siblings, from 1. */
  readonly position: number;
  /** The number of siblings, or -1 if unknown. */
  readonly siblings: number;
}
