import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PriceList } from '../../../shared/models/prices.ts';
import type { Unlisted } from '../../../shared/models/versions.ts';
import { monthlyCost, smallestSizes, stalledCost } from '../../../shared/pricing/cost.ts';
import { rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { formatBytes, formatCount } from '../../ui/words/format.ts';
import { costText } from '../../ui/words/money.ts';
import classes from './map.module.css';

interface Props {
  readonly connectionId: string;
  readonly bucket: string;
  readonly folder: string;
  readonly list: PriceList;
}

/** Counts, on request, bytes that the service bills but no listing shows: versions and uploads. Remounted per folder. */
export function MapUnlisted({ connectionId, bucket, folder, list }: Props) {
  const { t } = useTranslation();
  const [counted, setCounted] = useState<Unlisted | null>(null);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const count = (): void => {
    const stopping = new AbortController();
    running.current = stopping;
    setError(null);
    void (async () => {
      try {
        const request = { connectionId, bucket, prefix: folder, smallest: smallestSizes(list) };
        for await (const now of await rpc.versions.unlisted(request, { signal: stopping.signal }))
          setCounted(now);
      } catch (thrown) {
        if (!stopping.signal.aborted) setError(thrown);
      }
    })();
  };
  if (error !== null) return <ErrorNotice error={appErrorOf(error)} />;
  if (counted === null)
    return (
      <p className={classes.costNote}>
        {t('map.unlisted.notCounted')}{' '}
        <Button size="compact-xs" variant="subtle" onClick={count}>
          {t('map.unlisted.count')}
        </Button>
      </p>
    );
  return <Amounts counted={counted} list={list} />;
}

function bytesText(sums: readonly { readonly sizeBytes: number }[]): string {
  return formatBytes(sums.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
}

function Amounts({ counted, list }: { readonly counted: Unlisted; readonly list: PriceList }) {
  const { t } = useTranslation();
  const { refused, isComplete, olderVersions, uploads, requests } = counted;
  const parts = counted.parts.map((sum) => ({ ...sum, byteDays: 0 }));
  const money = (cost: Parameters<typeof costText>[0]): string =>
    t('prices.month', { amount: costText(cost, list.currency, t) });
  return (
    <>
      <dl className={classes.sums} aria-live="polite">
        <div>
          <dt>
            {t('map.unlisted.versions', {
              count: olderVersions,
              number: formatCount(olderVersions),
              size: bytesText(counted.versions),
            })}
          </dt>
          <dd>
            {refused.versions === null ? money(monthlyCost(list, counted.versions)) : t('common.unknown')}
          </dd>
        </div>
        <div>
          <dt>
            {t('map.unlisted.uploads', {
              count: uploads,
              number: formatCount(uploads),
              size: bytesText(counted.parts),
            })}
          </dt>
          <dd>{refused.uploads === null ? money(stalledCost(list, parts).monthly) : t('common.unknown')}</dd>
        </div>
      </dl>
      <p className={classes.costNote}>
        {t(isComplete ? 'map.unlisted.done' : 'map.unlisted.counting', {
          count: requests,
          number: formatCount(requests),
        })}
      </p>
      {[refused.versions, refused.uploads].map((error, at) =>
        error === null ? null : <ErrorNotice key={at === 0 ? 'versions' : 'uploads'} error={error} />,
      )}
    </>
  );
}
