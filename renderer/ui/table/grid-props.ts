import type { DragEvent, KeyboardEvent, ReactNode } from 'react';
import type { ColumnChooser } from './column-chooser.tsx';
import type { Modifiers } from './selection.ts';

export interface GridColumn {
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
}

export interface GridChooser extends ColumnChooser {
  readonly resize: (id: string, widthPx: number) => void;
}

export interface VirtualGridProps {
  readonly label: string;
  readonly columns: readonly GridColumn[];
  readonly rowCount: number;
  readonly rowHeightPx: number;
  /** The focused row, or -1. */
  readonly active: number;
  readonly onActive: (index: number, how: Modifiers) => void;
  /** Returns the cells in a row, one per column. */
  readonly cellsOf: (index: number) => readonly ReactNode[];
  readonly isSelected?: (index: number) => boolean;
  /** True if several rows can be selected. Space and Ctrl+click add to the selection. */
  readonly isMulti?: boolean;
  readonly onOpen?: (index: number) => void;
  /** True if one click opens a row, as in a list of locations. Otherwise, a double click opens it. */
  readonly opensOnClick?: boolean;
  /** Handles keys that the grid does not use. */
  readonly onKey?: (event: KeyboardEvent) => void;
  /** The columns menu, and the handler for the borders of columns. */
  readonly chooser?: GridChooser;
  readonly onRange?: (first: number, last: number) => void;
  readonly onMenu?: (index: number, at: { readonly x: number; readonly y: number }) => void;
  /** Starts dragging the row at an index and the other selected rows. Absent if rows cannot be dragged. */
  readonly onDragStart?: (index: number, event: DragEvent) => void;
  /** False hides the column names, for example in a list with one column. */
  readonly hasHeader?: boolean;
  /** Identifies the order and the filter. When it changes, the list scrolls to its top. */
  readonly topKey?: string;
  /** A new object scrolls the list to its row. */
  readonly seek?: { readonly row: number };
  /** True if the list takes focus when its first rows appear, unless another element has focus. */
  readonly takesKeyboard?: boolean;
  /** Returns the position of a row in a tree, and makes this a tree grid. */
  readonly branchOf?: (index: number) => GridBranch;
  /** Minimum width of the table. In a narrower space, the table scrolls sideways. */
  readonly minWidthPx?: number;
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
