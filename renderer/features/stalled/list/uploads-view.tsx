import { Box, Text, Title } from '@mantine/core';
import { useDebouncedValue, useInterval } from '@mantine/hooks';
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { UploadFilter, UploadRow } from '../../../../shared/models/stalled.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import { isCommand, useCommandRuns } from '../../../ui/keyboard/commands.ts';
import { useKeptColumns } from '../../../rpc/use-columns.ts';
import { StatusContent } from '../../../ui/status-slot.tsx';
import { formatBytes, formatCount } from '../../../ui/words/format.ts';
import type { MenuPoint } from '../../../ui/menus.tsx';
import { onReloadUploads, openUpload, openUploadDialog } from '../model/uploads-store.ts';
import {
  totalsText,
  isFiltered,
  storedSort,
  needsParts,
  noUploadFilter,
  type UploadsWhere,
} from '../model/list-query.ts';
import { UploadMenu, runAction, isAllowed, type UploadAction, UploadsToolbar } from './uploads-toolbar.tsx';
import { UploadsCost } from './uploads-cost.tsx';
import { UploadsTable } from './uploads-table.tsx';
import { useFailureToast } from '../../../rpc/say-failure.ts';
import { useInspect } from '../detail/use-inspect.ts';
import { useReadRest, useScan } from './use-scan.ts';
import { useRows, type UploadFacts } from './use-rows.ts';
import { refOfRow, useUploadSelection } from './use-upload-selection.ts';
import classes from '../stalled-list.module.css';
import { areAllBucketsUnread, NoUploads, ReadRestNote, ScanNotes } from './scan-notes.tsx';

interface Props {
  readonly where: UploadsWhere;
  readonly connectionName: string;
  /** A number that changes when a job has ended. The uploads are then searched again. */
  readonly refreshSignal: number;
  /** Shows the lifecycle rules of a bucket. */
  readonly onLifecycle: (bucket: string) => void;
}

/** The stalled uploads of a connection, a bucket or a folder. */
export function StalledView(props: Props) {
  const { connectionId, bucket, prefix } = props.where;
  return <View key={JSON.stringify([connectionId, bucket, prefix])} {...props} />;
}

function View({ where, connectionName, refreshSignal, onLifecycle }: Props) {
  const { t } = useTranslation();
  const [nowMs, setNowMs] = useState(() => Date.now());
  useInterval(() => setNowMs(Date.now()), 30_000, { autoInvoke: true });
  const scan = useScan(where);
  const scanId = scan.event?.scanId ?? null;
  const columns = useKeptColumns('columns:uploads');
  const sort = useMemo(() => storedSort(columns.view.order), [columns.view.order]);
  const [filter, setFilter] = useState(noUploadFilter);
  // Debounced, so that typing does not fetch the list on every key.
  const [text] = useDebouncedValue(filter.text, 150);
  const debouncedFilter = useMemo<UploadFilter>(() => ({ ...filter, text }), [filter, text]);
  const found = scan.event?.found ?? 0;
  const { restart, status } = scan;
  const rows = useRows(scanId, sort, debouncedFilter, `${status}:${String(found)}`);
  const { total, facts, rowAt, refresh } = rows;
  const onError = useFailureToast();
  const chosen = useUploadSelection(
    where.connectionId,
    scanId,
    scan.status === 'done',
    debouncedFilter,
    rows,
    onError,
  );
  const [menu, setMenu] = useState<MenuPoint | null>(null);

  useEffect(() => onReloadUploads(restart), [restart]);
  const handledSignal = useRef(refreshSignal);
  useEffect(() => {
    if (handledSignal.current === refreshSignal) return;
    handledSignal.current = refreshSignal;
    restart();
  }, [refreshSignal, restart]);

  const { learn: learnRows } = rows;
  const { learn: learnSelection } = chosen;
  const [partsRead, setPartsRead] = useState(0);
  const learn = useCallback(
    (read: readonly UploadRow[]) => {
      setPartsRead((before) => before + read.length);
      learnRows(read);
      learnSelection(read);
    },
    [learnRows, learnSelection],
  );
  const onVisibleRange = useInspect(scanId, rowAt, learn);
  const readRest = useReadRest(scanId, refresh);

  const { onRange: readRange } = rows;
  const onRange = useCallback(
    (first: number, last: number) => {
      onVisibleRange(first, last);
      readRange(first, last);
    },
    [onVisibleRange, readRange],
  );
  const selected = useMemo(() => [...chosen.selection.values()], [chosen.selection]);
  const act = (action: UploadAction): void => {
    if (isAllowed(action, selected.length)) runAction(action, selected, chosen.loss);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') chosen.clear();
    else if (isCommand(event, 'remove')) act('abort');
    else return;
    event.preventDefault();
  };

  const openOld = (): void => {
    if (scanId !== null) openUploadDialog({ kind: 'old', scanId, connectionId: where.connectionId });
  };

  useCommandRuns({ selectAll: chosen.selectAll });

  const isListShown = total > 0 || (found > 0 && !isFiltered(debouncedFilter));
  return (
    <section className={joinClasses(common.column, classes.page)} aria-label={t('entries.stalled.title')}>
      <Head where={where} connectionName={connectionName} facts={facts} />
      {scanId === null || facts.found === 0 ? null : (
        <UploadsCost
          where={where}
          scanId={scanId}
          facts={facts}
          partsRead={partsRead}
          filter={filter}
          onFilter={setFilter}
          onOld={openOld}
          onReadAll={readRest.progress === null ? readRest.start : null}
          onLifecycle={onLifecycle}
        />
      )}
      <UploadsToolbar
        filter={filter}
        onFilter={setFilter}
        selectedCount={selected.length}
        onAction={act}
        onReload={restart}
        onTyped={() => openUploadDialog({ kind: 'typed', where })}
        onOld={scanId === null || found === 0 ? null : openOld}
      />
      <div className={joinClasses(common.column, common.fixed, classes.notes)}>
        <ScanNotes scan={scan} />
        <FailureNotice error={rows.error} onRetry={restart} />
        <ReadRestNote readRest={readRest} unread={facts.unread} why={needsParts(sort, debouncedFilter)} />
      </div>
      {isListShown ? (
        <UploadsTable
          total={total}
          rowOf={rowAt}
          sort={sort}
          columns={columns}
          onSort={(order) => columns.set({ ...columns.view, order })}
          manyBuckets={where.bucket === null}
          prefix={where.prefix}
          active={chosen.active}
          onActive={chosen.activate}
          isSelected={chosen.isSelected}
          onOpen={(row) => openUpload(refOfRow(where.connectionId, row))}
          onKey={onKey}
          onRange={onRange}
          onMenu={setMenu}
          onDropped={(row, dropped) =>
            openUploadDialog({ kind: 'resume', ref: refOfRow(where.connectionId, row), dropped })
          }
          nowMs={nowMs}
          topKey={JSON.stringify([sort, debouncedFilter])}
        />
      ) : (
        <div className={joinClasses(common.fill, common.lineAbove, common.scroll)}>
          <NoUploads
            scan={scan}
            filtered={isFiltered(debouncedFilter) && found > 0}
            onClear={() => setFilter(noUploadFilter)}
            onTyped={() => openUploadDialog({ kind: 'typed', where })}
          />
        </div>
      )}
      <Foot
        total={total}
        found={areAllBucketsUnread(scan) ? null : found}
        filtered={isFiltered(debouncedFilter)}
        selected={selected.length}
        storedBytes={chosen.loss.storedBytes}
      />
      <UploadMenu at={menu} onClose={() => setMenu(null)} count={selected.length} onAction={act} />
    </section>
  );
}

type HeadProps = Pick<Props, 'where' | 'connectionName'> & { readonly facts: UploadFacts };

function Head({ where, connectionName, facts }: HeadProps) {
  const { t } = useTranslation();
  const place =
    where.bucket === null
      ? t('stalled.allBuckets', { connection: connectionName })
      : `${where.bucket}/${where.prefix}`;
  return (
    <Box flex="none" pt="sm" pb="xs" px="md">
      <div className={classes.title}>
        <Title order={1} fz="lg">
          {t('entries.stalled.title')}
        </Title>
        <Text size="sm" c="dimmed" truncate>
          {place}
        </Text>
        {facts.found === 0 ? null : (
          <Text size="sm" className={common.numbers ?? ''}>
            {totalsText(facts, t)}
          </Text>
        )}
      </div>
      <Text size="xs" c="dimmed" className={classes.explained ?? ''}>
        {t('stalled.explained')}
      </Text>
    </Box>
  );
}

interface FootProps {
  readonly total: number;
  /** The number of all uploads found, or null if unknown. */
  readonly found: number | null;
  readonly filtered: boolean;
  readonly selected: number;
  readonly storedBytes: number;
}

function Foot({ total, found, filtered, selected, storedBytes }: FootProps) {
  const { t } = useTranslation();
  return (
    <StatusContent>
      <div className={joinClasses(common.hint, common.numbers, common.fixed, common.clip, classes.foot)}>
        <span role="status">
          {found === null
            ? null
            : filtered
              ? t('stalled.countFiltered', { shown: formatCount(total), total: formatCount(found) })
              : t('stalled.count', { count: found })}
        </span>
        {selected === 0 ? null : (
          <>
            <span>{t('stalled.toolbar.selected', { count: selected })}</span>
            {storedBytes === 0 ? null : (
              <span>{t('stalled.toolbar.selectedBytes', { bytes: formatBytes(storedBytes) })}</span>
            )}
          </>
        )}
      </div>
    </StatusContent>
  );
}
