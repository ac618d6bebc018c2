import type { DragEvent, KeyboardEvent, ReactNode } from 'react';
import type { ColumnChooser } from './column-chooser.tsx';
import type { Modifiers } from './selection.ts';

export interface GridColumn {
  readonly id: string;
  readonly label: ReactNode;
  /** As in grid-template-columns. */
  readonly width: string;
  readonly align?: 'start' | 'end';
  /** Makes the border at its start draggable; `widthPx` null: no width is set yet. Undefined: the width is fixed. */
  readonly edge?: { readonly name: string; readonly widthPx: number | null };
  /** Undefined: this column cannot be sorted by. */
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
  /** The focused row; -1 for none. */
  readonly active: number;
  readonly onActive: (index: number, how: Modifiers) => void;
  /** Returns the cells of a row, one per column. */
  readonly cellsOf: (index: number) => readonly ReactNode[];
  readonly isSelected?: (index: number) => boolean;
  /** Several rows can be selected: Space and Ctrl+click add to them. */
  readonly isMulti?: boolean;
  readonly onOpen?: (index: number) => void;
  /** One click opens a row, as in a list of places; otherwise a double click. */
  readonly opensOnClick?: boolean;
  /** Handles keys that the grid does not use. */
  readonly onKey?: (event: KeyboardEvent) => void;
  /** The columns menu and the handler of their borders. */
  readonly chooser?: GridChooser;
  readonly onRange?: (first: number, last: number) => void;
  readonly onMenu?: (index: number, at: { readonly x: number; readonly y: number }) => void;
  /** Starts dragging the row at an index and the other selected rows; absent: rows cannot be dragged. */
  readonly onDragStart?: (index: number, event: DragEvent) => void;
  /** False hides the column names, as for a list of one column. */
  readonly hasHeader?: boolean;
  /** Identifies order and filter; when it changes, the list scrolls to its top. */
  readonly topKey?: string;
  /** Each new one scrolls the list to its row. */
  readonly seek?: { readonly row: number };
  /** True if the list takes focus when its first rows appear, unless another element has focus. */
  readonly takesKeyboard?: boolean;
  /** A row's position in a tree; makes this a tree grid. */
  readonly branchOf?: (index: number) => GridBranch;
  /** If narrower than this, the table scrolls sideways. */
  readonly minWidthPx?: number;
}

export interface GridBranch {
  /** The depth in the tree, from 1. */
  readonly level: number;
  /** null: it has no children. */
  readonly isOpen: boolean | null;
  /** Position among its siblings, from 1. */
  readonly position: number;
  /** -1: not known yet. */
  readonly siblings: number;
}
