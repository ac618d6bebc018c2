import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { InventoryConfiguration } from '../../../../shared/models/bucket-forms.ts';
import type { ObjectRef, Place } from '../../../../shared/models/objects.ts';
import { orpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import { formatDate } from '../../../ui/words/format.ts';
import common from '../../../ui/common.module.css';
import classes from '../parts/buckets.module.css';

interface Props {
  readonly place: Place;
  readonly configurations: readonly InventoryConfiguration[];
  readonly onOpen: (report: ObjectRef) => void;
}

const shownReports = 7;

/** Lists the reports delivered so far for each configuration. Each report opens as a map. */
export function InventoryReports({ place, configurations, onOpen }: Props) {
  const { t } = useTranslation();
  const readable = configurations.filter(({ destinationBucket }) => destinationBucket !== '');
  if (readable.length === 0) return null;
  return (
    <section
      className={joinClasses(common.column, common.framed, classes.rule)}
      aria-label={t('buckets.inventory.reports')}
    >
      <strong>{t('buckets.inventory.reports')}</strong>
      {readable.map((configuration) => (
        <ReportsOf key={configuration.id} place={place} configuration={configuration} onOpen={onOpen} />
      ))}
    </section>
  );
}

interface ConfigurationProps {
  readonly place: Place;
  readonly configuration: InventoryConfiguration;
  readonly onOpen: (report: ObjectRef) => void;
}

function ReportsOf({ place, configuration, onOpen }: ConfigurationProps) {
  const { t } = useTranslation();
  const [isRequested, setRequested] = useState(false);
  const { connectionId, bucket: sourceBucket } = place;
  const { id, destinationPrefix } = configuration;
  // The bucket may be an ARN, here also in a partition other than `aws`.
  const bucket = configuration.destinationBucket.replace(/^arn:[^:]*:s3:::/, '');
  const found = useQuery({
    ...orpc.inventory.reports.queryOptions({
      input: { connectionId, bucket, prefix: destinationPrefix, sourceBucket, configurationId: id },
    }),
    enabled: isRequested,
    retry: false,
    gcTime: 0,
  });
  return (
    <div>
      <div className={joinClasses(common.row, classes.ruleHead)}>
        <span>{t('buckets.inventory.deliveredTo', { id, bucket, prefix: destinationPrefix })}</span>
        {isRequested && found.data !== undefined ? null : (
          <Button
            variant="default"
            size="xs"
            loading={found.isFetching}
            onClick={() => {
              if (isRequested) void found.refetch();
              setRequested(true);
            }}
            aria-label={t('buckets.inventory.findOf', { id })}
          >
            {t('buckets.inventory.find')}
          </Button>
        )}
      </div>
      <FailureNotice error={found.error} isReading permission="s3:ListBucket" />
      {found.data?.length === 0 ? <p className={common.quiet}>{t('buckets.inventory.noReports')}</p> : null}
      {(found.data ?? []).slice(0, shownReports).map(({ key, takenAt }) => (
        <Button key={key} variant="subtle" size="xs" onClick={() => onOpen({ connectionId, bucket, key })}>
          {t('buckets.inventory.openReport', { time: formatDate(takenAt) })}
        </Button>
      ))}
    </div>
  );
}
