import { Box, Group, Loader } from '@mantine/core';
import { CircleCheck, CircleStop, CircleX, History } from 'lucide-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ReportProgress } from '../../../shared/models/inventory.ts';
import type { MapFacts, MapStatus } from '../../../shared/models/map.ts';
import common from '../../ui/common.module.css';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { OmittedEntries } from '../../ui/cells/left-out.tsx';
import { formatAge, formatSpan, formatBytes, formatCount, formatDate } from '../../ui/words/format.ts';
import classes from './map.module.css';

interface Props {
  readonly status: MapStatus;
  readonly objects: MapFacts | null;
  readonly onRetry: () => void;
}

/** Shows the heading of the map: size, age, and progress. */
export function MapStatusLine({ status, objects, onRetry }: Props) {
  const { t } = useTranslation();
  const { walk } = status;
  const isRunning = walk?.state === 'running';
  return (
    <Box flex="none" pb="xs" px="sm">
      <Group gap="4px 10px" mih={20}>
        <StateIcon status={status} />
        {objects === null ? null : (
          <strong>
            {t('map.total', {
              size: formatBytes(objects.sizeBytes),
              folders: t('map.folders', { count: objects.folders, number: formatCount(objects.folders) }),
              objects: t('map.objects', { count: objects.objects, number: formatCount(objects.objects) }),
            })}
          </strong>
        )}
        <span className={classes.quiet}>{dateWords(status, t)}</span>
        {isRunning && status.isComplete && walk.report === null ? (
          <span className={classes.quiet}>
            {t('map.refreshing', { count: walk.keys, number: formatCount(walk.keys) })}
          </span>
        ) : null}
        {status.kept === 'too-large' || (status.kept === 'failed' && walk?.state === 'done') ? (
          <span className={classes.quiet}>{t(`map.kept.${status.kept}`)}</span>
        ) : null}
      </Group>
      <span role="status" className="visually-hidden">
        {t(isRunning ? 'map.spoken.running' : 'map.spoken.done')}
      </span>
      {walk?.isSequential === true ? <p className={classes.note}>{t('search.progress.sequential')}</p> : null}
      {walk === null ? null : <OmittedEntries foreign={walk.foreign} />}
      {walk?.report === undefined || walk.report === null ? null : (
        <ReportNotes status={status} report={walk.report} />
      )}
      {walk?.state === 'stopped' && !status.isComplete ? (
        <p className={classes.note}>{t('map.stopped')}</p>
      ) : null}
      {walk === null || walk.error === null ? null : (
        <>
          <ErrorNotice error={walk.error} onRetry={onRetry} permission="s3:ListBucket" />
          {status.objects > 0 && !status.isComplete ? (
            <p className={classes.note}>{t('map.partial')}</p>
          ) : null}
        </>
      )}
    </Box>
  );
}

interface ReportProps {
  readonly status: MapStatus;
  readonly report: ReportProgress;
}

/** Shows the versions and delete markers in an inventory report, which the map does not contain. */
function ReportNotes({ status, report }: ReportProps) {
  const { t } = useTranslation();
  const { olderVersions, olderBytes, deleteMarkers } = report;
  const notes = [
    olderVersions === 0
      ? null
      : t('map.inventory.older', {
          count: olderVersions,
          number: formatCount(olderVersions),
          size: formatBytes(olderBytes),
        }),
    deleteMarkers === 0
      ? null
      : t('map.inventory.markers', { count: deleteMarkers, number: formatCount(deleteMarkers) }),
    status.walk?.state === 'done' && !status.isComplete ? t('map.inventory.part') : null,
  ].filter((note) => note !== null);
  return notes.length === 0 ? null : <p className={classes.note}>{notes.join(' ')}</p>;
}

function dateWords({ isComplete, takenAt, walk, origin }: MapStatus, t: TFunction): string {
  if (walk?.state === 'running' && walk.report !== null)
    return t('map.inventory.reading', {
      count: walk.report.files,
      number: formatCount(walk.report.files),
      read: formatCount(walk.report.filesRead),
    });
  if (origin === 'inventory' && (isComplete || walk?.state === 'done'))
    return t('map.inventory.asOf', { time: formatDate(takenAt) });
  if (!isComplete)
    return walk?.state === 'running'
      ? t('map.reading', { count: walk.requests, number: formatCount(walk.requests) })
      : '';
  const age = formatAge(Date.now() - Date.parse(takenAt));
  if (age !== null) return t('map.asOf', { age, time: formatDate(takenAt) });
  return walk?.state === 'done' ? t('map.readIn', { span: formatSpan(walk.durationMs) }) : t('map.justNow');
}

const stateIcons = {
  done: [CircleCheck, common.good],
  stopped: [CircleStop, common.warn],
  failed: [CircleX, common.bad],
  unwatched: [History, classes.quiet],
} as const;

function StateIcon({ status }: { readonly status: MapStatus }) {
  const state = status.walk?.state ?? 'unwatched';
  if (state === 'running') return <Loader size={14} aria-hidden />;
  const [Icon, className] = stateIcons[state];
  return <Icon size={15} aria-hidden className={className} />;
}
