import { ActionIcon, Menu } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Archive, ArrowDown, ArrowUp, Bookmark, Ellipsis, FolderOpen, Settings2, Trash2 } from 'lucide-react';
import { useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { BucketItem } from '../../../shared/models/objects.ts';
import { assertNever } from '../../../shared/assert-never.ts';
import { useColumns, type Columns, type KeptColumns } from '../../rpc/use-columns.ts';
import { ChooserHeading } from '../../ui/column-chooser.tsx';
import { leastWidthPx, mostWidthPx, nextOrder, widthOf, type Column } from '../../ui/columns.ts';
import { formatBytes, formatCount, formatExactBytes, formatExactDate } from '../../ui/format.ts';
import type { MenuPoint } from '../../ui/point-menu.tsx';
import { formatExactDateAndAge } from '../../ui/span.ts';
import { ShownTime } from '../../ui/shown-time.tsx';
import { Splitter } from '../../ui/splitter.tsx';
import { knownColumns, type BucketColumn, type BucketSort, type BucketTotals } from './bucket-filter.ts';
import classes from './connection-home.module.css';

interface Props {
  readonly buckets: readonly BucketItem[];
  readonly columns: KeptColumns;
  readonly totals: ReadonlyMap<string, BucketTotals>;
  readonly sort: BucketSort;
  readonly onSort: (sort: BucketSort) => void;
  readonly onOpen: (bucket: string) => void;
  readonly onSettings: (bucket: string) => void;
  readonly onRemove: (bucket: string) => void;
}

const rowHeightPx = 34;
/** The menu of a row, and what the rows leave free at their sides. */
const besideRowsPx = 50;

/** The buckets of a connection; virtual, since an account may have thousands. */
export function BucketTable(props: Props) {
  const { buckets, totals, sort, onSort, onOpen, onSettings, onRemove } = props;
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const { ref, width } = useElementSize();
  const known = useMemo(() => knownColumns(buckets, totals), [buckets, totals]);
  const attach = useMergedRef(scroller, ref);
  const columns = useColumns(props.columns, {
    columns: known,
    labelOf: ({ id }) => t(`connections.home.columns.${id}`),
    widthPx: width === 0 ? Number.POSITIVE_INFINITY : width - besideRowsPx,
  });
  const [columnsAt, setColumnsAt] = useState<MenuPoint | null>(null);
  const [active, setActive] = useState(0);
  const [menuOf, setMenuOf] = useState<string | null>(null);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by a compiler
  const virtual = useVirtualizer({
    count: buckets.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 10,
  });
  const at = Math.min(active, buckets.length - 1);

  const go = (index: number) => {
    const next = Math.max(0, Math.min(buckets.length - 1, index));
    setActive(next);
    virtual.scrollToIndex(next);
    requestAnimationFrame(() => {
      scroller.current?.querySelector<HTMLElement>(`[data-index="${String(next)}"]`)?.focus();
    });
  };
  const pageRows = () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeightPx) - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    // The keys of the row's own menu are not the row's.
    if (event.target !== event.currentTarget) return;
    const bucket = buckets[at];
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(buckets.length - 1),
      PageDown: () => go(at + pageRows()),
      PageUp: () => go(at - pageRows()),
      Enter: () => bucket !== undefined && onOpen(bucket.name),
      Delete: () => bucket !== undefined && onRemove(bucket.name),
      ContextMenu: () => bucket !== undefined && setMenuOf(bucket.name),
      ...(event.shiftKey ? { F10: () => bucket !== undefined && setMenuOf(bucket.name) } : {}),
    };
    const move = moves[event.key];
    if (move === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move();
  };

  return (
    <div
      ref={attach}
      role="grid"
      aria-label={t('connections.home.heading')}
      aria-rowcount={buckets.length + 1}
      aria-readonly
      className={classes.table}
      style={{ ['--columns' as string]: `${columns.template} 34px` }}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a second way to the button's menu */}
      <div
        role="rowgroup"
        className={classes.head}
        onContextMenu={(event) => {
          event.preventDefault();
          setColumnsAt({ x: event.clientX, y: event.clientY });
        }}
      >
        <div role="row" aria-rowindex={1} className={classes.row}>
          {columns.fitting.map((column) => (
            <HeadCell key={column.id} column={column} columns={columns} sort={sort} onSort={onSort} />
          ))}
          <ChooserHeading chooser={columns} at={columnsAt} onAt={setColumnsAt} />
        </div>
      </div>
      <div role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const bucket = buckets[index];
          if (bucket === undefined) return null;
          return (
            <BucketRow
              key={bucket.name}
              bucket={bucket}
              totals={totals.get(bucket.name)}
              columns={columns.fitting}
              index={index}
              start={start}
              tabbable={index === at}
              onFocus={() => setActive(index)}
              onKeyDown={onKeyDown}
              onOpen={() => onOpen(bucket.name)}
              menu={
                <RowMenu
                  name={bucket.name}
                  opened={menuOf === bucket.name}
                  onChange={(opened) => setMenuOf(opened ? bucket.name : null)}
                  onOpen={() => onOpen(bucket.name)}
                  onSettings={() => onSettings(bucket.name)}
                  onRemove={() => onRemove(bucket.name)}
                />
              }
              onMenu={() => setMenuOf(bucket.name)}
            />
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  readonly bucket: BucketItem;
  readonly totals: BucketTotals | undefined;
  readonly columns: readonly Column<BucketColumn>[];
  readonly index: number;
  readonly start: number;
  readonly tabbable: boolean;
  readonly onFocus: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onOpen: () => void;
  readonly menu: ReactNode;
  readonly onMenu: () => void;
}

function BucketRow(props: RowProps) {
  const { bucket, columns, index, start, tabbable, onFocus, onKeyDown, onOpen, menu, onMenu } = props;
  const { t } = useTranslation();
  const { name, source } = bucket;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      tabIndex={tabbable ? 0 : -1}
      className={classes.row}
      style={{ position: 'absolute', transform: `translateY(${String(start)}px)` }}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={onOpen}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu();
      }}
    >
      <div role="gridcell" className={classes.cell} title={name}>
        <Archive size={16} aria-hidden className={classes.icon} />
        <span className={classes.text}>{name}</span>
        {source === 'typed' ? (
          <span className={classes.typed}>
            <Bookmark size={12} aria-hidden />
            {t('connections.sidebar.typedBadge')}
          </span>
        ) : null}
      </div>
      {columns.slice(1).map(({ id, align }) => (
        <div key={id} role="gridcell" className={classes.quiet} data-align={align}>
          <CellContent column={id} bucket={bucket} totals={props.totals} />
        </div>
      ))}
      <div role="gridcell">{menu}</div>
    </div>
  );
}

interface CellProps {
  readonly column: BucketColumn;
  readonly bucket: BucketItem;
  readonly totals: BucketTotals | undefined;
}

function CellContent({ column, bucket, totals }: CellProps) {
  const { t } = useTranslation();
  const unknown = t('connections.home.unknownDate');
  switch (column) {
    case 'name':
      return bucket.name;
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

/** A number that is as old as its count, which it tells to those who point at it. */
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

interface MenuProps {
  readonly name: string;
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
  readonly onOpen: () => void;
  readonly onSettings: () => void;
  readonly onRemove: () => void;
}

const icon = { size: 15, 'aria-hidden': true } as const;

function RowMenu({ name, opened, onChange, onOpen, onSettings, onRemove }: MenuProps) {
  const { t } = useTranslation();
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the row is not meant by a click in its menu
    <div className={classes.menu} onClick={(event) => event.stopPropagation()}>
      <Menu opened={opened} onChange={onChange} position="bottom-end" width={200} shadow="md">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            tabIndex={-1}
            aria-label={t('entries.buckets.actions', { name })}
          >
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<FolderOpen {...icon} />} onClick={onOpen}>
            {t('connections.menu.open')}
          </Menu.Item>
          <Menu.Item leftSection={<Settings2 {...icon} />} onClick={onSettings}>
            {t('entries.buckets.menu.settings')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<Trash2 {...icon} />} color="red" onClick={onRemove}>
            {t('entries.buckets.menu.remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

interface HeadProps {
  readonly column: Column<BucketColumn>;
  readonly columns: Columns<Column<BucketColumn>>;
  readonly sort: BucketSort;
  readonly onSort: (sort: BucketSort) => void;
}

function HeadCell({ column, columns, sort, onSort }: HeadProps) {
  const { t } = useTranslation();
  const { id } = column;
  const sorted = sort.by === id;
  const Arrow = sort.descending ? ArrowDown : ArrowUp;
  const label = t(`connections.home.columns.${id}`);
  return (
    <div
      role="columnheader"
      aria-label={label}
      aria-sort={sorted ? (sort.descending ? 'descending' : 'ascending') : 'none'}
      className={classes.headCell}
      data-align={column.align}
    >
      <button
        type="button"
        className={classes.sort}
        onClick={() => onSort({ by: id, descending: nextOrder(sort, column).descending })}
      >
        {label}
        {sorted ? <Arrow size={13} aria-hidden /> : null}
      </button>
      {column.isFixed === true ? null : (
        <Splitter
          label={t('common.columns.resize', { column: label })}
          valuePx={widthOf(columns.view, column)}
          minPx={leastWidthPx}
          maxPx={mostWidthPx}
          part="end"
          className={classes.edge}
          onResize={(px) => columns.resize(id, px)}
        />
      )}
    </div>
  );
}
