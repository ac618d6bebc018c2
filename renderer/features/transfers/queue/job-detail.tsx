import { ActionIcon, Box, Button, Flex, Group, Stack, Table, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronDown, X } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { Attempt, Job } from '../../../../shared/models/jobs.ts';
import type { CsvFormat } from '../../../../shared/models/walks.ts';
import { rpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import { showNotice } from '../../../ui/notices/notices.tsx';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import { CopyButton } from '../../../ui/clipboard/copy-button.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { MenuEntries } from '../../../ui/menus.tsx';
import { saveFrom } from '../../../rpc/save-file.ts';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { errorWords } from '../../../ui/words/error-words.ts';
import { formatCount, formatExactDate, formatTimeOfDay } from '../../../ui/words/format.ts';
import { FailedItems, NotedItems } from './job-items.tsx';
import { BatchFactsList } from './job-batch.tsx';
import { jobActionsFor, remedyFor } from './job-actions.ts';
import { remedyFacts } from './job-icons.ts';
import { JobProgress } from './job-row.tsx';
import { adviceFor, jobSentence, jobTitle, requestName } from './job-words.ts';
import { onJobsEvent } from './jobs-store.ts';
import type { JobCommands } from './use-job-actions.tsx';
import { DropZone } from '../../../ui/drop/drop-zone.tsx';
import { useFileDrop } from '../../../ui/drop/file-drop.ts';
import { useDropped } from '../../../rpc/use-dropped.ts';
import classes from './jobs-panel.module.css';

interface Props {
  readonly job: Job;
  readonly nowMs: number;
  readonly commands: JobCommands;
  readonly onClose: () => void;
}

/** Shows one job: why it waits, how to fix it, and every request that it has sent. */
export function JobDetail({ job, nowMs, commands, onClose }: Props) {
  const { t } = useTranslation();
  const advice = adviceFor(job, t);
  const remedy = remedyFor(job);
  const hasReport = job.items !== undefined && job.items.total > 0;
  const retry = jobActionsFor(job).find((action) => action === 'retryNow' || action === 'resume');
  return (
    <section
      className={joinClasses(common.column, classes.detail)}
      aria-label={t('jobs.log.title', { name: jobTitle(job, t) })}
    >
      <Group wrap="nowrap" flex="none" gap="xs" py={6} ps="sm" pe="xs">
        <Title order={3} fz="sm" flex={1} className={common.cut ?? ''} title={`${job.bucket}/${job.key}`}>
          {t('jobs.log.title', { name: jobTitle(job, t) })}
        </Title>
        <ActionIcon aria-label={t('jobs.log.close')} onClick={onClose}>
          <X size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <Stack bg="var(--cooper-raised)" bdrs={8} flex="none" gap={4} mx="sm" mb="xs" py="xs" px="sm">
        <p>
          <strong>{jobSentence(job, nowMs, t)}.</strong> {advice}
        </p>
        {job.state === 'done' ? null : <JobProgress job={job} t={t} />}
        {job.error === null || job.state === 'done' ? null : <ErrorNotice error={job.error} />}
        {remedy === 'give-file' ? <JobFileDrop key={job.id} jobId={job.id} /> : null}
        {advice === null && !hasReport ? null : (
          <Flex wrap="wrap" gap={6}>
            {remedy === null || advice === null ? null : (
              <Button onClick={() => commands.remedy(remedy, job)}>
                {t(`jobs.actions.${remedyFacts[remedy].messageKey}`)}
              </Button>
            )}
            {retry === undefined || advice === null ? null : (
              <Button variant="default" onClick={() => commands.run(retry, job)}>
                {t(`jobs.actions.${retry}`)}
              </Button>
            )}
            {hasReport ? <SaveReport jobId={job.id} /> : null}
          </Flex>
        )}
      </Stack>
      <BatchFactsList job={job} />
      <FailedItems job={job} />
      <NotedItems job={job} />
      <JobLog key={job.id} job={job} />
    </section>
  );
}

/** Writes the result of each item into a file. */
function SaveReport({ jobId }: { readonly jobId: string }) {
  const { t } = useTranslation();
  const save = (format: CsvFormat): void => {
    sayingFailure(async () => {
      const made = await rpc.transfers.report({ jobId, format, title: t('jobs.report.title') });
      if (made.kind === 'download') saveFrom(made.path, made.fileName);
      else if (made.kind === 'saved')
        showNotice({ message: (say) => say('jobs.report.saved', { name: made.fileName }) });
    });
  };
  return (
    <MenuButton
      renderButton={(attributes) => (
        <Button variant="default" rightSection={<ChevronDown size={13} aria-hidden />} {...attributes}>
          {t('jobs.report.save')}
        </Button>
      )}
    >
      <MenuEntries
        groups={[
          [
            { label: t('jobs.report.csv'), run: () => save('csv') },
            { label: t('common.csvForExcel'), run: () => save('csv-bom') },
          ],
        ]}
      />
    </MenuButton>
  );
}

const pageSize = 100;

function JobLog({ job }: { readonly job: Job }) {
  const { t } = useTranslation();
  const log = useInfiniteQuery({
    queryKey: ['jobs.attempts', job.id],
    staleTime: 0,
    gcTime: 0,
    initialPageParam: null as number | null,
    queryFn: ({ pageParam, signal }) =>
      rpc.jobs.attempts({ jobId: job.id, beforeId: pageParam, limit: pageSize }, { signal }),
    getNextPageParam: (last) => (last.length < pageSize ? null : (last.at(-1)?.id ?? null)),
  });
  const { refetch } = log;
  useEffect(
    () =>
      onJobsEvent(({ changed, reload }) => {
        if (reload || changed.some(({ id }) => id === job.id)) void refetch();
      }),
    [job.id, refetch],
  );
  const attempts = log.data?.pages.flat() ?? [];
  if (log.error !== null) return <FailureNotice error={log.error} onRetry={() => void refetch()} />;
  if (attempts.length === 0)
    return (
      <Box py={6} px="sm">
        {t(log.isPending ? 'jobs.log.loading' : 'jobs.log.empty')}
      </Box>
    );
  return (
    <div
      className={joinClasses(common.fill, common.lineAbove, common.scroll, classes.log)}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
      tabIndex={0}
      role="region"
      aria-label={t('jobs.log.label')}
    >
      <Table fz="xs" horizontalSpacing={8} verticalSpacing={3} stickyHeader className={common.numbers ?? ''}>
        <Table.Thead c="dimmed">
          <Table.Tr>
            {(['time', 'request', 'part', 'status', 'result', 'requestId'] as const).map((column) => (
              <Table.Th key={column} scope="col" fw={500}>
                {t(`jobs.log.columns.${column}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {attempts.map((attempt) => (
            <LogLine key={attempt.id} attempt={attempt} t={t} />
          ))}
        </Table.Tbody>
      </Table>
      <Box py={6} px="sm">
        {log.hasNextPage ? (
          <Button variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {t('jobs.log.older')}
          </Button>
        ) : null}{' '}
        <CopyButton
          value={attempts.map((attempt) => lineText(attempt, t)).join('\n')}
          label={t('jobs.log.copy')}
          withText
        />
      </Box>
    </div>
  );
}

function LogLine({ attempt, t }: { readonly attempt: Attempt; readonly t: TFunction }) {
  return (
    <Table.Tr>
      <Table.Td>
        <time dateTime={attempt.at} title={formatExactDate(attempt.at)}>
          {formatTimeOfDay(attempt.at)}
        </time>
      </Table.Td>
      <Table.Td>{requestName(attempt.request, t)}</Table.Td>
      <Table.Td>{attempt.partNumber === null ? null : formatCount(attempt.partNumber)}</Table.Td>
      <Table.Td>{attempt.status}</Table.Td>
      <Table.Td
        data-wrap
        className={joinClasses(common.breaks, attempt.error === null ? undefined : common.bad)}
      >
        {resultText(attempt, t)}
      </Table.Td>
      <Table.Td>
        <code className={joinClasses(common.mono, common.breaks)}>{attempt.requestId}</code>
      </Table.Td>
    </Table.Tr>
  );
}

function resultText(attempt: Attempt, t: TFunction): string {
  const { error, note } = attempt;
  const result =
    error === null
      ? t('jobs.log.ok')
      : [t(`${errorWords(error)}.title`), error.s3?.code]
          .filter((text) => typeof text === 'string')
          .join(', ');
  return note === null || note === '' ? result : `${result} (${note})`;
}

function lineText(attempt: Attempt, t: TFunction): string {
  return [
    attempt.at,
    attempt.request,
    attempt.partNumber === null ? '' : String(attempt.partNumber),
    attempt.status === null ? '' : String(attempt.status),
    attempt.requestId ?? '',
    resultText(attempt, t),
  ].join('\t');
}

/** A drop target for the file that a job asks for again. */
function JobFileDrop({ jobId }: { readonly jobId: string }) {
  const { t } = useTranslation();
  const dropped = useDropped(async (file) => {
    await rpc.jobs.giveFile({ jobId, fileHandle: file.handle });
  });
  const drop = useFileDrop(dropped.take);
  return (
    <div {...drop.handlers}>
      <DropZone label={t('files.drop.here')} drop={drop} dropped={dropped} />
    </div>
  );
}
