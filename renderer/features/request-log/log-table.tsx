import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestLogEntry } from '../../../shared/models/app.ts';
import { readablePath, worked } from './log-model.ts';
import { durationText, timeOfDay } from './log-words.ts';
import classes from './request-log.module.css';

interface Props {
  readonly entries: readonly RequestLogEntry[];
  readonly chosenId: number | null;
  readonly onChoose: (id: number) => void;
  /** Asks for older lines when the end comes into sight; null when there are none. */
  readonly onEnd: (() => void) | null;
}

const rowHeightPx = 26;
const columns = ['time', 'method', 'status', 'path', 'duration', 'try', 'requestId'] as const;

/** The lines of the log; virtual, since a walk over a bucket makes tens of thousands. */
export function LogTable({ entries, chosenId, onChoose, onEnd }: Props) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by a compiler
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    getItemKey: (index) => entries[index]?.id ?? index,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (onEnd !== null && lastShown >= entries.length - 20) onEnd();
  }, [onEnd, lastShown, entries.length]);

  const at = Math.max(
    0,
    entries.findIndex((entry) => entry.id === chosenId),
  );
  const go = (index: number) => {
    const next = entries[Math.max(0, Math.min(entries.length - 1, index))];
    if (next === undefined) return;
    onChoose(next.id);
    virtual.scrollToIndex(entries.indexOf(next));
    requestAnimationFrame(() => {
      scroller.current?.querySelector<HTMLElement>(`[data-id="${String(next.id)}"]`)?.focus();
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeightPx) - 2);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: entries.length - 1,
      PageDown: at + page,
      PageUp: at - page,
    };
    const to = moves[event.key];
    const entry = entries[at];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' && entry !== undefined) onChoose(entry.id);
    else if (to === undefined) return;
    else go(to);
    event.preventDefault();
  };

  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={t('requestLog.title')}
      aria-rowcount={entries.length + 1}
      className={classes.table}
    >
      <div role="rowgroup" className={classes.head}>
        <div role="row" aria-rowindex={1} className={classes.row}>
          {columns.map((column) => (
            <div key={column} role="columnheader" className={classes[column]}>
              {t(`requestLog.columns.${column}`)}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const entry = entries[index];
          return entry === undefined ? null : (
            <LogRow
              key={entry.id}
              entry={entry}
              index={index}
              start={start}
              chosen={entry.id === chosenId}
              tabbable={index === at}
              onChoose={() => onChoose(entry.id)}
              onKeyDown={onKeyDown}
            />
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  readonly entry: RequestLogEntry;
  readonly index: number;
  readonly start: number;
  readonly chosen: boolean;
  readonly tabbable: boolean;
  readonly onChoose: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function LogRow({ entry, index, start, chosen, tabbable, onChoose, onKeyDown }: RowProps) {
  const { t, i18n } = useTranslation();
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={chosen}
      tabIndex={tabbable ? 0 : -1}
      data-id={entry.id}
      data-failed={!worked(entry) || undefined}
      className={classes.row}
      style={{ position: 'absolute', transform: `translateY(${String(start)}px)` }}
      onClick={onChoose}
      onKeyDown={onKeyDown}
    >
      <div role="gridcell" className={classes.time}>
        {timeOfDay(entry.startedAt, i18n.language)}
      </div>
      <div role="gridcell" className={classes.method}>
        {entry.method}
      </div>
      <div role="gridcell" className={classes.status}>
        {entry.status ?? t('requestLog.noAnswer')}
      </div>
      <div role="gridcell" className={classes.path} title={`${entry.host}${readablePath(entry.path)}`}>
        {readablePath(entry.path)}
      </div>
      <div role="gridcell" className={classes.duration}>
        {durationText(entry.durationMs, t)}
      </div>
      <div role="gridcell" className={classes.try}>
        {entry.tryNumber}
      </div>
      <div role="gridcell" className={classes.requestId}>
        {entry.requestId ?? ''}
      </div>
    </div>
  );
}
