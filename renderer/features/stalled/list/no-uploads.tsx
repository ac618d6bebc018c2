import { Button } from '@mantine/core';
import { CircleHelp, CloudUpload, FilterX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import type { Scan } from './use-scan.ts';

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
  if (areAllBucketsUnread(scan))
    return (
      <EmptyState
        icon={<CircleHelp size={28} />}
        title={t('stalled.empty.notSearched.title')}
        body={
          <>
            <p>{t('stalled.empty.notSearched.body')}</p>
            <p>{t('stalled.empty.typed')}</p>
          </>
        }
        actions={
          <>
            <Button onClick={scan.restart}>{t('stalled.scan.goOn')}</Button>
            <Button variant="default" onClick={onTyped}>
              {t('stalled.toolbar.typed')}
            </Button>
          </>
        }
      />
    );
  return (
    <EmptyState
      icon={<CloudUpload size={28} />}
      title={t('stalled.empty.title')}
      body={
        <>
          <p>{t(errors.length > 0 ? 'stalled.empty.bodyPartly' : 'stalled.empty.body')}</p>
          <p>{t('stalled.empty.typed')}</p>
        </>
      }
      actions={
        <Button variant="default" onClick={onTyped}>
          {t('stalled.toolbar.typed')}
        </Button>
      }
    />
  );
}
