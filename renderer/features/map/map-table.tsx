import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MapRow } from '../../../shared/models/map.ts';
import { rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { formatBytes, formatCount, formatExactBytes, formatShare } from '../../ui/words/format.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import type { ReadRange } from '../../ui/table/range-rows.ts';
import { TypeIcon } from '../../ui/cells/type-icon.tsx';
import { useRangeRows } from '../../ui/table/use-range-rows.ts';
import { VirtualGrid } from '../../ui/table/virtual-grid.tsx';
import type { MapSideProps, MapItem } from './map-services.ts';
import common from '../../ui/common.module.css';
import classes from './map.module.css';

type Sort = Parameters<typeof rpc.map.rows>[0]['sort'];

const columns = [
  ['name', 'minmax(90px, 2fr)', 'start'],
  ['size', '84px', 'end'],
  ['objects', '76px', 'end'],
] as const;

/** Shows the contents of the visible folder as a table, which keyboard and screen-reader users have instead of the treemap. */
export function MapTable({ place, mapId, status, facts, filter, ...on }: MapSideProps) {
  const { t } = useTranslation();
  const { folder } = place;
  const [sort, setSort] = useState<Sort>({ by: 'size', descending: true });
  const [active, setActive] = useState(-1);
  const [unnamed, setUnnamed] = useState({ objects: 0, sizeBytes: 0 });
  const read = useMemo<ReadRange<MapRow>>(
    () => async (range, signal) => {
      const found = await rpc.map.rows({ mapId, folder, filter, ...range, sort }, { signal });
      setUnnamed(found.unnamed);
      return { rows: found.rows, total: found.total };
    },
    [mapId, folder, filter, sort],
  );
  const rows = useRangeRows(read, String(status?.revision), false);
  const itemOf = (index: number): MapItem | null => {
    const row = rows.rowAt(index);
    if (row === null) return null;
    return {
      kind: row.kind,
      key: folder + row.name + (row.kind === 'folder' ? '/' : ''),
      sizeBytes: row.sizeBytes,
      modified: row.newest,
      storageClass: row.kind === 'object' ? row.storageClass : null,
    };
  };
  const cellsOf = (index: number): readonly ReactNode[] => {
    const row = rows.rowAt(index);
    if (row === null) return [<span key="name">{t('search.loadingRow')}</span>];
    const share = (facts?.sizeBytes ?? 0) === 0 ? 0 : row.sizeBytes / (facts?.sizeBytes ?? 1);
    return [
      <span key="name" className={classes.nameCell} title={row.name}>
        <TypeIcon name={row.name} isFolder={row.kind === 'folder'} size={15} />
        <span className={common.label}>
          <KeyText name={row.name} />
        </span>
      </span>,
      <span key="size" title={`${formatExactBytes(row.sizeBytes)} · ${formatShare(share)}`}>
        {formatBytes(row.sizeBytes)}
      </span>,
      formatCount(row.objects),
    ];
  };
  if (rows.error !== null) return <ErrorNotice error={appErrorOf(rows.error)} onRetry={rows.refresh} />;
  return (
    <>
      <div className={classes.table}>
        <VirtualGrid
          label={t('map.table')}
          columns={columns.map(([by, width, align]) => ({
            id: by,
            label: t(`map.columns.${by}`),
            width,
            align,
            sort: sort.by === by ? (sort.descending ? 'descending' : 'ascending') : 'none',
            onSort: () => {
              setSort({ by, descending: sort.by === by ? !sort.descending : by !== 'name' });
            },
          }))}
          rowCount={rows.total}
          rowHeightPx={28}
          active={active}
          onActive={(index) => {
            setActive(index);
            on.onSelect(itemOf(index));
          }}
          cellsOf={cellsOf}
          onOpen={(index) => {
            const item = itemOf(index);
            if (item !== null) on.onOpen(item, false);
          }}
          onMenu={(index, at) => {
            const item = itemOf(index);
            if (item !== null) on.onMenu(item, at);
          }}
          onRange={rows.onRange}
          takesKeyboard
          topKey={`${folder} ${JSON.stringify(sort)}`}
        />
      </div>
      {unnamed.objects === 0 ? null : (
        <p className={classes.quiet}>
          {t('map.unnamed', {
            count: unnamed.objects,
            number: formatCount(unnamed.objects),
            size: formatBytes(unnamed.sizeBytes),
          })}
        </p>
      )}
    </>
  );
}
