import { memo } from 'react';
import { formatBytes, formatDate } from '../../ui/format.ts';
import { KeyText } from '../../ui/key-text.tsx';
import { TypeIcon } from '../../ui/type-icon.tsx';
import type { SideColumn } from './columns.ts';
import { rowName, type FolderRow } from './row.ts';
import classes from './folder-table.module.css';

interface TableRowProps {
  readonly id: string;
  readonly row: FolderRow;
  readonly folder: string;
  readonly position: number;
  readonly columns: readonly SideColumn[];
  /** "Folder" or "Object", for those who do not see the icon. */
  readonly kindName: string;
  readonly isSelected: boolean;
  readonly isFocused: boolean;
  readonly isDimmed: boolean;
}

/** One row. What a click does is decided by the table, so that a row is drawn again only when it changes. */
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
      data-position={position}
      data-kind={row.kind}
      data-focused={isFocused}
      data-dimmed={isDimmed || undefined}
      draggable
    >
      <div role="gridcell" className={classes.nameCell}>
        <TypeIcon name={name} isFolder={isFolder} />
        <span className={classes.name}>
          <KeyText name={name} />
        </span>
        <span className="visually-hidden">{kindName}</span>
      </div>
      {columns.map((column) => (
        <div key={column} role="gridcell" className={classes.cell} data-column={column}>
          {cellText(row, column)}
        </div>
      ))}
    </div>
  );
});

function cellText(row: FolderRow, column: SideColumn): string {
  if (column === 'modified')
    return Number.isNaN(row.modifiedMs) ? '' : formatDate(new Date(row.modifiedMs).toISOString());
  if (row.kind === 'folder') return '';
  return column === 'size' ? formatBytes(row.sizeBytes) : (row.storageClass ?? '');
}
