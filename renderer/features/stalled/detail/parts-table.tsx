import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../../shared/errors.ts';
import type { PartRow, UploadRef } from '../../../../shared/models/stalled.ts';
import { rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import {
  formatBytes,
  formatCount,
  formatDate,
  formatExactBytes,
  formatExactDate,
} from '../../../ui/words/format.ts';
import type { GridColumn } from '../../../ui/table/grid-props.ts';
import { VirtualGrid } from '../../../ui/table/virtual-grid.tsx';
import common from '../../../ui/common.module.css';
import classes from '../stalled-dialogs.module.css';

const pageSize = 200;

interface Props {
  readonly upload: UploadRef;
  /** The number of parts including missing ones. This is the table's length until its first page has loaded. */
  readonly total: number;
  readonly hasChecksums: boolean;
}

/** A table with all part numbers up to the highest, loaded in ranges. */
export function PartsTable({ upload, total, hasChecksums }: Props) {
  const { t } = useTranslation();
  const [pages, setPages] = useState<ReadonlyMap<number, readonly PartRow[]>>(new Map());
  const [error, setError] = useState<AppError | null>(null);
  const [active, setActive] = useState(-1);
  const asked = useRef(new Set<number>());
  const aborter = useRef<AbortController | null>(null);
  useEffect(() => {
    const mine = new AbortController();
    aborter.current = mine;
    return () => mine.abort();
  }, []);

  const onRange = useCallback(
    (first: number, last: number) => {
      for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page += 1) {
        if (asked.current.has(page)) continue;
        asked.current.add(page);
        const signal = aborter.current?.signal;
        void (async () => {
          try {
            const range = { offset: page * pageSize, limit: pageSize };
            const { parts } = await rpc.stalled.parts(
              { ...upload, ...range },
              signal === undefined ? {} : { signal },
            );
            setPages((now) => new Map(now).set(page, parts));
            setError(null);
          } catch (thrown) {
            asked.current.delete(page);
            if (signal?.aborted !== true) setError(appErrorOf(thrown));
          }
        })();
      }
    },
    [upload],
  );

  const columns: readonly GridColumn[] = [
    { id: 'number', label: t('stalled.parts.columns.number'), width: '64px', align: 'end' },
    { id: 'state', label: t('stalled.parts.columns.state'), width: '96px' },
    { id: 'size', label: t('stalled.parts.columns.size'), width: '88px', align: 'end' },
    { id: 'time', label: t('stalled.parts.columns.time'), width: '170px' },
    { id: 'etag', label: t('stalled.parts.columns.etag'), width: 'minmax(100px, 1fr)' },
    ...(hasChecksums
      ? [{ id: 'checksum', label: t('stalled.parts.columns.checksum'), width: 'minmax(100px, 1fr)' }]
      : []),
  ];
  const cellsOf = (index: number): readonly ReactNode[] => {
    const part = pages.get(Math.floor(index / pageSize))?.[index % pageSize];
    if (part === undefined) return [formatCount(index + 1), t('stalled.loadingRow')];
    const absent = t('stalled.unknown');
    return [
      formatCount(part.partNumber),
      <span key="state" className={classes.partState} data-state={part.state}>
        {t(`stalled.strip.state.${part.state}`)}
      </span>,
      part.sizeBytes === null ? (
        absent
      ) : (
        <span key="size" title={formatExactBytes(part.sizeBytes)}>
          {formatBytes(part.sizeBytes)}
        </span>
      ),
      part.lastModified === null ? (
        absent
      ) : (
        <time key="time" dateTime={part.lastModified} title={formatExactDate(part.lastModified)}>
          {formatDate(part.lastModified)}
        </time>
      ),
      <span key="etag" className={common.mono} title={part.etag ?? undefined}>
        {part.etag?.replaceAll('"', '') ?? absent}
      </span>,
      <span key="checksum" className={common.mono} title={part.checksum ?? undefined}>
        {part.checksum ?? absent}
      </span>,
    ].slice(0, columns.length);
  };

  if (error !== null && pages.size === 0) return <ErrorNotice error={error} onRetry={() => onRange(0, 0)} />;
  return (
    <div className={classes.table}>
      <VirtualGrid
        label={t('stalled.parts.label')}
        columns={columns}
        rowCount={total}
        rowHeightPx={28}
        active={active}
        onActive={setActive}
        cellsOf={cellsOf}
        onRange={onRange}
      />
    </div>
  );
}
