import { Skeleton, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { orpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import type { FolderPlace } from '../rows/place.ts';
import type { FolderRow } from '../rows/row.ts';
import { DetailField } from './details-parts.tsx';
import classes from '../page.module.css';

/** Milliseconds before the details are requested. Arrow keys pass over many rows, and only the last row is requested. */
const settleMs = 180;

export function HeadDetails({ place, row }: { readonly place: FolderPlace; readonly row: FolderRow }) {
  const { t } = useTranslation();
  const [key] = useDebouncedValue(row.key, settleMs);
  const { connectionId, bucket } = place;
  const query = useQuery(
    orpc.objects.details.queryOptions({ input: { connectionId, bucket, key }, gcTime: 60_000 }),
  );
  const { data, error, isFetching, refetch } = query;
  if (error !== null && !isFetching)
    return <FailureNotice error={error} onRetry={() => void refetch()} isReading permission="s3:GetObject" />;
  if (data === undefined || key !== row.key)
    return (
      <div role="status" aria-label={t('objects.details.loading')} className={classes.detailsLoading}>
        <Skeleton height={10} width="70%" />
        <Skeleton height={10} width="50%" />
        <Skeleton height={10} width="60%" />
      </div>
    );
  const metadata = Object.entries(data.metadata);
  return (
    <>
      <h3 className={joinClasses(common.quiet, common.strong, classes.detailsSection)}>
        {t('objects.details.head')}
      </h3>
      <dl className={classes.fields}>
        <DetailField name={t('objects.details.fields.contentType')} value={data.contentType} />
        <DetailField name={t('objects.details.fields.version')} value={data.versionId} canCopy isMono />
        <DetailField name={t('objects.details.fields.encryption')} value={data.encryption} />
      </dl>
      <h3 className={joinClasses(common.quiet, common.strong, classes.detailsSection)}>
        {t('objects.details.metadata')}
      </h3>
      {metadata.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('objects.details.noMetadata')}
        </Text>
      ) : (
        <dl className={classes.fields}>
          {metadata.map(([name, value]) => (
            <DetailField
              key={name}
              name={name}
              value={
                data.unreadableMetadata.includes(name) ? t('objects.details.unreadable', { value }) : value
              }
              canCopy
            />
          ))}
        </dl>
      )}
      <details className={classes.headers}>
        <summary>{t('objects.details.headers')}</summary>
        <dl className={classes.fields}>
          {Object.entries(data.headers).map(([name, value]) => (
            <DetailField key={name} name={name} value={value} isMono />
          ))}
        </dl>
      </details>
    </>
  );
}

export function Addresses({ place, objectKey }: { readonly place: FolderPlace; readonly objectKey: string }) {
  const { t } = useTranslation();
  const [key] = useDebouncedValue(objectKey, settleMs);
  const { connectionId, bucket } = place;
  const { data } = useQuery(
    orpc.objects.addresses.queryOptions({ input: { connectionId, bucket, key }, gcTime: 60_000 }),
  );
  if (data === undefined || key !== objectKey) return null;
  return (
    <>
      <h3 className={joinClasses(common.quiet, common.strong, classes.detailsSection)}>
        {t('objects.details.addresses')}
      </h3>
      <dl className={classes.fields}>
        <DetailField name={t('objects.details.s3')} value={data.s3Uri} isKey canCopy />
        <DetailField name={t('objects.details.https')} value={data.httpsUrl} isMono canCopy />
      </dl>
    </>
  );
}

/** Removes the quotes around an ETag, which belong to the header's syntax and not to the hash. */
export function withoutQuotes(etag: string | null): string | null {
  return etag?.replace(/^"(.*)"$/, '$1') ?? null;
}
