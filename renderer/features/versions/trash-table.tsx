import { useElementSize } from '@mantine/hooks';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { folderOf, lastSegment } from '../../../shared/keys/paths.ts';
import type { DeletedEntry } from '../../../shared/models/versions.ts';
import { type Cells, gridColumns, useColumns, useKeptColumns } from '../../rpc/use-columns.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { joinClasses } from '../../ui/class-names.ts';
import type { Column } from '../../ui/table/columns.ts';
import { VirtualGrid } from '../../ui/table/virtual-grid.tsx';
import { formatBytes, formatExactBytes } from '../../ui/words/format.ts';
import { ShownTime } from '../../ui/words/shown-time.tsx';
import common from '../../ui/common.module.css';
import { deletedId } from './trash-rows.ts';
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

/** Returns the cells of a deleted object's row. */
function cellsOf(restoring: ReadonlySet<string>, t: TFunction): Cells<DeletedEntry, Name> {
  return {
    name: (row) => (
      <span
        className={joinClasses(common.cut, classes.name)}
        data-older={restoring.has(deletedId(row)) || undefined}
        title={row.key}
      >
        <KeyText name={row.key.endsWith('/') ? row.key : lastSegment(row.key)} isCut />
      </span>
    ),
    folder: ({ key }) => (
      <span className={joinClasses(common.cut, common.quiet, classes.name)}>
        {folderOf(key) === '' ? null : <KeyText name={folderOf(key)} />}
      </span>
    ),
    deleted: (row) =>
      restoring.has(deletedId(row)) ? (
        <span className={common.quiet}>{t('versions.trash.restoring')}</span>
      ) : row.deletedAt === null ? null : (
        <ShownTime iso={row.deletedAt} hasSeconds />
      ),
    size: ({ sizeBytes }) =>
      sizeBytes === null ? null : <span title={formatExactBytes(sizeBytes)}>{formatBytes(sizeBytes)}</span>,
  };
}

/** Shows deleted objects as a table. Enter restores an object. */
export function TrashTable({ rows, active, restoring, onActive, onRestore }: TrashTableProps) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const shown = useColumns(useKeptColumns('columns:trash'), {
    columns,
    labelOf: ({ id }) => t(`versions.trash.columns.${id}`),
    widthPx: width === 0 ? Number.POSITIVE_INFINITY : width - besideRowsPx,
  });
  return (
    <div ref={ref} className={common.fill}>
      <VirtualGrid
        label={t('versions.trash.table')}
        columns={gridColumns(shown, cellsOf(restoring, t))}
        chooser={shown}
        rowCount={rows.length}
        rowHeightPx={30}
        active={active}
        onActive={onActive}
        rowAt={(index) => rows[index]}
        idOf={deletedId}
        onOpen={(row) => {
          if (!restoring.has(deletedId(row))) onRestore(row);
        }}
      />
    </div>
  );
}
