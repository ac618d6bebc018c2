import { Box, Button } from '@mantine/core';
import { useDebouncedValue, useElementSize, useInterval } from '@mantine/hooks';
import { ListChecks } from 'lucide-react';
import { useEffect, useMemo, useState, type KeyboardEvent } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Job, JobFilter } from '../../../../shared/models/jobs.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import type { MenuPoint } from '../../../ui/menus.tsx';
import type { GridColumn } from '../../../ui/table/grid-props.ts';
import { VirtualGrid } from '../../../ui/table/virtual-grid.tsx';
import { jobActionsFor, hasResults, type JobAction, remedyFor } from './job-actions.ts';
import { JobDetail } from './job-detail.tsx';
import { JobMenu } from './job-menu.tsx';
import { closeJobNotices } from './job-notices.tsx';
import { statesOf } from './job-progress.ts';
import { JobButtons, JobName, JobProgress } from './job-row.tsx';
import { useJobRows } from './use-job-rows.ts';
import { useJobsNow } from './jobs-store.ts';
import { useJobCommands, type JobCommands } from './use-job-actions.tsx';
import classes from './jobs-panel.module.css';
import { type Group, Head } from './jobs-head.tsx';
import { useShownJob } from '../start/start-transfer.ts';

const searchAfterMs = 200;

/** Width below which a row shows only the remedy, and a menu with its other actions. */
const tightPx = 520;

/** The list of all jobs with their states. */
export function JobsPanel({ onClose }: { readonly onClose: () => void }) {
  const shown = useShownJob();
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
  const [handledSerial, setHandledSerial] = useState(shown.serial);
  // A request to show a job opens the job and resets the filter, which might hide it.
  if (handledSerial !== shown.serial) {
    setHandledSerial(shown.serial);
    setOpenId(shown.jobId);
    setGroup('all');
    setTyped('');
  }
  const [nowMs, setNowMs] = useState(() => Date.now());
  useInterval(() => setNowMs(Date.now()), 1000, { autoInvoke: true });
  const active = openId === null ? -1 : rows.indexOf(({ id }) => id === openId);
  const open = active < 0 ? null : rows.rowAt(active);
  const isNarrow = width > 0 && width < 760;
  const isTight = width > 0 && width < tightPx;

  return (
    <section
      className={joinClasses(common.column, classes.panel)}
      aria-label={t('entries.jobs.title')}
      ref={ref}
    >
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
        <Box flex="none" py={6} px="sm">
          <FailureNotice error={rows.error} onRetry={rows.refresh} />
        </Box>
      )}
      <div className={joinClasses(common.fill, classes.body)} data-narrow={isNarrow}>
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
            topKey={String(handledSerial)}
          />
        )}
        {open === null ? null : (
          <JobDetail job={open} nowMs={nowMs} commands={commands} onClose={() => setOpenId(null)} />
        )}
      </div>
    </section>
  );
}

interface ColumnFacts {
  readonly nowMs: number;
  readonly hasProgress: boolean;
  readonly isTight: boolean;
  readonly commands: JobCommands;
}

function columnsOf(
  { nowMs, hasProgress, isTight, commands }: ColumnFacts,
  t: TFunction,
): readonly GridColumn<Job>[] {
  const progress: GridColumn<Job> = {
    id: 'progress',
    label: '',
    width: 'minmax(180px, 2fr)',
    cell: (job) => <JobProgress job={job} t={t} />,
  };
  return [
    {
      id: 'job',
      label: '',
      width: 'minmax(0, 5fr)',
      cell: (job) => (
        <JobName
          job={job}
          nowMs={nowMs}
          t={t}
          hasProgress={!hasProgress}
          onDragOut={commands.dragOut === null || !hasResults(job) ? null : () => commands.dragOut?.(job)}
        />
      ),
    },
    ...(hasProgress ? [progress] : []),
    {
      id: 'actions',
      label: '',
      width: isTight ? '116px' : hasProgress ? '220px' : '160px',
      cell: (job) => {
        // Beside the label of a remedy, a narrow list has no room for the other actions.
        const hasMenu = isTight || (!hasProgress && remedyFor(job) !== null);
        return <JobButtons job={job} commands={commands} isTight={hasMenu} t={t} />;
      },
    },
  ];
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
  const { total, rowAt } = rows;
  const [cursor, setCursor] = useState(active);
  const [menu, setMenu] = useState<{ readonly job: Job; readonly at: MenuPoint } | null>(null);
  const [followed, setFollowed] = useState(active);
  if (followed !== active) {
    setFollowed(active);
    setCursor(active);
  }
  const listWidthPx = isDetailOpen ? width * 0.56 : width;
  const isTight = listWidthPx > 0 && listWidthPx < tightPx;
  // In a narrow list, the text needs the space more than the progress.
  const hasProgress = listWidthPx > 820;
  const onKey = (event: KeyboardEvent): void => {
    const job = rowAt(cursor);
    if (job !== null) handleKey(event, job, commands);
  };
  if (total === 0)
    return (
      <div className={common.fill}>
        {!rows.hasRead && rows.error === null ? null : !isFiltered ? (
          <EmptyState
            icon={<ListChecks size={28} />}
            title={t('jobs.empty.title')}
            body={t('jobs.empty.body')}
          />
        ) : (
          <Box py={6} px="sm" role="status">
            {t('jobs.noneFits')}
          </Box>
        )}
      </div>
    );
  return (
    <div className={common.fill}>
      <VirtualGrid
        label={t('jobs.list')}
        columns={columnsOf({ nowMs, hasProgress, isTight, commands }, t)}
        hasHeader={false}
        rowCount={total}
        rowHeightPx={hasProgress ? 50 : 76}
        active={cursor}
        onActive={(index) => {
          setCursor(index);
          if (isDetailOpen) onOpen(rowAt(index)?.id ?? null);
        }}
        rowAt={rowAt}
        idOf={({ id }) => id}
        loading={t('jobs.log.loading')}
        onOpen={(job) => onOpen(job.id)}
        onKey={onKey}
        onMenu={(job, at, index) => {
          setCursor(index);
          setMenu({ job, at });
        }}
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

/** The actions of keys in the list. The first permitted action of a key runs. */
const actionsOfKeys: Readonly<Record<string, readonly JobAction[]>> = {
  p: ['pause', 'resume'],
  r: ['retryNow', 'lookNow'],
  Delete: ['cancel', 'clear'],
};

function handleKey(event: KeyboardEvent, job: Job, commands: JobCommands): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const keyAction = jobActionsFor(job).find((action) => actionsOfKeys[event.key]?.includes(action));
  if (keyAction === undefined) return;
  event.preventDefault();
  commands.run(keyAction, job);
}

function BrokenNote() {
  const { t } = useTranslation();
  const { counts, error } = useJobsNow();
  const [hidden, setHidden] = useState(false);
  const broken = counts?.broken ?? 0;
  if (error !== null)
    return (
      <Box flex="none" py={6} px="sm">
        <ErrorNotice error={error} />
      </Box>
    );
  if (broken === 0 || hidden) return null;
  return (
    <Box flex="none" py={6} px="sm">
      {t('jobs.broken', { count: broken })}{' '}
      <Button variant="default" onClick={() => setHidden(true)}>
        {t('common.close')}
      </Button>
    </Box>
  );
}
