import { Box, Button, Loader } from '@mantine/core';
import { CircleCheck, CircleStop, CircleX, RefreshCw, Square } from 'lucide-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatAddress } from '../../../shared/keys/s3-link.ts';
import { nameText } from '../../../shared/keys/display.ts';
import type { WalkState, WalkStatus } from '../../../shared/models/walks.ts';
import { joinClasses } from '../../ui/class-names.ts';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { OmittedEntries } from '../../ui/cells/left-out.tsx';
import { formatSpan, formatBytes, formatCount, formatDate } from '../../ui/words/format.ts';
import common from '../../ui/common.module.css';
import classes from './search.module.css';

interface Props {
  readonly status: WalkStatus;
  readonly onStop: () => void;
  readonly onRetry: () => void;
  readonly onService: () => void;
}

/** Shows the progress of the search. Screen readers announce only the state, since the numbers change constantly. */
export function SearchProgress({ status, onStop, onRetry, onService }: Props) {
  const { t } = useTranslation();
  const { state, matches, keys, matchedBytes, requests, pieces } = status;
  const isRunning = state === 'running';
  const isOutOfDate = status.isOutdated && !isRunning;
  const empty = t('common.keyText.empty');
  const facts = [
    matches === 0
      ? null
      : t(isRunning ? 'search.progress.bytesSoFar' : 'search.progress.bytes', {
          size: formatBytes(matchedBytes),
        }),
    status.takenAt === null
      ? t('search.progress.requests', { count: requests, number: formatCount(requests) })
      : null,
    isRunning && status.takenAt === null
      ? t('search.progress.pieces', { count: pieces, number: formatCount(pieces) })
      : null,
    isRunning ? null : t('search.progress.took', { span: formatSpan(status.durationMs) }),
    isRunning || status.takenAt !== null
      ? null
      : t('search.progress.asOf', { time: formatDate(status.startedAt) }),
  ].filter((fact) => fact !== null);
  return (
    <Box className={common.lineAbove} flex="none" py={6} px="md">
      <div className={joinClasses(common.wrap, common.numbers, classes.progressLine)} data-state={state}>
        <StateIcon state={state} />
        <span className={common.strong}>
          {t(`search.progress.${state}`, {
            count: keys,
            matches: formatCount(matches),
            keys: formatCount(keys),
          })}
        </span>
        <span className={common.quiet}>{facts.join(' · ')}</span>
        {isRunning ? (
          <Button variant="default" ms="auto" leftSection={<Square size={12} aria-hidden />} onClick={onStop}>
            {t('search.stop')}
          </Button>
        ) : null}
        <span role="status" className={common.warn}>
          {isOutOfDate ? t('search.progress.outOfDate') : null}
        </span>
        {isOutOfDate ? (
          <Button
            variant="default"
            ms="auto"
            leftSection={<RefreshCw size={13} aria-hidden />}
            // A catalogue does not contain the changes, so the service is listed.
            onClick={status.takenAt === null ? onRetry : onService}
          >
            {t('search.again')}
          </Button>
        ) : null}
      </div>
      <span role="status" className="visually-hidden">
        {spoken(status, t)}
      </span>
      {status.isSequential ? <p className={classes.note}>{t('search.progress.sequential')}</p> : null}
      {status.onlyBelow === null ? null : (
        <p className={classes.note} role="status">
          {t('search.progress.onlyBelow', {
            name: nameText(formatAddress(status), empty),
            start: nameText(status.onlyBelow, empty),
          })}
        </p>
      )}
      {status.takenAt === null ? null : (
        <p className={classes.note}>
          {t('search.fromCatalogue.note', { time: formatDate(status.takenAt) })}{' '}
          <Button variant="subtle" size="compact-xs" onClick={onService}>
            {t('search.fromCatalogue.service')}
          </Button>
        </p>
      )}
      <OmittedEntries foreign={status.foreign} />
      {status.error === null ? null : (
        <ErrorNotice error={status.error} onRetry={onRetry} permission="s3:ListBucket" />
      )}
    </Box>
  );
}

function spoken({ state, matches }: WalkStatus, t: TFunction): string {
  if (state === 'running') return t('search.spoken.running');
  if (state === 'failed') return t('search.spoken.failed');
  return t(`search.spoken.${state}`, { count: matches, number: formatCount(matches) });
}

const stateIcons = {
  done: [CircleCheck, common.good],
  stopped: [CircleStop, common.warn],
  failed: [CircleX, common.bad],
} as const;

function StateIcon({ state }: { readonly state: WalkState }) {
  if (state === 'running') return <Loader size={14} aria-hidden />;
  const [Icon, className] = stateIcons[state];
  return <Icon size={15} aria-hidden className={className} />;
}
