import { Button, Loader } from '@mantine/core';
import { RotateCw, Square } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { WalkStatus } from '../../../shared/models/walks.ts';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { formatBytes, formatCount, formatDate, formatExactBytes } from '../../ui/words/format.ts';
import { OmittedEntries } from '../../ui/cells/left-out.tsx';
import { StorageClass } from '../../ui/cells/storage-class.tsx';
import classes from './size.module.css';

interface Props {
  readonly status: WalkStatus;
  readonly onStop: () => void;
  readonly onAgain: () => void;
}

/** Shows the size of a folder, and whether it is final. */
export function SizeFacts({ status, onStop, onAgain }: Props) {
  const { t } = useTranslation();
  const { state, keys, sizeBytes, requests } = status;
  const isRunning = state === 'running';
  const counted = { count: keys, number: formatCount(keys) };
  return (
    <div className={classes.facts}>
      <p className={classes.sum} title={formatExactBytes(sizeBytes)}>
        {isRunning ? <Loader size={14} aria-hidden /> : null}
        <strong>{formatBytes(sizeBytes)}</strong>
        <span>{t(state === 'done' ? 'search.sizeOf.keys' : 'search.sizeOf.keysSoFar', counted)}</span>
      </p>
      <p className={joinClasses(common.hint, common.numbers, classes.quiet)}>
        {state === 'done'
          ? t('search.sizeOf.done', { time: formatDate(status.startedAt) })
          : t(`search.sizeOf.${state}`)}{' '}
        {t('search.progress.requests', { count: requests, number: formatCount(requests) })}
        {isRunning
          ? ` · ${t('search.progress.pieces', { count: status.pieces, number: formatCount(status.pieces) })}`
          : null}
      </p>
      <span role="status" className="visually-hidden">
        {isRunning
          ? t('search.sizeOf.spokenRunning')
          : state === 'done'
            ? t('search.sizeOf.spokenDone', { size: formatBytes(sizeBytes) })
            : t(`search.sizeOf.${state}`)}
      </span>
      <OmittedEntries foreign={status.foreign} />
      {status.error === null ? null : <ErrorNotice error={status.error} permission="s3:ListBucket" />}
      {isRunning ? (
        <Button variant="default" leftSection={<Square size={12} aria-hidden />} onClick={onStop}>
          {t('search.stop')}
        </Button>
      ) : (
        <Button variant="default" leftSection={<RotateCw size={14} aria-hidden />} onClick={onAgain}>
          {t('search.sizeOf.again')}
        </Button>
      )}
    </div>
  );
}

/** The size in each storage class. */
export function SizeByClass({ status }: { readonly status: WalkStatus }) {
  const { t } = useTranslation();
  const classesOf = status.byStorageClass.toSorted((a, b) => b.sizeBytes - a.sizeBytes);
  if (classesOf.length === 0) return null;
  return (
    <dl className={classes.byClass}>
      {classesOf.map(({ storageClass, keys, sizeBytes }) => (
        <div key={storageClass}>
          <dt>
            <StorageClass name={storageClass} />
          </dt>
          <dd>
            {formatBytes(sizeBytes)}
            <span className={joinClasses(common.hint, common.numbers, classes.quiet)}>
              {' '}
              {t('search.sizeOf.keys', { count: keys, number: formatCount(keys) })}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
