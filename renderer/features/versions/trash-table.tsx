import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { folderOf, lastSegment } from '../../../shared/keys/paths.ts';
import type { DeletedEntry } from '../../../shared/models/versions.ts';
import { useColumns, useKeptColumns } from '../../rpc/use-columns.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { VirtualGrid } from '../../ui/table/virtual-grid.tsx';
import { formatBytes, formatExactBytes } from '../../ui/words/format.ts';
import { ShownTime } from '../../ui/words/shown-time.tsx';
import common from '../../ui/common.module.css';
import classes from './versions.module.css';

interface TrashTableProps {
  readonly rows: readonly DeletedEntry[];
  readonly active: number;
  /** The versions being restored. */
  readonly restoring: ReadonlySet<string>;
  readonly onActive: (index: number) => void;
  readonly onRestore: (entry: DeletedEntry) => void;
}

type Name = 'name' | 'folder' | 'deleted' | 'size';

const besideRowsPx = 40;

/** Columns with a high rank are hidden first in a narrow window. */
const columns: readonly Column<Name>[] = [
  { id: 'name', widthPx: 160, share: 1, isFixed: true },
  { id: 'folder', widthPx: 140, share: 0.8, rank: 2 },
  { id: 'deleted', widthPx: 170, rank: 1 },
  { id: 'size', widthPx: 92, align: 'end', rank: 3 },
];

/** Shows deleted objects as a table. Enter restores an object. */
export function TrashTable({ rows, active, restoring, onActive, onRestore }: TrashTableProps) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const shown = useColumns(useKeptColumns('columns:trash'), {
    columns,
    labelOf: ({ id }) => t(`versions.trash.columns.${id}`),
    widthPx: width === 0 ? Number.POSITIVE_INFINITY : width - besideRowsPx,
  });
  const cellOf = (id: Name, { key, versionId, deletedAt, sizeBytes }: DeletedEntry): ReactNode => {
    switch (id) {
      case 'name':
        return (
          <span className={classes.name} data-older={restoring.has(versionId) || undefined} title={key}>
            <KeyText name={key.endsWith('/') ? key : lastSegment(key)} isCut />
          </span>
        );
      case 'folder':
        return (
          <span className={`${classes.name} ${common.quiet}`}>
            {folderOf(key) === '' ? null : <KeyText name={folderOf(key)} />}
          </span>
        );
      case 'deleted':
        return restoring.has(versionId) ? (
          <span className={common.quiet}>{t('versions.trash.restoring')}</span>
        ) : deletedAt === null ? null : (
          <ShownTime iso={deletedAt} hasSeconds />
        );
      case 'size':
        return sizeBytes === null ? null : (
          <span title={formatExactBytes(sizeBytes)}>{formatBytes(sizeBytes)}</span>
        );
      default:
        return id satisfies never;
    }
  };
  return (
    <div ref={ref} className={classes.list}>
      <VirtualGrid
        label={t('versions.trash.table')}
        columns={shown.headings}
        chooser={shown}
        rowCount={rows.length}
        rowHeightPx={30}
        active={active}
        onActive={onActive}
        cellsOf={(index) => {
          const row = rows[index];
          return row === undefined
            ? []
            : shown.fitting.map(({ id }) => <span key={id}>{cellOf(id, row)}</span>);
        }}
        onOpen={(index) => {
          const row = rows[index];
          if (row !== undefined && !restoring.has(row.versionId)) onRestore(row);
        }}
      />
    </div>
  );
}
