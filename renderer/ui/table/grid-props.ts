import type { KeyboardEvent, ReactNode } from 'react';
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
  /** The row the keyboard is at; -1 for none. */
  readonly active: number;
  readonly onActive: (index: number, how: Modifiers) => void;
  /** One for each column. */
  readonly cellsOf: (index: number) => readonly ReactNode[];
  readonly isSelected?: (index: number) => boolean;
  /** Several rows can be selected: Space and Ctrl+click add to them. */
  readonly isMulti?: boolean;
  readonly onOpen?: (index: number) => void;
  /** One click opens a row, as a list of places does; else two do. */
  readonly opensOnClick?: boolean;
  /** Keys that the grid has no use for itself. */
  readonly onKey?: (event: KeyboardEvent) => void;
  /** The menu of the columns, and what moves their borders. */
  readonly chooser?: GridChooser;
  readonly onRange?: (first: number, last: number) => void;
  readonly onMenu?: (index: number, at: { readonly x: number; readonly y: number }) => void;
  /** Without names above the columns, such as a list of one column. */
  readonly hasHeader?: boolean;
  /** When it changes, the list begins at its top again: another order, another filter. */
  readonly topKey?: string;
  /** Each new one scrolls the list to its row. */
  readonly seek?: { readonly row: number };
  /** Takes the keyboard when its first rows come, unless something else on the screen has it. */
  readonly takesKeyboard?: boolean;
  /** A row's place in a tree; makes this a tree grid. */
  readonly branchOf?: (index: number) => GridBranch;
  /** Narrower than this, and the table is scrolled sideways. */
  readonly minWidthPx?: number;
}

export interface GridBranch {
  /** From 1. */
  readonly level: number;
  /** null: nothing is inside. */
  readonly isOpen: boolean | null;
  /** Position among its siblings, from 1. */
  readonly position: number;
  /** -1: not known yet. */
  readonly siblings: number;
}
