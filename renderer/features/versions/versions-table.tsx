import { useElementSize } from '@mantine/hooks';
import type { TFunction } from 'i18next';
import { Folder } from 'lucide-react';
import { useCallback, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lastSegment } from '../../../shared/keys/paths.ts';
import type { VersionEntry } from '../../../shared/models/versions.ts';
import { type Cells, gridColumns, useColumns, useKeptColumns } from '../../rpc/use-columns.ts';
import { joinClasses } from '../../ui/class-names.ts';
import type { Column } from '../../ui/table/columns.ts';
import { formatBytes, formatExactBytes } from '../../ui/words/format.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { ShownTime } from '../../ui/words/shown-time.tsx';
import { StorageClass } from '../../ui/cells/storage-class.tsx';
import { VirtualGrid } from '../../ui/table/virtual-grid.tsx';
import { stateOf, versionRowId, type VersionRow } from './version-rows.ts';
import common from '../../ui/common.module.css';
import classes from './versions.module.css';

interface VersionsTableProps {
  readonly name: string;
  readonly rows: readonly VersionRow[];
  readonly active: number;
  readonly onActive: (index: number) => void;
  readonly onOpen: (row: VersionRow) => void;
  readonly onMenu: (index: number, at: { readonly x: number; readonly y: number }) => void;
  /** Called when the end of the loaded rows becomes visible. */
  readonly onNearEnd: () => void;
}

type Name = 'name' | 'state' | 'modified' | 'size' | 'storageClass' | 'versionId';

const aheadRows = 200;
const besideRowsPx = 40;

/** Columns with a high rank are hidden first in a narrow window. */
const columns: readonly Column<Name>[] = [
  { id: 'name', widthPx: 120, share: 1, isFixed: true },
  { id: 'state', widthPx: 112, rank: 1 },
  { id: 'modified', widthPx: 184, rank: 2 },
  { id: 'size', widthPx: 92, align: 'end', rank: 3 },
  { id: 'storageClass', widthPx: 120, rank: 5 },
  { id: 'versionId', widthPx: 90, share: 0.5, rank: 4 },
];

/** Shows versions as a table, grouped by key and newest first. */
export function VersionsTable(props: VersionsTableProps) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const { rows, onNearEnd } = props;
  const shown = useColumns(useKeptColumns('columns:versions'), {
    columns,
    labelOf: ({ id }) => t(`versions.columns.${id}`),
    widthPx: width === 0 ? Number.POSITIVE_INFINITY : width - besideRowsPx,
  });
  const onRange = useCallback(
    (_first: number, last: number) => {
      if (last >= rows.length - aheadRows) onNearEnd();
    },
    [rows.length, onNearEnd],
  );
  return (
    <div ref={ref} className={common.fill}>
      <VirtualGrid
        label={t('versions.table', { name: props.name })}
        columns={gridColumns(shown, cellsOf(t))}
        chooser={shown}
        rowCount={rows.length}
        rowHeightPx={30}
        active={props.active}
        onActive={props.onActive}
        rowAt={(index) => rows[index]}
        idOf={versionRowId}
        onOpen={props.onOpen}
        onRange={onRange}
        onMenu={(_row, at, index) => props.onMenu(index, at)}
      />
    </div>
  );
}

/** Returns the cells of a version's row. */
function cellsOf(t: TFunction): Cells<VersionRow, Name> {
  return {
    name: (row) => <NameCell row={row} />,
    state: ofVersion((entry) => (
      <span className={classes.state} data-state={stateOf(entry)}>
        {t(`versions.state.${stateOf(entry)}`)}
      </span>
    )),
    modified: ofVersion(({ lastModified }) =>
      lastModified === null ? null : <ShownTime iso={lastModified} hasSeconds />,
    ),
    size: ofVersion(({ sizeBytes }) =>
      sizeBytes === null ? null : <span title={formatExactBytes(sizeBytes)}>{formatBytes(sizeBytes)}</span>,
    ),
    storageClass: ofVersion(({ storageClass }) => (
      <span className={common.quiet}>
        <StorageClass name={storageClass} />
      </span>
    )),
    versionId: ofVersion(({ versionId }) => (
      <span className={joinClasses(common.cut, common.mono, common.quiet, classes.name)} title={versionId}>
        {versionId}
      </span>
    )),
  };
}

/** Returns a cell that is empty in the row of a folder. */
function ofVersion(cell: (entry: VersionEntry) => ReactNode): (row: VersionRow) => ReactNode {
  return (row) => (row.kind === 'version' ? cell(row.entry) : null);
}

function NameCell({ row }: { readonly row: VersionRow }) {
  if (row.kind === 'folder')
    return (
      <span className={joinClasses(common.cut, classes.name, classes.folder)}>
        <Folder size={14} aria-hidden />
        <KeyText name={lastSegment(row.prefix)} />
      </span>
    );
  const { entry, isFirst } = row;
  return (
    <span
      className={joinClasses(common.cut, classes.name)}
      data-older={!isFirst}
      data-gone={entry.isDeleteMarker && entry.isLatest}
      title={entry.key}
    >
      {/* Shows the name once per group. Assistive technology finds it in every row. */}
      <span className={isFirst ? undefined : 'visually-hidden'}>
        <KeyText name={lastSegment(entry.key)} />
      </span>
    </span>
  );
}
