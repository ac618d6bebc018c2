import { Button, Progress, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CircleHelp, CloudUpload, FilterX } from 'lucide-react';
import type { ScanEvent } from '../../../../shared/models/stalled.ts';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { formatCount } from '../../../ui/words/format.ts';
import { OmittedEntries } from '../../../ui/cells/left-out.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import classes from '../stalled-list.module.css';
import type { ReadRest, Scan } from './use-scan.ts';

/** Shows the progress of the search for stalled uploads, and the buckets that it could not read. */
export function ScanNotes({ scan }: { readonly scan: Scan }) {
  return (
    <>
      <ScanProgress scan={scan} />
      <OmittedEntries unreadable={scan.event?.unreadable ?? []} foreign={scan.event?.foreign} />
      {scan.event === null || scan.event.errors.length === 0 ? null : (
        <BucketErrors errors={scan.event.errors} />
      )}
      {scan.status === 'failed' && scan.error !== null && scan.event !== null ? (
        <ErrorNotice
          error={scan.error}
          onRetry={scan.restart}
          isReading
          permission="s3:ListBucketMultipartUploads"
        />
      ) : null}
    </>
  );
}

function ScanProgress({ scan }: { readonly scan: Scan }) {
  const { t } = useTranslation();
  const { event } = scan;
  if (scan.status === 'stopped')
    return (
      <div className={joinClasses(common.callout, classes.note)}>
        <span>{t('stalled.scan.stopped')}</span>
        <Button variant="default" onClick={scan.restart}>
          {t('stalled.scan.goOn')}
        </Button>
      </div>
    );
  if (scan.status !== 'running') return null;
  const several = event !== null && event.bucketsTotal > 1;
  return (
    <div className={joinClasses(common.callout, classes.note)}>
      <span role="status">
        {event === null
          ? t('stalled.scan.starting')
          : t(several ? 'stalled.scan.running' : 'stalled.scan.runningOne', {
              found: formatCount(event.found),
              done: formatCount(event.bucketsDone),
              total: formatCount(event.bucketsTotal),
            })}
      </span>
      {several ? (
        <Progress
          flex="1 1 120px"
          maw={200}
          value={(event.bucketsDone / event.bucketsTotal) * 100}
          aria-label={t('stalled.scan.starting')}
        />
      ) : null}
      <Button variant="default" onClick={scan.stop}>
        {t('stalled.scan.stop')}
      </Button>
    </div>
  );
}

type BucketError = ScanEvent['errors'][number];

function BucketErrors({ errors }: { readonly errors: readonly BucketError[] }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(errors.length === 1);
  return (
    <>
      {errors.length === 1 ? null : (
        <div className={joinClasses(common.callout, classes.note)}>
          <span role="alert">
            {t('stalled.scan.bucketFailed', { count: errors.filter(({ bucket }) => bucket !== null).length })}
          </span>
          <Button variant="default" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t(open ? 'stalled.scan.hideErrors' : 'stalled.scan.showErrors')}
          </Button>
        </div>
      )}
      {open ? (
        <Stack className={common.scroll} gap={6} mah={220}>
          {errors.map(({ bucket, error }) => (
            <div key={bucket ?? ''}>
              <strong>
                {bucket === null ? t('stalled.scan.ofConnection') : t('stalled.scan.inBucket', { bucket })}
              </strong>
              <ErrorNotice
                error={error}
                permission={bucket === null ? 's3:ListAllMyBuckets' : 's3:ListBucketMultipartUploads'}
              />
            </div>
          ))}
        </Stack>
      ) : null}
    </>
  );
}

interface ReadRestNoteProps {
  readonly readRest: ReadRest;
  readonly unread: number;
  readonly why: 'sort' | 'filter' | null;
}

/** Says that sorting or filtering by parts needs the parts of all uploads, and offers to read them. */
export function ReadRestNote({ readRest, unread, why }: ReadRestNoteProps) {
  const { t } = useTranslation();
  const { progress, error } = readRest;
  if (progress !== null)
    return (
      <div className={joinClasses(common.callout, classes.note)}>
        <span role="status">
          {t('stalled.readRest.running', {
            read: formatCount(progress.read),
            total: formatCount(progress.total),
          })}
          {progress.failed > 0 ? ` (${t('stalled.readRest.failed', { count: progress.failed })})` : null}
        </span>
        <Progress
          flex="1 1 120px"
          maw={200}
          value={progress.total === 0 ? 0 : (progress.read / progress.total) * 100}
          aria-label={t('stalled.readRest.read')}
        />
        <Button variant="default" onClick={readRest.stop}>
          {t('stalled.readRest.stop')}
        </Button>
      </div>
    );
  if (error !== null) return <ErrorNotice error={error} onRetry={readRest.start} />;
  if (why === null || unread === 0) return null;
  return (
    <div className={joinClasses(common.callout, classes.note)}>
      <span>
        {t(why === 'sort' ? 'stalled.readRest.offer' : 'stalled.readRest.offerFilter', { count: unread })}
      </span>
      <Button variant="default" onClick={readRest.start}>
        {t('stalled.readRest.read')}
      </Button>
    </div>
  );
}

/** Returns true if no bucket could be searched. An empty list then does not mean that there are no uploads. */
export function areAllBucketsUnread({ event }: Scan): boolean {
  if (event === null || event.found > 0 || event.errors.length === 0) return false;
  return event.errors.filter(({ bucket }) => bucket !== null).length >= event.bucketsTotal;
}

interface NothingProps {
  readonly scan: Scan;
  readonly filtered: boolean;
  readonly onClear: () => void;
  readonly onTyped: () => void;
}

/** Replaces an empty list. Says whether the search runs, failed, was denied, found no uploads, or is filtered. */
export function NoUploads({ scan, filtered, onClear, onTyped }: NothingProps) {
  const { t } = useTranslation();
  const errors = scan.event?.errors ?? [];
  if (scan.status === 'failed' && scan.error !== null)
    return scan.event === null ? (
      <ErrorNotice
        variant="page"
        error={scan.error}
        onRetry={scan.restart}
        isReading
        permission="s3:ListBucketMultipartUploads"
      />
    ) : null;
  if (filtered)
    return (
      <EmptyState
        icon={<FilterX size={28} />}
        title={t('stalled.noneFits.title')}
        body={t('stalled.noneFits.body')}
        actions={<Button onClick={onClear}>{t('stalled.noneFits.clear')}</Button>}
      />
    );
  if (scan.status === 'running' || scan.status === 'stopped') return null;
  const isUnread = areAllBucketsUnread(scan);
  const body = errors.length > 0 ? 'stalled.empty.bodyPartly' : 'stalled.empty.body';
  return (
    <EmptyState
      icon={isUnread ? <CircleHelp size={28} /> : <CloudUpload size={28} />}
      title={t(isUnread ? 'stalled.empty.notSearched.title' : 'stalled.empty.title')}
      body={
        <>
          <p>{t(isUnread ? 'stalled.empty.notSearched.body' : body)}</p>
          <p>{t('stalled.empty.typed')}</p>
        </>
      }
      actions={
        <>
          {isUnread ? <Button onClick={scan.restart}>{t('stalled.scan.goOn')}</Button> : null}
          <Button variant="default" onClick={onTyped}>
            {t('stalled.toolbar.typed')}
          </Button>
        </>
      }
    />
  );
}
