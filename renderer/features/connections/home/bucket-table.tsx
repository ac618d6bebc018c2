import { ActionIcon, Button, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { Archive, Bookmark, Ellipsis, Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { BucketItem, BucketList } from '../../../../shared/models/objects.ts';
import {
  type Cells,
  gridColumns,
  type KeptColumns,
  useColumns,
  useKeptColumns,
} from '../../../rpc/use-columns.ts';
import { joinClasses } from '../../../ui/class-names.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import type { MenuPoint } from '../../../ui/menus.tsx';
import type { GridColumn } from '../../../ui/table/grid-props.ts';
import { VirtualGrid } from '../../../ui/table/virtual-grid.tsx';
import common from '../../../ui/common.module.css';
import { ShownTime } from '../../../ui/words/shown-time.tsx';
import {
  formatExactDateAndAge,
  formatBytes,
  formatCount,
  formatExactBytes,
  formatExactDate,
} from '../../../ui/words/format.ts';
import type { BucketMenuRequest, BucketServices } from '../model/connection-places.ts';
import {
  type BucketColumn,
  type BucketSort,
  type BucketTotals,
  toBucketSort,
  knownColumns,
  shownBuckets,
} from '../model/bucket-filter.ts';
import { openConnectionDialog, type OpenPlace } from '../model/connection-dialog-store.ts';
import { useBucketTotals } from '../model/connection-queries.ts';
import classes from '../connections.module.css';

interface CountedProps {
  /** Undefined if the bucket was not counted. */
  readonly totals: BucketTotals | undefined;
  readonly exactOf: (totals: BucketTotals) => string;
  readonly shownOf: (totals: BucketTotals) => string;
}

/** Shows a number from a count of the bucket, with the time of the count in its tooltip. */
function Counted({ totals, exactOf, shownOf }: CountedProps) {
  const { t } = useTranslation();
  if (totals === undefined) return <span className={common.quiet}>{t('connections.home.unknownDate')}</span>;
  const { takenAt } = totals;
  const titleOf = (time: string): string =>
    `${exactOf(totals)}\n${t('connections.home.countedAt', { time })}`;
  return (
    <span
      className={common.quiet}
      title={titleOf(formatExactDate(takenAt))}
      onPointerEnter={(event) => {
        event.currentTarget.title = titleOf(formatExactDateAndAge(takenAt, Date.now()));
      }}
    >
      {shownOf(totals)}
    </span>
  );
}

function Name({ bucket: { name, source } }: { readonly bucket: BucketItem }) {
  const { t } = useTranslation();
  return (
    <span className={classes.bucket} title={name}>
      <Archive size={16} aria-hidden className={classes.icon} />
      <span className={common.cut}>{name}</span>
      {source === 'typed' ? (
        <span className={joinClasses(common.hint, common.fixed, classes.typed)}>
          <Bookmark size={12} aria-hidden />
          {t('connections.sidebar.typedBadge')}
        </span>
      ) : null}
    </span>
  );
}

/** Returns the cells of a bucket's row. */
function cellsOf(totals: ReadonlyMap<string, BucketTotals>, t: TFunction): Cells<BucketItem, BucketColumn> {
  const unknown = t('connections.home.unknownDate');
  return {
    name: (bucket) => <Name bucket={bucket} />,
    objects: ({ name }) => (
      <Counted
        totals={totals.get(name)}
        exactOf={({ objects }) => t('connections.home.objects', { count: objects })}
        shownOf={({ objects }) => formatCount(objects)}
      />
    ),
    size: ({ name }) => (
      <Counted
        totals={totals.get(name)}
        exactOf={({ sizeBytes }) => formatExactBytes(sizeBytes)}
        shownOf={({ sizeBytes }) => formatBytes(sizeBytes)}
      />
    ),
    region: ({ region }) => <span className={common.quiet}>{region ?? unknown}</span>,
    created: ({ createdAt }) => (
      <span className={common.quiet}>{createdAt === null ? unknown : <ShownTime iso={createdAt} />}</span>
    ),
  };
}

const rowHeightPx = 34;
const menuWidthPx = 44;
/** Width beside the columns: a row's menu and the space at its sides. */
const besideRowsPx = 40 + menuWidthPx;

function menuColumn(
  onMenu: (bucket: BucketItem, at: MenuPoint) => void,
  t: TFunction,
): GridColumn<BucketItem> {
  return {
    id: 'menu',
    label: <VisuallyHidden>{t('connections.home.actions')}</VisuallyHidden>,
    width: `${String(menuWidthPx)}px`,
    cell: (bucket) => <MenuButton name={bucket.name} onMenu={(at) => onMenu(bucket, at)} />,
  };
}

interface BucketTableProps {
  readonly buckets: readonly BucketItem[];
  readonly columns: KeptColumns;
  readonly totals: ReadonlyMap<string, BucketTotals>;
  readonly sort: BucketSort;
  readonly onSort: (sort: BucketSort) => void;
  readonly onOpen: (bucket: BucketItem) => void;
  readonly onRemove: (bucket: string) => void;
  readonly renderMenu: (request: Omit<BucketMenuRequest, 'connectionId'>) => ReactNode;
}

/** Shows the buckets of a connection. The list is virtualized, since an account may have thousands. */
function BucketTable(props: BucketTableProps) {
  const { buckets, totals, sort, onSort, onOpen, onRemove, renderMenu } = props;
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const known = useMemo(() => knownColumns(buckets, totals), [buckets, totals]);
  const columns = useColumns(props.columns, {
    columns: known,
    labelOf: ({ id }) => t(`connections.home.columns.${id}`),
    widthPx: width === 0 ? Number.POSITIVE_INFINITY : width - besideRowsPx,
  });
  const [active, setActive] = useState(-1);
  const [menu, setMenu] = useState<{ readonly bucket: BucketItem; readonly at: MenuPoint } | null>(null);

  const onKey = (event: KeyboardEvent): void => {
    const bucket = buckets[active];
    if (event.key !== 'Delete' || bucket === undefined) return;
    event.preventDefault();
    onRemove(bucket.name);
  };
  return (
    <div ref={ref} className={joinClasses(common.fill, common.lineAbove, common.clip, classes.table)}>
      <VirtualGrid
        label={t('connections.home.heading')}
        columns={[
          ...gridColumns(columns, cellsOf(totals, t), { order: sort, onSort }),
          menuColumn((bucket, at) => setMenu({ bucket, at }), t),
        ]}
        chooser={columns}
        rowCount={buckets.length}
        rowHeightPx={rowHeightPx}
        active={Math.min(active, buckets.length - 1)}
        onActive={setActive}
        rowAt={(index) => buckets[index]}
        idOf={({ name }) => name}
        onOpen={onOpen}
        opensOnClick
        onKey={onKey}
        onMenu={(bucket, at) => setMenu({ bucket, at })}
      />
      {menu === null ? null : renderMenu({ ...menu, onClose: () => setMenu(null) })}
    </div>
  );
}

interface ButtonProps {
  readonly name: string;
  readonly onMenu: (at: MenuPoint) => void;
}

function MenuButton({ name, onMenu }: ButtonProps) {
  const { t } = useTranslation();
  return (
    <ActionIcon
      size="sm"
      tabIndex={-1}
      aria-haspopup="menu"
      aria-label={t('entries.buckets.actions', { name })}
      onClick={(event) => {
        const { left, bottom } = event.currentTarget.getBoundingClientRect();
        onMenu({ x: left, y: bottom });
      }}
    >
      <Ellipsis size={16} aria-hidden />
    </ActionIcon>
  );
}

interface FilteredBucketsProps {
  readonly connectionId: string;
  readonly list: BucketList;
  readonly onOpen: (place: OpenPlace) => void;
  readonly services: BucketServices;
}

/** Lists the buckets of a connection, filtered by a typed text, and opens others by name. */
export function FilteredBuckets({ connectionId, list, onOpen, services }: FilteredBucketsProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const columns = useKeptColumns('columns:buckets');
  const sort = toBucketSort(columns.view.order);
  const totals = useBucketTotals(connectionId);
  const shown = shownBuckets(list.buckets, text, sort, totals);
  const count = list.buckets.length;
  return (
    <>
      <div className={classes.bar}>
        <TextInput
          w={240}
          maw="100%"
          aria-label={t('connections.home.filter')}
          placeholder={t('connections.home.filter')}
          leftSection={<Search size={14} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Text size="xs" c="dimmed" role="status">
          {shown.length === count
            ? t('connections.home.count', { count })
            : t('connections.home.countFiltered', { shown: shown.length, count })}
        </Text>
        <span className={common.fill} />
        <Button
          variant="default"
          leftSection={<Archive size={14} aria-hidden />}
          onClick={() => openConnectionDialog({ mode: 'open-by-name', connectionId, onOpen })}
        >
          {t('connections.menu.openByName')}
        </Button>
      </div>
      {shown.length === 0 ? (
        <EmptyState icon={<Search size={28} />} title={t('connections.home.filterNone', { text })} />
      ) : (
        <BucketTable
          buckets={shown}
          columns={columns}
          totals={totals}
          sort={sort}
          onSort={(order) => columns.set({ ...columns.view, order })}
          onOpen={({ name, startPrefix }) => onOpen({ connectionId, bucket: name, prefix: startPrefix })}
          onRemove={(bucket) => services.remove({ connectionId, bucket })}
          renderMenu={(request) => services.menu({ connectionId, ...request })}
        />
      )}
    </>
  );
}
