import { memo } from 'react';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import { TypeIcon } from '../../../ui/cells/type-icon.tsx';
import type { FolderColumn } from '../rows/folder-columns.ts';
import { rowName, type FolderRow } from '../rows/row.ts';
import classes from './folder-table.module.css';

interface TableRowProps {
  readonly id: string;
  readonly row: FolderRow;
  readonly folder: string;
  readonly position: number;
  /** The first one is the name's. */
  readonly columns: readonly FolderColumn[];
  /** "Folder" or "Object" for screen readers. */
  readonly kindName: string;
  readonly isSelected: boolean;
  readonly isFocused: boolean;
  readonly isDimmed: boolean;
}

/** One row. The table handles clicks, so that a row re-renders only when it changes. */
export const TableRow = memo(function TableRow(props: TableRowProps) {
  const { id, row, folder, position, columns, kindName, isSelected, isFocused, isDimmed } = props;
  const isFolder = row.kind === 'folder';
  const name = rowName(row, folder);
  return (
    <div
      role="row"
      id={id}
      aria-rowindex={position + 2}
      aria-selected={isSelected}
      className={classes.row}
      data-row-position={position}
      data-kind={row.kind}
      data-focused={isFocused}
      data-dimmed={isDimmed || undefined}
      draggable
    >
      <div role="gridcell" className={classes.nameCell}>
        <TypeIcon name={name} isFolder={isFolder} />
        <span className={classes.name}>
          <KeyText name={name} isCut />
        </span>
        <span className="visually-hidden">{kindName}</span>
      </div>
      {columns.slice(1).map(({ id: column, text, cell = text, align }) => (
        <div key={column} role="gridcell" className={classes.cell} data-column={column} data-align={align}>
          {cell(row)}
        </div>
      ))}
    </div>
  );
});
