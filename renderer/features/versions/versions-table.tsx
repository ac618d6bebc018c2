import { useElementSize } from '@mantine/hooks';
import type { TFunction } from 'i18next';
import { Folder } from 'lucide-react';
import { useCallback, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lastSegment } from '../../../shared/keys/paths.ts';
import { formatBytes, formatDate, formatExactBytes, formatExactDate } from '../../ui/format.ts';
import { KeyText } from '../../ui/key-text.tsx';
import { VirtualGrid, type GridColumn } from '../../ui/virtual-grid.tsx';
import { stateOf, type VersionRow } from './version-rows.ts';
import classes from './versions.module.css';

interface VersionsTableProps {
  readonly name: string;
  readonly rows: readonly VersionRow[];
  readonly active: number;
  readonly onActive: (index: number) => void;
  readonly onOpen: (row: VersionRow) => void;
  readonly onMenu: (index: number, at: { readonly x: number; readonly y: number }) => void;
  /** The end of what is loaded comes into sight. */
  readonly onNearEnd: () => void;
}

type Column = 'name' | 'state' | 'modified' | 'size' | 'storageClass' | 'versionId';

const aheadRows = 200;

/** What is dropped first where the window is narrow stands last. */
const widths: readonly (readonly [Column, string, number])[] = [
  ['name', 'minmax(120px, 1fr)', 0],
  ['state', '112px', 0],
  ['modified', '170px', 0],
  ['size', '92px', 520],
  ['storageClass', '120px', 760],
  ['versionId', 'minmax(90px, 0.5fr)', 640],
];

/** Versions below one another, those of a key together, the newest first. */
export function VersionsTable(props: VersionsTableProps) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const { rows, onNearEnd } = props;
  const columns = widths.filter(([, , fromPx]) => width === 0 || width >= fromPx);
  const shown = columns.map(([id, wide]): GridColumn => ({
    id,
    label: t(`versions.columns.${id}`),
    width: wide,
    align: id === 'size' ? 'end' : 'start',
  }));
  const onRange = useCallback(
    (_first: number, last: number) => {
      if (last >= rows.length - aheadRows) onNearEnd();
    },
    [rows.length, onNearEnd],
  );
  const cellsOf = (index: number): readonly ReactNode[] => {
    const row = rows[index];
    if (row === undefined) return [];
    return columns.map(([column]) => <Cell key={column} column={column} row={row} t={t} />);
  };
  return (
    <div ref={ref} className={classes.list}>
      <VirtualGrid
        label={t('versions.table', { name: props.name })}
        columns={shown}
        rowCount={rows.length}
        rowHeightPx={30}
        active={props.active}
        onActive={props.onActive}
        cellsOf={cellsOf}
        onOpen={(index) => {
          const row = rows[index];
          if (row !== undefined) props.onOpen(row);
        }}
        onRange={onRange}
        onMenu={props.onMenu}
      />
    </div>
  );
}

interface CellProps {
  readonly column: Column;
  readonly row: VersionRow;
  readonly t: TFunction;
}

function Cell({ column, row, t }: CellProps) {
  if (row.kind === 'folder') {
    if (column !== 'name') return null;
    return (
      <span className={`${classes.name} ${classes.folder}`}>
        <Folder size={14} aria-hidden />
        <KeyText name={lastSegment(row.prefix)} />
      </span>
    );
  }
  const { entry, isFirst } = row;
  switch (column) {
    case 'name':
      return (
        <span
          className={classes.name}
          data-older={!isFirst}
          data-gone={entry.isDeleteMarker && entry.isLatest}
          title={entry.key}
        >
          <KeyText name={lastSegment(entry.key)} />
        </span>
      );
    case 'state': {
      const state = stateOf(entry);
      return (
        <span className={classes.state} data-state={state}>
          {t(`versions.state.${state}`)}
        </span>
      );
    }
    case 'modified':
      return entry.lastModified === null ? null : (
        <time dateTime={entry.lastModified} title={formatExactDate(entry.lastModified)}>
          {formatDate(entry.lastModified)}
        </time>
      );
    case 'size':
      return entry.sizeBytes === null ? null : (
        <span title={formatExactBytes(entry.sizeBytes)}>{formatBytes(entry.sizeBytes)}</span>
      );
    case 'storageClass':
      return <span className={classes.quiet}>{entry.storageClass}</span>;
    case 'versionId':
      return (
        <span className={`${classes.name} ${classes.mono} ${classes.quiet}`} title={entry.versionId}>
          {entry.versionId}
        </span>
      );
    default:
      return column satisfies never;
  }
}
