import { useElementSize } from '@mantine/hooks';
import type { TFunction } from 'i18next';
import { useCallback, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { assertNever } from '../../../shared/assert-never.ts';
import type { RequestLogEntry } from '../../../shared/models/settings.ts';
import type { GridColumn } from '../../ui/table/grid-props.ts';
import { VirtualGrid } from '../../ui/table/virtual-grid.tsx';
import { durationText, timeOfDay, readablePath, hasSucceeded } from './log-model.ts';
import classes from './request-log.module.css';

interface Props {
  readonly entries: readonly RequestLogEntry[];
  readonly chosenId: number | null;
  readonly onChoose: (id: number) => void;
  /** Requests older lines when the end becomes visible. Null if all are loaded. */
  readonly onEnd: (() => void) | null;
}

const rowHeightPx = 26;
/** Number of loaded lines below the visible ones at which the next lines are requested. */
const rowsAhead = 20;
/** Width below which the least important columns are hidden in favour of the path. */
const narrowPx = 860;

const columns = ['time', 'method', 'status', 'path', 'duration', 'try', 'requestId'] as const;
type LogColumn = (typeof columns)[number];
const widths: Readonly<Record<LogColumn, string>> = {
  time: '108px',
  method: '70px',
  status: '86px',
  path: 'minmax(90px, 1fr)',
  duration: '82px',
  try: '74px',
  requestId: '200px',
};
const numbers: ReadonlySet<LogColumn> = new Set(['duration', 'try']);
const onlyWhereWide: ReadonlySet<LogColumn> = new Set(['try', 'requestId']);

/** Shows log lines as a table. It is virtualized, since a count of a bucket logs tens of thousands of lines. */
export function LogTable({ entries, chosenId, onChoose, onEnd }: Props) {
  const { t, i18n } = useTranslation();
  const { ref, width } = useElementSize();
  const isNarrow = width > 0 && width < narrowPx;
  const shown = columns.filter((column) => !isNarrow || !onlyWhereWide.has(column));

  const onRange = useCallback(
    (_first: number, last: number) => {
      if (last >= entries.length - rowsAhead) onEnd?.();
    },
    [entries.length, onEnd],
  );
  const cellsOf = (index: number): readonly ReactNode[] => {
    const entry = entries[index];
    if (entry === undefined) return [];
    return shown.map((column) => (
      <span
        key={column}
        className={classes[column]}
        data-failed={!hasSucceeded(entry) || undefined}
        title={column === 'path' ? `${entry.host}${readablePath(entry.path)}` : undefined}
      >
        {cellText(entry, column, t, i18n.language)}
      </span>
    ));
  };
  return (
    <div ref={ref} className={classes.table}>
      <VirtualGrid
        label={t('requestLog.title')}
        columns={shown.map((column): GridColumn => ({
          id: column,
          label: t(`requestLog.columns.${column}`),
          width: widths[column],
          align: numbers.has(column) ? 'end' : 'start',
        }))}
        rowCount={entries.length}
        rowHeightPx={rowHeightPx}
        active={entries.findIndex(({ id }) => id === chosenId)}
        onActive={(index) => {
          const entry = entries[index];
          if (entry !== undefined) onChoose(entry.id);
        }}
        cellsOf={cellsOf}
        onRange={onRange}
      />
    </div>
  );
}

function cellText(entry: RequestLogEntry, column: LogColumn, t: TFunction, locale: string): string | number {
  switch (column) {
    case 'time':
      return timeOfDay(entry.startedAt, locale);
    case 'method':
      return entry.method;
    case 'status':
      return entry.status ?? t('requestLog.noAnswer');
    case 'path':
      return readablePath(entry.path);
    case 'duration':
      return durationText(entry.durationMs, t);
    case 'try':
      return entry.tryNumber;
    case 'requestId':
      return entry.requestId ?? '';
    default:
      return assertNever(column);
  }
}
