import { Button, NumberInput, Select, Stack, Text } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  restoreTiers,
  type Archive,
  type ObjectProperties,
  type RestoreResult,
  type RestoreTier,
} from '../../../shared/models/properties.ts';
import { rpc } from '../../rpc/client.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { formatCount, formatExactDate } from '../../ui/words/format.ts';
import { RestoreNote } from './cost-notes.tsx';
import type { PropertiesOf } from './use-properties.ts';
import common from '../../ui/common.module.css';
import { useLatestMutation } from '../../ui/use-stable.ts';

/** Maximum number of objects per call. */
const maxAtOnce = 1000;

interface ArchiveTabProps {
  readonly of: PropertiesOf;
  readonly objects: readonly ObjectProperties[];
  readonly onDone: () => void;
}

/** Requests temporary readable copies of archived objects. */
export function ArchiveTab({ of, objects, onDone }: ArchiveTabProps) {
  const { t } = useTranslation();
  const [days, setDays] = useState<number | string>(7);
  const [tier, setTier] = useState<RestoreTier>('Standard');
  const archived = objects.filter(({ archive }) => archive.state !== 'readable');
  const [only] = objects.length === 1 ? objects : [];
  const restore = useLatestMutation({
    mutationFn: async () => {
      const { connectionId, bucket, keys } = of;
      const results: RestoreResult[] = [];
      for (let from = 0; from < keys.length; from += maxAtOnce) {
        const some = keys.slice(from, from + maxAtOnce);
        results.push(
          ...(await rpc.properties.restore({ connectionId, bucket, keys: some, days: Number(days), tier })),
        );
      }
      return results;
    },
    onSuccess: onDone,
  });
  const isFit = Number.isInteger(Number(days)) && Number(days) >= 1;
  return (
    <Stack gap="sm">
      <Text size="sm">
        {only === undefined
          ? t('properties.archive.many', { count: archived.length })
          : archiveText(only.archive, t)}
      </Text>
      {archived.length === 0 ? null : (
        <>
          <NumberInput
            label={t('properties.archive.days')}
            min={1}
            max={30_000}
            allowDecimal={false}
            maw={260}
            value={days}
            onChange={setDays}
          />
          <Select
            label={t('properties.archive.tier')}
            description={t('properties.archive.cost')}
            allowDeselect={false}
            value={tier}
            data={restoreTiers.map((value) => ({ value, label: t(`properties.archive.tiers.${value}`) }))}
            onChange={(value) => setTier(value ?? 'Standard')}
          />
          {isFit ? <RestoreNote of={of} tier={tier} days={Number(days)} /> : null}
          <FailureNotice error={restore.error} />
          {restore.data === undefined ? null : <Results results={restore.data} />}
          <div className={common.footer}>
            <Button disabled={!isFit} loading={restore.isPending} onClick={() => restore.mutate()}>
              {t('properties.archive.apply')}
            </Button>
          </div>
        </>
      )}
    </Stack>
  );
}

function Results({ results }: { readonly results: readonly RestoreResult[] }) {
  const { t } = useTranslation();
  const failed = results.find(({ error }) => error !== null);
  const [only] = results.length === 1 ? results : [];
  const count = (...outcomes: readonly RestoreResult['outcome'][]) =>
    formatCount(results.filter(({ outcome }) => outcomes.includes(outcome)).length);
  return (
    <div role="status">
      <Text size="sm" fw={600}>
        {only === undefined
          ? t('properties.archive.results', {
              started: count('started'),
              already: count('prolonged', 'in-progress', 'not-archived'),
              failed: count('failed'),
            })
          : t(`properties.archive.result.${only.outcome}`)}
      </Text>
      {failed?.error ? <ErrorNotice error={failed.error} permission="s3:RestoreObject" /> : null}
    </div>
  );
}

export function archiveText(archive: Archive, t: TFunction): string {
  if (archive.state !== 'restored') return t(`properties.archive.state.${archive.state}`);
  return archive.until === null
    ? t('properties.archive.state.restoredOpen')
    : t('properties.archive.state.restored', { until: formatExactDate(archive.until) });
}
