import { useElementSize } from '@mantine/hooks';
import type { TFunction } from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
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

type LogColumn = 'time' | 'method' | 'status' | 'path' | 'duration' | 'try' | 'requestId';

interface LogColumnFacts {
  readonly id: LogColumn;
  readonly width: string;
  readonly align?: 'end';
  readonly isOnlyWide?: boolean;
  readonly text: (entry: RequestLogEntry, t: TFunction, locale: string) => string | number;
}

const columns: readonly LogColumnFacts[] = [
  { id: 'time', width: '108px', text: ({ startedAt }, _t, locale) => timeOfDay(startedAt, locale) },
  { id: 'method', width: '70px', text: ({ method }) => method },
  { id: 'status', width: '86px', text: ({ status }, t) => status ?? t('requestLog.noAnswer') },
  { id: 'path', width: 'minmax(90px, 1fr)', text: ({ path }) => readablePath(path) },
  { id: 'duration', width: '82px', align: 'end', text: ({ durationMs }, t) => durationText(durationMs, t) },
  { id: 'try', width: '74px', align: 'end', isOnlyWide: true, text: ({ tryNumber }) => tryNumber },
  { id: 'requestId', width: '200px', isOnlyWide: true, text: ({ requestId }) => requestId ?? '' },
];

function columnsOf(isNarrow: boolean, t: TFunction, locale: string): readonly GridColumn<RequestLogEntry>[] {
  const shown = columns.filter(({ isOnlyWide }) => !isNarrow || isOnlyWide !== true);
  return shown.map(({ text, ...column }) => ({
    ...column,
    label: t(`requestLog.columns.${column.id}`),
    cell: (entry) => (
      <span
        className={classes[column.id]}
        data-failed={!hasSucceeded(entry) || undefined}
        title={column.id === 'path' ? `${entry.host}${readablePath(entry.path)}` : undefined}
      >
        {text(entry, t, locale)}
      </span>
    ),
  }));
}

/** Shows log lines as a table. It is virtualized, since a count of a bucket logs tens of thousands of lines. */
export function LogTable({ entries, chosenId, onChoose, onEnd }: Props) {
  const { t, i18n } = useTranslation();
  const { ref, width: tableWidthPx } = useElementSize();
  const isNarrow = tableWidthPx > 0 && tableWidthPx < narrowPx;

  const onRange = useCallback(
    (_first: number, last: number) => {
      if (last >= entries.length - rowsAhead) onEnd?.();
    },
    [entries.length, onEnd],
  );
  return (
    <div ref={ref} className={classes.table}>
      <VirtualGrid
        label={t('requestLog.title')}
        columns={columnsOf(isNarrow, t, i18n.language)}
        rowCount={entries.length}
        rowHeightPx={rowHeightPx}
        active={entries.findIndex(({ id }) => id === chosenId)}
        onActive={(index) => {
          const entry = entries[index];
          if (entry !== undefined) onChoose(entry.id);
        }}
        rowAt={(index) => entries[index]}
        idOf={({ id }) => id}
        onRange={onRange}
      />
    </div>
  );
}
