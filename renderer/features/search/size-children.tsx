import { useElementSize } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { lastSegment } from '../../../shared/keys/paths.ts';
import type { WalkChild, WalkStatus } from '../../../shared/models/walks.ts';
import { rpc } from '../../rpc/client.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { joinClasses } from '../../ui/class-names.ts';
import { formatBytes, formatCount, formatExactBytes, formatShare } from '../../ui/words/format.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { sortingOf } from '../../ui/table/columns.ts';
import type { ReadRange } from '../../ui/table/range-rows.ts';
import { TypeIcon } from '../../ui/cells/type-icon.tsx';
import { useRangeRows } from '../../ui/table/use-range-rows.ts';
import { headerPx } from '../../ui/table/grid-header.tsx';
import type { GridColumn } from '../../ui/table/grid-props.ts';
import { VirtualGrid } from '../../ui/table/virtual-grid.tsx';
import common from '../../ui/common.module.css';
import classes from './size.module.css';

type Sort = Parameters<typeof rpc.walks.children>[0]['sort'];

const rowPx = 32;
const maxRowsInSight = 11;

interface Props {
  readonly status: WalkStatus;
  readonly onOpen: (prefix: string) => void;
}

interface ColumnFacts {
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  /** The total size, of which each folder has a share. */
  readonly ofBytes: number;
  readonly isNarrow: boolean;
}

function columnsOf(
  { sort, onSort, ofBytes, isNarrow }: ColumnFacts,
  t: TFunction,
): readonly GridColumn<WalkChild>[] {
  const sortedBy = (id: Sort['by']) => ({
    id,
    ...sortingOf(sort, onSort, { id, firstDescending: id !== 'prefix' }),
  });
  const keysColumn: GridColumn<WalkChild> = {
    ...sortedBy('keys'),
    label: t('search.sizeOf.childKeys'),
    width: '96px',
    align: 'end',
    cell: (child) => formatCount(child.keys),
  };
  return [
    {
      ...sortedBy('prefix'),
      label: t('search.sizeOf.childName'),
      width: 'minmax(90px, 2fr)',
      cell: ({ prefix }) => (
        <span className={joinClasses(common.row, classes.child)} title={prefix}>
          <TypeIcon name="" isFolder size={15} />
          <span className={common.cut}>
            <KeyText name={lastSegment(prefix)} />
          </span>
        </span>
      ),
    },
    ...(isNarrow ? [] : [keysColumn]),
    {
      ...sortedBy('size'),
      label: t('search.sizeOf.childSize'),
      width: 'minmax(150px, 2fr)',
      cell: (child) => <Share child={child} ofBytes={ofBytes} />,
    },
  ];
}

/** Lists the folders directly below this one, with their shares of the total size. */
export function SizeChildren({ status, onOpen }: Props) {
  const { t } = useTranslation();
  const { walkId, sizeBytes, keys, state } = status;
  const [sort, setSort] = useState<Sort>({ by: 'size', descending: true });
  const [active, setActive] = useState(-1);
  const { ref, width } = useElementSize();
  const read = useMemo<ReadRange<WalkChild>>(
    () => async (range, signal) => {
      const { children, total } = await rpc.walks.children({ walkId, ...range, sort }, { signal });
      return { rows: children, total };
    },
    [walkId, sort],
  );
  const rows = useRangeRows(read, `${state}:${String(keys)}`, false);
  if (rows.error !== null) return <FailureNotice error={rows.error} onRetry={rows.refresh} />;
  if (rows.total === 0)
    return rows.hasRead && state !== 'running' ? (
      <p className={joinClasses(common.hint, common.numbers, classes.quiet)}>
        {t(keys === 0 ? 'search.sizeOf.childrenEmpty' : 'search.sizeOf.noChildren')}
      </p>
    ) : null;
  const shownRows = Math.min(rows.total, maxRowsInSight);
  return (
    <div
      ref={ref}
      className={joinClasses(common.framed, common.clip, classes.children)}
      style={{ height: headerPx + shownRows * rowPx }}
    >
      <VirtualGrid
        label={t('search.sizeOf.children')}
        columns={columnsOf({ sort, onSort: setSort, ofBytes: sizeBytes, isNarrow: width < 420 }, t)}
        rowCount={rows.total}
        rowHeightPx={rowPx}
        active={active}
        onActive={setActive}
        rowAt={rows.rowAt}
        idOf={({ prefix }) => prefix}
        loading={t('search.loadingRow')}
        onOpen={({ prefix }) => onOpen(prefix)}
        onRange={rows.onRange}
        topKey={JSON.stringify(sort)}
      />
    </div>
  );
}

function Share({ child, ofBytes }: { readonly child: WalkChild; readonly ofBytes: number }) {
  const { t } = useTranslation();
  const share = ofBytes === 0 ? 0 : Math.min(1, child.sizeBytes / ofBytes);
  const percent = percentOf(share);
  return (
    <span
      className={classes.share}
      title={`${formatExactBytes(child.sizeBytes)} · ${t('search.sizeOf.share', { percent })}`}
    >
      <span className={classes.track} aria-hidden>
        <span className={classes.filled} style={{ width: `${String(share * 100)}%` }} />
      </span>
      <span className={classes.amount}>{formatBytes(child.sizeBytes)}</span>
      <span className={classes.percent}>{percent}</span>
    </span>
  );
}

/** Formats a share in percent. A share above 0 is never shown as 0 %. */
function percentOf(share: number): string {
  const shown = share > 0 && share < 0.001 ? 0.001 : share;
  const text = formatShare(shown);
  return shown === share ? text : `< ${text}`;
}
