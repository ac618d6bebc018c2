import { Button, Group, Loader, SegmentedControl, Select, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Save, ScrollText, Search, Trash2, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { type RequestLogEntry, requestLogEntrySchema } from '../../../shared/models/settings.ts';
import { orpc, rpc } from '../../rpc/client.ts';
import { sayFailure } from '../../rpc/say-failure.ts';
import { joinClasses } from '../../ui/class-names.ts';
import { MenuButton } from '../../ui/menu-button.tsx';
import { MenuEntries } from '../../ui/menus.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { LogTable } from './log-table.tsx';
import { saveText } from '../../rpc/save-file.ts';
import { useRequestLog } from './use-request-log.ts';
import { CopyButton } from '../../ui/clipboard/copy-button.tsx';
import { formatBytes, formatExactDate } from '../../ui/words/format.ts';
import {
  durationText,
  filterLog,
  lineAsText,
  type LogFilter,
  noLogFilter,
  statusFilters,
} from './log-model.ts';
import common from '../../ui/common.module.css';
import classes from './request-log.module.css';
import { IconButton } from '../../ui/icon-button.tsx';
import { askToConfirm } from '../../ui/dialog/ask-to-confirm.tsx';

interface EntryDetailsProps {
  readonly entry: RequestLogEntry;
  readonly onClose: () => void;
}

/** The fields shown for an entry. The method is shown together with the path. */
const fields = requestLogEntrySchema.keyof().exclude(['id', 'method']).options;

/** Functions that format fields whose raw value is not shown. */
const texts: Readonly<
  Partial<Record<(typeof fields)[number], (entry: RequestLogEntry, t: TFunction) => string>>
> = {
  path: ({ method, path }) => `${method} ${path}`,
  status: ({ status }, t) => (status === null ? t('requestLog.noAnswer') : String(status)),
  startedAt: ({ startedAt }) => `${formatExactDate(startedAt)} (${startedAt})`,
  durationMs: ({ durationMs }, t) => durationText(durationMs, t),
  requestBytes: ({ requestBytes }) => formatBytes(requestBytes),
  responseBytes: ({ responseBytes }) => formatBytes(responseBytes),
};

/** Shows all fields of one request. */
function EntryDetails({ entry, onClose }: EntryDetailsProps) {
  const { t } = useTranslation();
  return (
    <section className={classes.details} aria-label={t('requestLog.details')}>
      <Group wrap="nowrap" gap={4}>
        <strong>{t('requestLog.details')}</strong>
        <span className={common.fill} />
        <CopyButton value={lineAsText(entry)} label={t('requestLog.copyLine')} />
        <IconButton size="sm" label={t('requestLog.closeDetails')} icon={X} iconPx={14} onClick={onClose} />
      </Group>
      <dl className={classes.fields}>
        {fields.map((field) => {
          const value = texts[field]?.(entry, t) ?? entry[field];
          return value === null ? null : (
            <div key={field}>
              <dt>{t(`requestLog.fields.${field}`)}</dt>
              <dd>{value}</dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

interface Props {
  readonly onClose: () => void;
}

/** Shows all requests to the services, to investigate problems or to ask a provider for help. */
export function RequestLogPanel({ onClose }: Props) {
  const { t } = useTranslation();
  const [connectionId, setConnectionId] = useState<string | null>(null);
  const [filter, setFilter] = useState<LogFilter>(noLogFilter);
  const [chosenId, setChosenId] = useState<number | null>(null);
  const log = useRequestLog(connectionId);
  const shown = useMemo(() => filterLog(log.entries, filter), [log.entries, filter]);
  const chosen = shown.find((entry) => entry.id === chosenId) ?? null;

  return (
    <section className={joinClasses(common.column, classes.panel)} aria-labelledby="request-log-heading">
      <header className={classes.header}>
        <div className={common.fill}>
          <h2 id="request-log-heading" className={classes.heading}>
            {t('requestLog.title')}
          </h2>
          <Text size="xs" c="dimmed" className={classes.explained}>
            {t('requestLog.explained')}
          </Text>
        </div>
        <Actions onClear={log.clear} empty={log.entries.length === 0} />
        <IconButton
          label={t('common.shell.hideRequestLog')}
          tip={t('common.close')}
          icon={X}
          onClick={onClose}
        />
      </header>
      <Filters
        filter={filter}
        onFilter={setFilter}
        connectionId={connectionId}
        onConnection={setConnectionId}
        shown={shown.length}
        count={log.entries.length}
      />
      {log.error === null ? null : <ErrorNotice error={log.error} />}
      <div
        className={joinClasses(common.fill, common.lineAbove, classes.content)}
        data-details={chosen !== null || undefined}
      >
        <Lines log={log} shown={shown} chosenId={chosenId} onChoose={setChosenId} />
        {chosen === null ? null : <EntryDetails entry={chosen} onClose={() => setChosenId(null)} />}
      </div>
    </section>
  );
}

interface LinesProps {
  readonly log: ReturnType<typeof useRequestLog>;
  readonly shown: readonly RequestLogEntry[];
  readonly chosenId: number | null;
  readonly onChoose: (id: number) => void;
}

function Lines({ log, shown, chosenId, onChoose }: LinesProps) {
  const { t } = useTranslation();
  if (log.isLoading) {
    return (
      <div className={classes.waiting} role="status">
        <Loader size="sm" aria-label={t('requestLog.loading')} />
      </div>
    );
  }
  if (log.entries.length === 0) {
    return (
      <EmptyState
        icon={<ScrollText size={26} />}
        title={t('requestLog.empty.title')}
        body={t('requestLog.empty.body')}
      />
    );
  }
  if (shown.length === 0) return <EmptyState icon={<Search size={26} />} title={t('requestLog.noneFits')} />;
  return (
    <LogTable
      entries={shown}
      chosenId={chosenId}
      onChoose={onChoose}
      onEnd={log.hasOlder ? log.loadOlder : null}
    />
  );
}

interface FiltersProps {
  readonly filter: LogFilter;
  readonly onFilter: (filter: LogFilter) => void;
  readonly connectionId: string | null;
  readonly onConnection: (connectionId: string | null) => void;
  readonly shown: number;
  readonly count: number;
}

function Filters({ filter, onFilter, connectionId, onConnection, shown, count }: FiltersProps) {
  const { t } = useTranslation();
  const connections = useQuery(orpc.connections.list.queryOptions());
  return (
    <div className={classes.filters}>
      <TextInput
        flex="1 1 12rem"
        maw={320}
        aria-label={t('requestLog.filter')}
        placeholder={t('requestLog.filterPlaceholder')}
        leftSection={<Search size={14} aria-hidden />}
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
      />
      <SegmentedControl
        size="xs"
        aria-label={t('requestLog.status')}
        data={statusFilters.map((value) => ({ value, label: t(`requestLog.statuses.${value}`) }))}
        value={filter.status}
        onChange={(status) => onFilter({ ...filter, status })}
      />
      <Select
        size="xs"
        aria-label={t('requestLog.connection')}
        placeholder={t('requestLog.anyConnection')}
        data={(connections.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={connectionId}
        clearable
        onChange={onConnection}
      />
      <Text size="xs" c="dimmed" role="status">
        {shown === count ? t('requestLog.count', { count }) : t('requestLog.countFiltered', { shown, count })}
      </Text>
    </div>
  );
}

function save(format: 'text' | 'json'): void {
  const work = async (): Promise<void> => {
    const { fileName, text } = await rpc.requestLog.export({ format });
    await saveText(fileName, text, format === 'json' ? 'application/json' : 'text/plain');
  };
  work().catch((thrown: unknown) => sayFailure(thrown, (say) => say('requestLog.exportFailed')));
}

interface ActionsProps {
  readonly onClear: () => Promise<void>;
  readonly empty: boolean;
}

function Actions({ onClear, empty }: ActionsProps) {
  const { t } = useTranslation();
  const clear = (): void => {
    onClear().catch((thrown: unknown) => sayFailure(thrown, (say) => say('requestLog.clearFailed')));
  };
  const askToClear = (): void =>
    askToConfirm(
      {
        title: t('requestLog.clearTitle'),
        body: <Text size="sm">{t('requestLog.clearBody')}</Text>,
        labels: { confirm: t('requestLog.clearConfirm'), cancel: t('requestLog.clearCancel') },
        weight: 'destructive',
        onConfirm: clear,
      },
      t,
    );
  return (
    <>
      <MenuButton
        position="bottom-end"
        renderButton={(attributes) => (
          <Button
            variant="default"
            disabled={empty}
            leftSection={<Save size={14} aria-hidden />}
            rightSection={<ChevronDown size={14} aria-hidden />}
            {...attributes}
          >
            {t('requestLog.export')}
          </Button>
        )}
      >
        <MenuEntries
          groups={[
            [
              { label: t('requestLog.exportText'), run: () => save('text') },
              { label: t('requestLog.exportJson'), run: () => save('json') },
            ],
          ]}
        />
      </MenuButton>
      <Button
        variant="default"
        disabled={empty}
        leftSection={<Trash2 size={14} aria-hidden />}
        onClick={askToClear}
      >
        {t('requestLog.clear')}
      </Button>
    </>
  );
}
