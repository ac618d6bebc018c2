import { Button, Checkbox, Loader, Progress, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BucketContents } from '../../../../shared/models/bucket-settings.ts';
import type { Place } from '../../../../shared/models/objects.ts';
import { orpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { Dialog, DialogFooter, Notice } from '../../../ui/dialog/dialog.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { formatBytes, formatCount } from '../../../ui/words/format.ts';
import { closeBucketDialog, type BucketDialogProps } from './bucket-dialog-store.ts';
import { useBucketSize, useRemoval, type Removal } from './use-removal.ts';
import common from '../../../ui/common.module.css';
import { openTransfers } from '../../transfers/index.ts';

/** Asks for confirmation before a bucket is deleted. The user must type the name of a bucket with content. */
export function RemoveBucketDialog({ request }: BucketDialogProps<'remove'>) {
  const { place, onRemoved } = request;
  const { t } = useTranslation();
  const contents = useQuery({
    ...orpc.bucketSettings.contents.queryOptions({ input: place }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const removal = useRemoval(place, onRemoved);
  const isLoading = contents.isFetching;
  return (
    <Dialog onClose={closeBucketDialog} title={t('buckets.remove.title', { name: place.bucket })} size={560}>
      <Stack gap="sm">
        {isLoading ? (
          <div role="status" className={common.quiet}>
            <Loader size="xs" aria-hidden /> {t('buckets.remove.looking')}
          </div>
        ) : contents.data === undefined ? (
          <FailureNotice
            error={contents.error}
            permission="s3:ListBucket"
            onRetry={() => void contents.refetch()}
          />
        ) : removal.step !== 'asking' ? (
          <RemovalProgress
            removal={removal}
            areVersionsListed={canListVersions(contents.data)}
            onAgain={() => void contents.refetch()}
          />
        ) : areListsEmpty(contents.data) ? (
          <EmptyBucket contents={contents.data} removal={removal} />
        ) : (
          <NonEmptyBucket place={place} contents={contents.data} removal={removal} />
        )}
      </Stack>
    </Dialog>
  );
}

/** Returns true if no list has an entry. Lists that the service refuses may still have some. */
function areListsEmpty({ hasObjects, olderVersions, uploads }: BucketContents): boolean {
  return !hasObjects && !mayHaveVersions(olderVersions) && (uploads?.count ?? 0) === 0;
}

function mayHaveVersions(olderVersions: BucketContents['olderVersions']): boolean {
  return olderVersions === 'some' || olderVersions === 'possible';
}

function canListVersions({ olderVersions }: BucketContents): boolean {
  return olderVersions !== 'unknown';
}

interface EmptyProps {
  readonly contents: BucketContents;
  readonly removal: Removal;
}

function EmptyBucket({ contents, removal }: EmptyProps) {
  const { t } = useTranslation();
  const areVersionsListed = canListVersions(contents);
  const isAllListed = areVersionsListed && contents.uploads !== null;
  return (
    <>
      <p>{isAllListed ? t('buckets.remove.empty') : t('buckets.remove.noObjects')}</p>
      {areVersionsListed ? null : <Notice tone="warning">{t('buckets.remove.versionsUnlisted')}</Notice>}
      {contents.uploads === null ? <Notice tone="warning">{t('buckets.remove.uploadsLost')}</Notice> : null}
      <DialogFooter onCancel={closeBucketDialog} startsOnCancel>
        <Button color="red" onClick={() => removal.start({ empty: 'nothing', abortUploads: false })}>
          {t('buckets.remove.submitEmpty')}
        </Button>
      </DialogFooter>
    </>
  );
}

interface NonEmptyProps extends EmptyProps {
  readonly place: Place;
}

function NonEmptyBucket({ place, contents, removal }: NonEmptyProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [abortUploads, setAbortUploads] = useState(false);
  const uploads = contents.uploads?.count ?? 0;
  const shownUploads =
    contents.uploads?.more === true
      ? t('buckets.remove.uploadsMore', { count: uploads })
      : formatCount(uploads);
  const areVersionsListed = canListVersions(contents);
  const hasKeys = contents.hasObjects || mayHaveVersions(contents.olderVersions);
  // Some services delete unfinished uploads together with the bucket, so the user must confirm this.
  const isReady = typed === place.bucket && (uploads === 0 || abortUploads);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // Versions that the service does not list cannot be deleted.
        const all = areVersionsListed ? 'all-versions' : 'markers';
        if (isReady) removal.start({ empty: hasKeys ? all : 'nothing', abortUploads });
      }}
    >
      <Stack gap="sm">
        <Notice tone="danger">
          {areVersionsListed ? t('buckets.remove.hasContent') : t('buckets.remove.hasSomeContent')}
        </Notice>
        {areVersionsListed ? null : (
          <Notice tone="warning">
            {contents.hasObjects ? t('buckets.remove.objectsMayStay') : t('buckets.remove.versionsUnlisted')}
          </Notice>
        )}
        <dl className={common.facts}>
          <dt>{t('buckets.remove.objects')}</dt>
          <dd>{contents.hasObjects ? <Size place={place} /> : formatCount(0)}</dd>
          <dt>{t('buckets.remove.versions')}</dt>
          <dd>{t(`buckets.remove.olderVersions.${contents.olderVersions}`)}</dd>
          <dt>{t('buckets.remove.uploads')}</dt>
          <dd>{contents.uploads === null ? t('buckets.remove.uploadsUnknown') : shownUploads}</dd>
        </dl>
        {contents.uploads === null ? <Notice tone="warning">{t('buckets.remove.uploadsLost')}</Notice> : null}
        {uploads === 0 ? null : (
          <Checkbox
            label={t('buckets.remove.abort', { count: uploads, shown: shownUploads })}
            description={t('buckets.remove.abortHint')}
            checked={abortUploads}
            onChange={(event) => setAbortUploads(event.currentTarget.checked)}
          />
        )}
        <TextInput
          label={t('buckets.remove.type')}
          placeholder={place.bucket}
          value={typed}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <DialogFooter onCancel={closeBucketDialog} startsOnCancel>
          <Button type="submit" color="red" disabled={!isReady}>
            {areVersionsListed
              ? t('buckets.remove.submit')
              : contents.hasObjects
                ? t('buckets.remove.submitObjects')
                : t('buckets.remove.submitEmpty')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}

/** Shows the size of the bucket's content, counted by a listing of all keys that the user can stop. */
function Size({ place }: { readonly place: Place }) {
  const { t } = useTranslation();
  const { status, hasFailed, stop } = useBucketSize(place);
  if (hasFailed) return <>{t('buckets.remove.countFailed')}</>;
  if (status === null) return <>{t('buckets.remove.counting')}</>;
  const numbers = { shown: formatCount(status.keys), size: formatBytes(status.sizeBytes) };
  if (status.state === 'done') return <>{t('buckets.remove.objectsAll', numbers)}</>;
  return (
    <>
      {t('buckets.remove.objectsSoFar', numbers)}{' '}
      {status.state === 'running' ? (
        <Button variant="subtle" size="compact-xs" onClick={stop}>
          {t('buckets.remove.stopCounting')}
        </Button>
      ) : null}
    </>
  );
}

interface GoingProps {
  readonly removal: Removal;
  readonly areVersionsListed: boolean;
  readonly onAgain: () => void;
}

/** Shows the progress of the removal, or the reason why it failed. */
function RemovalProgress({ removal, areVersionsListed, onAgain }: GoingProps) {
  const { t } = useTranslation();
  const { step, job, error, refusedUploads } = removal;
  const jobId = job?.id ?? removal.jobId;
  const words = {
    aborting: t('buckets.remove.aborting'),
    emptying: areVersionsListed ? t('buckets.remove.emptying') : t('buckets.remove.emptyingObjects'),
    removing: t('buckets.remove.removing'),
  } as const;
  const items = job?.items;
  return (
    <>
      <div role="status">
        {step === 'aborting' || step === 'emptying' || step === 'removing' ? <p>{words[step]}</p> : null}
      </div>
      {step === 'emptying' ? (
        <>
          <Progress
            value={items === undefined || items.total === 0 ? 100 : (100 * items.done) / items.total}
            animated
            aria-label={words.emptying}
          />
          {items === undefined ? null : (
            <p className={common.quiet}>
              {t('buckets.remove.emptyingProgress', {
                done: formatCount(items.done),
                total: formatCount(items.total),
              })}
            </p>
          )}
          <Notice tone="quiet">
            {areVersionsListed ? t('buckets.remove.closing') : t('buckets.remove.closingObjects')}
          </Notice>
        </>
      ) : null}
      {step === 'stopped' ? <Notice tone="warning">{t('buckets.remove.stopped')}</Notice> : null}
      {refusedUploads > 0 ? (
        <Notice tone="warning">{t('buckets.remove.refusedUploads', { count: refusedUploads })}</Notice>
      ) : null}
      {step !== 'failed' || error === null ? null : error.reason === 'bucket-not-empty' ? (
        <Notice tone="warning">
          {areVersionsListed ? t('buckets.remove.notEmpty') : t('buckets.remove.versionsLeft')}
        </Notice>
      ) : (
        <ErrorNotice error={error} permission="s3:DeleteBucket" />
      )}
      <div className={common.footer}>
        {jobId === null ? null : (
          <Button
            variant="default"
            onClick={() => {
              closeBucketDialog();
              openTransfers(jobId);
            }}
          >
            {t('buckets.remove.showTransfers')}
          </Button>
        )}
        {step === 'stopped' || step === 'failed' ? (
          <Button
            onClick={() => {
              removal.reset();
              onAgain();
            }}
          >
            {t('buckets.remove.again')}
          </Button>
        ) : null}
        <Button variant="default" onClick={closeBucketDialog}>
          {t('common.close')}
        </Button>
      </div>
    </>
  );
}
