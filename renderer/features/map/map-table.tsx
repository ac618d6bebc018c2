import { Flex } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { MapRow } from '../../../shared/models/map.ts';
import { rpc } from '../../rpc/client.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { joinClasses } from '../../ui/class-names.ts';
import { formatBytes, formatCount, formatExactBytes, formatShare } from '../../ui/words/format.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { sortingOf } from '../../ui/table/columns.ts';
import type { GridColumn } from '../../ui/table/grid-props.ts';
import type { ReadRange } from '../../ui/table/range-rows.ts';
import { TypeIcon } from '../../ui/cells/type-icon.tsx';
import { useRangeRows } from '../../ui/table/use-range-rows.ts';
import { VirtualGrid } from '../../ui/table/virtual-grid.tsx';
import type { MapSideProps, MapItem } from './map-services.ts';
import common from '../../ui/common.module.css';
import classes from './map.module.css';

type Sort = Parameters<typeof rpc.map.rows>[0]['sort'];

/** Returns the object or folder of a row. */
const itemOf = (folder: string, row: MapRow): MapItem => ({
  kind: row.kind,
  key: folder + row.name + (row.kind === 'folder' ? '/' : ''),
  sizeBytes: row.sizeBytes,
  modified: row.newest,
  storageClass: row.kind === 'object' ? row.storageClass : null,
});

function columnsOf(
  sort: Sort,
  onSort: (sort: Sort) => void,
  ofBytes: number,
  t: TFunction,
): readonly GridColumn<MapRow>[] {
  const sortedBy = (id: 'name' | 'size' | 'objects') => ({
    id,
    label: t(`map.columns.${id}`),
    ...sortingOf(sort, onSort, { id, firstDescending: id !== 'name' }),
  });
  return [
    {
      ...sortedBy('name'),
      width: 'minmax(90px, 2fr)',
      cell: ({ name, kind }) => (
        <span className={joinClasses(common.row, classes.nameCell)} title={name}>
          <TypeIcon name={name} isFolder={kind === 'folder'} size={15} />
          <span className={common.label}>
            <KeyText name={name} />
          </span>
        </span>
      ),
    },
    {
      ...sortedBy('size'),
      width: '84px',
      align: 'end',
      cell: ({ sizeBytes }) => {
        const share = ofBytes === 0 ? 0 : sizeBytes / ofBytes;
        return (
          <span title={`${formatExactBytes(sizeBytes)} · ${formatShare(share)}`}>
            {formatBytes(sizeBytes)}
          </span>
        );
      },
    },
    { ...sortedBy('objects'), width: '76px', align: 'end', cell: ({ objects }) => formatCount(objects) },
  ];
}

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
  if (rows.error !== null) return <FailureNotice error={rows.error} onRetry={rows.refresh} />;
  return (
    <>
      <Flex flex={1} mih={160}>
        <VirtualGrid
          label={t('map.table')}
          columns={columnsOf(sort, setSort, facts?.sizeBytes ?? 0, t)}
          rowCount={rows.total}
          rowHeightPx={28}
          active={active}
          onActive={(index) => {
            setActive(index);
            const row = rows.rowAt(index);
            on.onSelect(row === null ? null : itemOf(folder, row));
          }}
          rowAt={rows.rowAt}
          idOf={({ kind, name }) => `${kind} ${name}`}
          loading={t('search.loadingRow')}
          onOpen={(row) => on.onOpen(itemOf(folder, row), false)}
          onMenu={(row, at) => on.onMenu(itemOf(folder, row), at)}
          onRange={rows.onRange}
          takesKeyboard
          topKey={`${folder} ${JSON.stringify(sort)}`}
        />
      </Flex>
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
