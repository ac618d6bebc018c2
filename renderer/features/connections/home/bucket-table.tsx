import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { Archive, Bookmark, Ellipsis } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BucketItem } from '../../../../shared/models/objects.ts';
import { assertNever } from '../../../../shared/assert-never.ts';
import { type KeptColumns, useColumns } from '../../../rpc/use-columns.ts';
import { nextOrder } from '../../../ui/table/columns.ts';
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
import type { BucketMenuRequest } from '../model/bucket-services.ts';
import {
  type BucketColumn,
  type BucketSort,
  type BucketTotals,
  knownColumns,
} from '../model/bucket-filter.ts';
import classes from '../connections.module.css';

interface CellProps {
  readonly column: BucketColumn;
  readonly bucket: BucketItem;
  readonly totals: BucketTotals | undefined;
}

/** One cell of a bucket's row. */
function BucketCell({ column, bucket, totals }: CellProps) {
  const { t } = useTranslation();
  const unknown = t('connections.home.unknownDate');
  switch (column) {
    case 'name':
      return <Name bucket={bucket} />;
    case 'objects':
      return totals === undefined ? (
        unknown
      ) : (
        <Counted totals={totals} exact={t('connections.home.objects', { count: totals.objects })}>
          {formatCount(totals.objects)}
        </Counted>
      );
    case 'size':
      return totals === undefined ? (
        unknown
      ) : (
        <Counted totals={totals} exact={formatExactBytes(totals.sizeBytes)}>
          {formatBytes(totals.sizeBytes)}
        </Counted>
      );
    case 'region':
      return bucket.region ?? unknown;
    case 'created':
      return bucket.createdAt === null ? unknown : <ShownTime iso={bucket.createdAt} />;
    default:
      return assertNever(column);
  }
}

interface CountedProps {
  readonly totals: BucketTotals;
  readonly exact: string;
  readonly children: string;
}

/** Shows a number from a count of the bucket, with the time of the count in its tooltip. */
function Counted({ totals: { takenAt }, exact, children }: CountedProps) {
  const { t } = useTranslation();
  const titleOf = (time: string): string => `${exact}\n${t('connections.home.countedAt', { time })}`;
  return (
    <span
      title={titleOf(formatExactDate(takenAt))}
      onPointerEnter={(event) => {
        event.currentTarget.title = titleOf(formatExactDateAndAge(takenAt, Date.now()));
      }}
    >
      {children}
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
        <span className={classes.typed}>
          <Bookmark size={12} aria-hidden />
          {t('connections.sidebar.typedBadge')}
        </span>
      ) : null}
    </span>
  );
}

interface Props {
  readonly buckets: readonly BucketItem[];
  readonly columns: KeptColumns;
  readonly totals: ReadonlyMap<string, BucketTotals>;
  readonly sort: BucketSort;
  readonly onSort: (sort: BucketSort) => void;
  readonly onOpen: (bucket: BucketItem) => void;
  readonly onRemove: (bucket: string) => void;
  readonly renderMenu: (request: Omit<BucketMenuRequest, 'connectionId'>) => ReactNode;
}

const rowHeightPx = 34;
const menuWidthPx = 44;
/** Width beside the columns: a row's menu and the space at its sides. */
const besideRowsPx = 40 + menuWidthPx;

/** Shows the buckets of a connection. The list is virtualized, since an account may have thousands. */
export function BucketTable(props: Props) {
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

  const shown: readonly GridColumn[] = [
    ...columns.headings.map((heading, at): GridColumn => {
      const column = columns.fitting[at];
      if (column === undefined) return heading;
      return {
        ...heading,
        sort: sort.by !== column.id ? 'none' : sort.descending ? 'descending' : 'ascending',
        onSort: () => onSort({ by: column.id, descending: nextOrder(sort, column).descending }),
      };
    }),
    {
      id: 'menu',
      label: <VisuallyHidden>{t('connections.home.actions')}</VisuallyHidden>,
      width: `${String(menuWidthPx)}px`,
    },
  ];
  const cellsOf = (index: number): readonly ReactNode[] => {
    const bucket = buckets[index];
    if (bucket === undefined) return [];
    const { name } = bucket;
    return [
      ...columns.fitting.map(({ id }) => (
        <span key={id} className={id === 'name' ? undefined : common.quiet}>
          <BucketCell column={id} bucket={bucket} totals={totals.get(name)} />
        </span>
      )),
      <MenuButton key="menu" name={name} onMenu={(at) => setMenu({ bucket, at })} />,
    ];
  };
  const onKey = (event: KeyboardEvent): void => {
    const bucket = buckets[active];
    if (event.key !== 'Delete' || bucket === undefined) return;
    event.preventDefault();
    onRemove(bucket.name);
  };
  return (
    <div ref={ref} className={classes.table}>
      <VirtualGrid
        label={t('connections.home.heading')}
        columns={shown}
        chooser={columns}
        rowCount={buckets.length}
        rowHeightPx={rowHeightPx}
        active={Math.min(active, buckets.length - 1)}
        onActive={setActive}
        cellsOf={cellsOf}
        onOpen={(index) => {
          const bucket = buckets[index];
          if (bucket !== undefined) onOpen(bucket);
        }}
        opensOnClick
        onKey={onKey}
        onMenu={(index, at) => {
          const bucket = buckets[index];
          if (bucket !== undefined) setMenu({ bucket, at });
        }}
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
      variant="subtle"
      color="gray"
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
