import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { folderOf } from '../../../../shared/keys/paths.ts';
import type { Job } from '../../../../shared/models/jobs.ts';
import { joinClasses } from '../../../ui/class-names.ts';
import { CopyButton } from '../../../ui/clipboard/copy-button.tsx';
import { formatCount } from '../../../ui/words/format.ts';
import { batchOperationText, reportFolderOf } from './job-words.ts';
import { useGo } from '../../go/index.ts';
import common from '../../../ui/common.module.css';
import classes from './jobs-panel.module.css';

/** Facts about a job that AWS runs: its operation, its id on AWS, and the locations of its manifest and report. */
export function BatchFactsList({ job }: { readonly job: Job }) {
  const { t } = useTranslation();
  const { openFolder } = useGo();
  const { batch, connectionId } = job;
  if (batch === undefined) return null;
  const { manifest, report, serviceId, seen } = batch;
  const prefix = reportFolderOf(batch);
  const isOver = seen?.status === 'Complete' || seen?.status === 'Failed' || seen?.status === 'Cancelled';
  const showButton = (place: 'manifestPlace' | 'reportPlace', bucket: string, folder: string) => (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`${t('jobs.batch.show')}: ${t(`jobs.batch.${place}`)}`}
      onClick={() => openFolder({ connectionId, bucket, folder })}
    >
      {t('jobs.batch.show')}
    </Button>
  );
  return (
    <dl className={joinClasses(common.facts, classes.batch)} aria-label={t('jobs.batch.label')}>
      <dt>{t('jobs.batch.operation')}</dt>
      <dd>{batchOperationText(batch.operation, t)}</dd>
      <dt>{t('jobs.batch.objects')}</dt>
      <dd>{formatCount(batch.objects)}</dd>
      <dt>{t('jobs.batch.serviceId')}</dt>
      <dd>
        {serviceId === null ? (
          t('jobs.batch.noServiceId')
        ) : (
          <>
            <code>{serviceId}</code> <CopyButton value={serviceId} label={t('jobs.batch.serviceId')} />
          </>
        )}
      </dd>
      <dt>{t('jobs.batch.account')}</dt>
      <dd>
        {batch.accountId}, {batch.region}
      </dd>
      <dt>{t('jobs.batch.manifestPlace')}</dt>
      <dd>
        {`${manifest.bucket}/${manifest.key}`}{' '}
        {showButton('manifestPlace', manifest.bucket, folderOf(manifest.key))}
      </dd>
      <dt>{t('jobs.batch.reportPlace')}</dt>
      <dd>
        {`${report.bucket}/${prefix}`}{' '}
        {isOver ? (
          showButton('reportPlace', report.bucket, prefix)
        ) : (
          <span className={common.quiet}>{t('jobs.batch.reportLater')}</span>
        )}
      </dd>
      {seen === null || seen.reason === null ? null : (
        <>
          <dt>{t('jobs.batch.reason')}</dt>
          <dd>{seen.reason}</dd>
        </>
      )}
      {seen === null || seen.failures.length === 0 ? null : (
        <>
          <dt>{t('jobs.batch.failures')}</dt>
          <dd>
            {seen.failures.map(({ code, reason }) => (
              <p key={`${code} ${reason}`}>
                <code>{code}</code> {reason}
              </p>
            ))}
          </dd>
        </>
      )}
    </dl>
  );
}
