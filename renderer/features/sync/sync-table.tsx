import { Box, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { CircleArrowDown, CircleArrowUp, CircleSlash, Equal, RefreshCw, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { SyncAction, SyncFilter, SyncRow, SyncSide, SyncStatus } from '../../../shared/models/sync.ts';
import { rpc } from '../../rpc/client.ts';
import { joinClasses } from '../../ui/class-names.ts';
import { formatBytes, formatDate, formatExactDate } from '../../ui/words/format.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import type { ReadRange } from '../../ui/table/range-rows.ts';
import { TypeIcon } from '../../ui/cells/type-icon.tsx';
import { useRangeRows } from '../../ui/table/use-range-rows.ts';
import type { GridColumn } from '../../ui/table/grid-props.ts';
import { VirtualGrid } from '../../ui/table/virtual-grid.tsx';
import { actionText, sizesText, syncReasonText } from './sync-plan-words.ts';
import common from '../../ui/common.module.css';

interface Props {
  readonly status: SyncStatus;
  readonly filter: SyncFilter;
  readonly withDeletions: boolean;
}

type Id = 'action' | 'name' | 'why' | 'here' | 'there';

const widths: Readonly<Record<Id, string>> = {
  action: '124px',
  name: 'minmax(120px, 3fr)',
  why: 'minmax(110px, 2fr)',
  here: '200px',
  there: '200px',
};

const wide: readonly Id[] = ['action', 'name', 'why', 'here', 'there'];
/** The columns in a narrow table, which shows the other values below the name. */
const narrow: readonly Id[] = ['action', 'name'];

function columnsOf(facts: Omit<CellProps, 'id' | 'row'>, t: TFunction): readonly GridColumn<SyncRow>[] {
  return (facts.isNarrow ? narrow : wide).map((id) => ({
    id,
    label: t(`sync.columns.${id}`),
    width: widths[id],
    cell: (row) => <Cell id={id} row={row} {...facts} />,
  }));
}

/** Shows the rows of the plan as a table, which loads them as they become visible. */
export function SyncTable({ status, filter, withDeletions }: Props) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const [active, setActive] = useState(-1);
  const { planId, state, compared, direction } = status;
  const read = useMemo<ReadRange<SyncRow>>(
    () => (range, signal) => rpc.sync.read({ planId, filter, ...range }, { signal }),
    [planId, filter],
  );
  const rows = useRangeRows(read, `${state}:${String(compared)}`, true);
  const isNarrow = width < 800;
  return (
    <Box
      ref={ref}
      className={joinClasses(common.framed, common.clip)}
      pos="relative"
      h="min(40vh, 380px)"
      mih={160}
    >
      {rows.total === 0 && rows.hasRead ? (
        <Text pos="absolute" inset="48px 0 auto" size="sm" c="dimmed" ta="center">
          {t('sync.none')}
        </Text>
      ) : null}
      <VirtualGrid
        label={t('sync.table')}
        columns={columnsOf({ direction, withDeletions, isNarrow }, t)}
        rowCount={rows.total}
        rowHeightPx={isNarrow ? 46 : 30}
        active={active}
        onActive={setActive}
        rowAt={rows.rowAt}
        idOf={({ kind, key, localName }) => JSON.stringify([kind, key, localName])}
        loading={t('sync.loadingRow')}
        onRange={rows.onRange}
        topKey={filter}
      />
    </Box>
  );
}

/** How the name of an action looks. Other actions have the colour of text. */
const actionClasses: Partial<Record<SyncRow['action'], string | undefined>> = {
  delete: common.bad,
  same: common.quiet,
  skipped: common.quiet,
};

interface CellProps {
  readonly id: Id;
  readonly row: SyncRow;
  readonly direction: SyncStatus['direction'];
  readonly withDeletions: boolean;
  readonly isNarrow: boolean;
}

function Cell({ id, row, direction, withDeletions, isNarrow }: CellProps) {
  const { t } = useTranslation();
  switch (id) {
    case 'action': {
      const isSkipped = row.action === 'delete' && !withDeletions;
      return (
        <span className={joinClasses(common.row, isSkipped ? common.quiet : actionClasses[row.action])}>
          <ActionIcon action={isSkipped ? 'skipped' : row.action} direction={direction} />
          {actionText(row, direction, withDeletions, t)}
        </span>
      );
    }
    case 'name':
      return (
        <>
          <span className={common.row} title={row.key}>
            <TypeIcon name={row.key} isFolder={row.kind === 'folder'} size={15} />
            <span className={common.cut}>
              <KeyText name={row.key} />
            </span>
          </span>
          {isNarrow ? <Below row={row} direction={direction} /> : null}
        </>
      );
    case 'why':
      return <Quiet text={syncReasonText(row, direction, t)} />;
    case 'here':
      return <Side side={row.local} />;
    case 'there':
      return <Side side={row.remote} />;
    default:
      return id satisfies never;
  }
}

function Quiet({ text }: { readonly text: string }) {
  return (
    <span className={common.quiet} title={text}>
      {text}
    </span>
  );
}

/** Shows the reason for a row, its current size and the size that replaces it. */
function Below({ row, direction }: Pick<CellProps, 'row' | 'direction'>) {
  const { t } = useTranslation();
  return (
    <Quiet
      text={[syncReasonText(row, direction, t), sizesText(row, direction)].filter(Boolean).join(' · ')}
    />
  );
}

const actionIcons = {
  up: CircleArrowUp,
  down: CircleArrowDown,
  overwrite: RefreshCw,
  delete: Trash2,
  same: Equal,
  skipped: CircleSlash,
} as const;

interface ActionIconProps {
  readonly action: SyncAction;
  readonly direction: SyncStatus['direction'];
}

function ActionIcon({ action, direction }: ActionIconProps) {
  const Icon = actionIcons[action === 'copy' ? direction : action];
  return <Icon size={15} aria-hidden />;
}

function Side({ side }: { readonly side: SyncSide | null }) {
  const { t } = useTranslation();
  if (side === null) return <span className={common.quiet}>{t('sync.absent')}</span>;
  const { sizeBytes, modifiedAt } = side;
  return (
    <span title={modifiedAt === null ? undefined : formatExactDate(modifiedAt)}>
      {sizeBytes === null ? null : formatBytes(sizeBytes)}
      {modifiedAt === null ? null : <span className={common.quiet}> {formatDate(modifiedAt)}</span>}
    </span>
  );
}
