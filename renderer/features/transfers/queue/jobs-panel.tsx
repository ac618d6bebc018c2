import { ActionIcon, Button, NativeSelect, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue, useElementSize, useInterval } from '@mantine/hooks';
import { Ellipsis, ListChecks, X } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job, JobFilter } from '../../../../shared/models/jobs.ts';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { MenuEntries } from '../../../ui/menu-entries.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { formatBytes, formatCount } from '../../../ui/words/format.ts';
import type { MenuPoint } from '../../../ui/point-menu.tsx';
import type { GridColumn } from '../../../ui/table/grid-props.ts';
import { VirtualGrid } from '../../../ui/table/virtual-grid.tsx';
import { jobActionsFor, hasResults } from './job-actions.ts';
import { JobDetail } from './job-detail.tsx';
import { JobMenu } from './job-menu.tsx';
import { closeJobNotices } from './job-notices.tsx';
import {
  activeCount,
  activeText,
  countOf,
  jobGroups,
  spokenProgress,
  statesOf,
  totalProgress,
  type JobGroup,
  type TotalProgress,
} from './job-progress.ts';
import { JobButtons, JobName, JobProgress } from './job-row.tsx';
import { indexOfJob, jobAt } from './job-table.ts';
import { useJobsNow } from './jobs-store.ts';
import { JobServicesProvider, type JobServices } from './job-services.ts';
import { JobSettingsDialog } from './job-settings-dialog.tsx';
import { useJobCommands, type JobCommands } from './use-job-actions.tsx';
import { useJobRows } from './use-job-rows.ts';
import classes from './jobs-panel.module.css';

interface Props {
  readonly services: JobServices;
  /** The job to show; changes when another is asked for. */
  readonly shown: { readonly jobId: string | null; readonly serial: number };
  readonly onClose: () => void;
}

/** The list of all jobs with their states. */
export function JobsPanel({ services, shown, onClose }: Props) {
  return (
    <JobServicesProvider value={services}>
      <Panel shown={shown} onClose={onClose} />
    </JobServicesProvider>
  );
}

type Group = JobGroup | 'all';

const searchAfterMs = 200;
/** Below this width a row has its progress under its name, and its actions in a menu. */
const tightPx = 520;

function Panel({ shown, onClose }: Pick<Props, 'shown' | 'onClose'>) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const [group, setGroup] = useState<Group>('all');
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim(), searchAfterMs);
  const filter = useMemo<JobFilter>(
    () => ({
      states: group === 'all' ? null : statesOf(group),
      connectionId: null,
      ...(text === '' ? {} : { text }),
    }),
    [group, text],
  );
  useEffect(closeJobNotices, []);
  const rows = useJobRows(filter);
  const commands = useJobCommands();
  const [openId, setOpenId] = useState<string | null>(shown.jobId);
  const [asked, setAsked] = useState(shown.serial);
  // Opens a job shown on request, whatever the filter.
  if (asked !== shown.serial) {
    setAsked(shown.serial);
    setOpenId(shown.jobId);
    setGroup('all');
    setTyped('');
  }
  const [nowMs, setNowMs] = useState(() => Date.now());
  useInterval(() => setNowMs(Date.now()), 1000, { autoInvoke: true });
  const { table } = rows;
  const active = openId === null ? -1 : indexOfJob(table, openId);
  const open = active < 0 ? null : jobAt(table, active);
  const isNarrow = width > 0 && width < 760;
  const isTight = width > 0 && width < tightPx;

  return (
    <section className={classes.panel} aria-label={t('entries.jobs.title')} ref={ref}>
      <Head
        group={group}
        onGroup={setGroup}
        text={typed}
        onText={setTyped}
        isTight={isTight}
        commands={commands}
        onClose={onClose}
      />
      <BrokenNote />
      {rows.error === null ? null : (
        <div className={classes.notes}>
          <ErrorNotice error={rows.error} onRetry={rows.refresh} />
        </div>
      )}
      <div className={classes.body} data-narrow={isNarrow}>
        {isNarrow && open !== null ? null : (
          <List
            rows={rows}
            isFiltered={group !== 'all' || text !== ''}
            active={active}
            width={width}
            isDetailOpen={open !== null}
            nowMs={nowMs}
            commands={commands}
            onOpen={setOpenId}
            topKey={String(asked)}
          />
        )}
        {open === null ? null : (
          <JobDetail job={open} nowMs={nowMs} commands={commands} onClose={() => setOpenId(null)} />
        )}
      </div>
    </section>
  );
}

interface ListProps {
  readonly rows: ReturnType<typeof useJobRows>;
  readonly isFiltered: boolean;
  readonly active: number;
  readonly width: number;
  readonly isDetailOpen: boolean;
  readonly nowMs: number;
  readonly commands: JobCommands;
  readonly onOpen: (jobId: string | null) => void;
  readonly topKey: string;
}

function List({ rows, isFiltered, active, width, isDetailOpen, nowMs, commands, onOpen, topKey }: ListProps) {
  const { t } = useTranslation();
  const { table } = rows;
  const [cursor, setCursor] = useState(active);
  const [menu, setMenu] = useState<{ readonly job: Job; readonly at: MenuPoint } | null>(null);
  const [followed, setFollowed] = useState(active);
  if (followed !== active) {
    setFollowed(active);
    setCursor(active);
  }
  const listWidthPx = isDetailOpen ? width * 0.56 : width;
  const isTight = listWidthPx > 0 && listWidthPx < tightPx;
  // A sentence that names a cause needs the width more than the progress does.
  const hasProgress = listWidthPx > 820;
  const columns: readonly GridColumn[] = [
    { id: 'job', label: '', width: 'minmax(0, 5fr)' },
    ...(hasProgress ? [{ id: 'progress', label: '', width: 'minmax(180px, 2fr)' }] : []),
    { id: 'actions', label: '', width: isTight ? '116px' : hasProgress ? '220px' : '150px' },
  ];
  const cellsOf = (index: number): readonly ReactNode[] => {
    const job = jobAt(table, index);
    if (job === null) return [t('jobs.log.loading')];
    return [
      <JobName
        key="job"
        job={job}
        nowMs={nowMs}
        t={t}
        hasProgress={!hasProgress}
        onDragOut={commands.dragOut === null || !hasResults(job) ? null : () => commands.dragOut?.(job)}
      />,
      ...(hasProgress ? [<JobProgress key="progress" job={job} t={t} />] : []),
      <JobButtons key="actions" job={job} commands={commands} isTight={isTight} t={t} />,
    ];
  };
  const onKey = (event: KeyboardEvent): void => {
    const job = jobAt(table, cursor);
    if (job !== null) handleKey(event, job, commands);
  };
  if (table.total === 0)
    return (
      <div className={classes.list}>
        {rows.isPending ? null : !isFiltered ? (
          <EmptyState
            icon={<ListChecks size={28} />}
            title={t('jobs.empty.title')}
            body={t('jobs.empty.body')}
          />
        ) : (
          <div className={classes.more} role="status">
            {t('jobs.noneFits')}
          </div>
        )}
      </div>
    );
  return (
    <div className={classes.list}>
      <VirtualGrid
        label={t('jobs.list')}
        columns={columns}
        hasHeader={false}
        rowCount={table.total}
        rowHeightPx={hasProgress ? 50 : 76}
        active={cursor}
        onActive={(index) => {
          setCursor(index);
          if (isDetailOpen) onOpen(jobAt(table, index)?.id ?? null);
        }}
        onOpen={(index) => onOpen(jobAt(table, index)?.id ?? null)}
        onKey={onKey}
        onMenu={(index, at) => {
          const job = jobAt(table, index);
          setCursor(index);
          if (job !== null) setMenu({ job, at });
        }}
        cellsOf={cellsOf}
        onRange={rows.onRange}
        topKey={topKey}
      />
      {menu === null ? null : (
        <JobMenu
          job={menu.job}
          at={menu.at}
          commands={commands}
          onLog={() => onOpen(menu.job.id)}
          onClose={() => setMenu(null)}
        />
      )}
    </div>
  );
}

/** Handles keys: P pauses or resumes, R retries or checks now, Delete cancels or clears. */
function handleKey(event: KeyboardEvent, job: Job, commands: JobCommands): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const actions = jobActionsFor(job);
  const wanted =
    event.key === 'p'
      ? actions.find((action) => action === 'pause' || action === 'resume')
      : event.key === 'r'
        ? actions.find((action) => action === 'retryNow' || action === 'lookNow')
        : event.key === 'Delete'
          ? actions.find((action) => action === 'cancel' || action === 'clear')
          : undefined;
  if (wanted === undefined) return;
  event.preventDefault();
  commands.run(wanted, job);
}

interface HeadProps {
  readonly group: Group;
  readonly onGroup: (group: Group) => void;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly isTight: boolean;
  readonly commands: JobCommands;
  readonly onClose: () => void;
}

function Head({ group, onGroup, text, onText, isTight, commands, onClose }: HeadProps) {
  const { t } = useTranslation();
  const { counts } = useJobsNow();
  const [settingsOpen, setSettingsOpen] = useState(false);
  const options = (['all', ...jobGroups] as const).map((name) => {
    const count = counts === null ? 0 : name === 'all' ? counts.total : countOf(counts, name);
    return { value: name, label: `${t(`jobs.filters.${name}`)} (${formatCount(count)})` };
  });
  const closeSettings = useCallback(() => setSettingsOpen(false), []);
  const cannotClear = counts === null || countOf(counts, 'finished') === 0;
  const tools = (
    <>
      <TextInput
        size="xs"
        type="search"
        className={classes.find}
        aria-label={t('jobs.find')}
        placeholder={t('jobs.find')}
        maxLength={1024}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        aria-label={t('jobs.filters.label')}
        value={group}
        data={options}
        onChange={(event) => {
          const chosen = options.find(({ value }) => value === event.currentTarget.value);
          if (chosen !== undefined) onGroup(chosen.value);
        }}
      />
    </>
  );
  return (
    <div className={classes.head} data-tight={isTight || undefined}>
      <h2>{t('entries.jobs.title')}</h2>
      <TotalText />
      {isTight ? null : <span className={classes.spacer} />}
      {isTight ? null : tools}
      {isTight ? null : (
        <Button variant="default" disabled={cannotClear} onClick={commands.clearFinished}>
          {t('jobs.actions.clearFinished')}
        </Button>
      )}
      <MenuButton
        position="top-end"
        renderButton={(attributes) => (
          <ActionIcon aria-label={t('common.more')} {...attributes}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        )}
      >
        <MenuEntries
          groups={[
            [
              {
                label: t('jobs.actions.pauseAll'),
                isDisabled: counts === null || activeCount(counts) === 0,
                run: commands.pauseAll,
              },
              {
                label: t('jobs.actions.resumeAll'),
                isDisabled: counts === null || countOf(counts, 'resting') === 0,
                run: commands.resumeAll,
              },
              isTight && {
                label: t('jobs.actions.clearFinished'),
                isDisabled: cannotClear,
                run: commands.clearFinished,
              },
              { label: `${t('jobs.settings.title')}…`, run: () => setSettingsOpen(true) },
            ],
          ]}
        />
      </MenuButton>
      <ActionIcon aria-label={t('jobs.actions.close')} onClick={onClose}>
        <X size={16} aria-hidden />
      </ActionIcon>
      {isTight ? <div className={classes.tools}>{tools}</div> : null}
      {settingsOpen ? <JobSettingsDialog onClose={closeSettings} /> : null}
    </div>
  );
}

function TotalText() {
  const { t } = useTranslation();
  const { counts } = useJobsNow();
  if (counts === null) return null;
  const words = (total: TotalProgress): string =>
    total.kind === 'idle' ? t('jobs.idle') : activeText(total, t);
  const attention = countOf(counts, 'attention');
  const asking = attention === 0 ? '' : `; ${t('entries.jobs.attention', { count: attention })}`;
  const total = totalProgress(counts);
  const bytes =
    total.kind === 'idle' || counts.bytesTotal === 0
      ? ''
      : `, ${t('jobs.of', { done: formatBytes(counts.bytesDone), total: formatBytes(counts.bytesTotal) })}`;
  return (
    <>
      <span className={classes.total}>
        {words(total)}
        {bytes}
        {asking}
      </span>
      <VisuallyHidden role="status">
        {words(spokenProgress(counts))}
        {asking}
      </VisuallyHidden>
    </>
  );
}

function BrokenNote() {
  const { t } = useTranslation();
  const { counts, error } = useJobsNow();
  const [hidden, setHidden] = useState(false);
  const broken = counts?.broken ?? 0;
  if (error !== null)
    return (
      <div className={classes.notes}>
        <ErrorNotice error={error} />
      </div>
    );
  if (broken === 0 || hidden) return null;
  return (
    <div className={classes.notes}>
      {t('jobs.broken', { count: broken })}{' '}
      <Button variant="default" onClick={() => setHidden(true)}>
        {t('common.close')}
      </Button>
    </div>
  );
}
