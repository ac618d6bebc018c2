import { Button } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Holding, PriceList } from '../../../shared/models/prices.ts';
import { archiveClasses } from '../../../shared/models/storage-classes.ts';
import {
  downloadCost,
  isUnknown,
  monthlyCost,
  smallestSizes,
  stalledCost,
} from '../../../shared/pricing/cost.ts';
import type { Unlisted } from '../../../shared/models/versions.ts';
import { rpc } from '../../rpc/client.ts';
import { usePrices } from '../../rpc/use-prices.ts';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { formatBytes, formatCount, groupText } from '../../ui/words/format.ts';
import { InfoTip } from '../../ui/icon-button.tsx';
import { costText, missingText, originText } from '../../ui/words/money.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { openPriceDialog } from '../prices/index.ts';
import { MapSection } from './map-lists.tsx';
import type { MapPlace, MapSideProps } from './map-services.ts';
import { useLatestResponse } from './use-open-map.ts';
import classes from './map.module.css';

/** Shows the monthly cost of the folder by storage class, and the cost of downloading it. */
export function MapCost({ place, mapId, status, filter }: MapSideProps) {
  const { t } = useTranslation();
  const prices = usePrices(place.connectionId, place.bucket);
  const list = prices?.list ?? null;
  const smallest = useMemo(() => (list === null ? null : smallestSizes(list)), [list]);
  const { folder } = place;
  const isReady = smallest !== null && status !== null && status.revision > 0;
  const counted = useLatestResponse(
    isReady ? JSON.stringify([mapId, folder, filter, smallest, status.revision]) : null,
    () => rpc.map.holdings({ mapId, folder, filter, smallest: smallest ?? [] }),
  );
  if (prices === null) return null;
  const origin = originText(prices, ['storage', 'traffic', 'reads'], t);
  const notes = [t('prices.estimate'), origin, t('prices.folder.hint')];
  return (
    <MapSection title={t('prices.folder.title')}>
      {list === null || counted.answer === null ? null : (
        <Amounts list={list} holdings={counted.answer} notes={notes} />
      )}
      {list === null ? <p className={classes.costNote}>{origin}</p> : null}
      {list === null ? null : (
        <MapUnlisted
          key={JSON.stringify([place.connectionId, place.bucket, folder])}
          place={place}
          list={list}
        />
      )}
      {/* The negative margin aligns the button's text with the lines above. */}
      <Button
        size="compact-xs"
        variant="subtle"
        ml={-8}
        onClick={() => openPriceDialog({ connectionId: place.connectionId })}
      >
        {t(list === null ? 'prices.enter' : 'prices.open')}
      </Button>
    </MapSection>
  );
}

interface AmountsProps {
  readonly list: PriceList;
  readonly holdings: readonly Holding[];
  /** Notes that explain the amounts. */
  readonly notes: readonly string[];
}

function Amounts({ list, holdings, notes }: AmountsProps) {
  const { t } = useTranslation();
  const all = monthlyCost(list, holdings);
  const names = [...new Set(holdings.map(({ storageClass }) => storageClass))];
  const byClass = names
    .map((name) => ({
      name,
      cost: monthlyCost(
        list,
        holdings.filter(({ storageClass }) => storageClass === name),
      ),
    }))
    .toSorted((left, right) => right.cost.amount - left.cost.amount);
  const hasArchived = names.some((name) => archiveClasses.has(name));
  const missing = missingText([all], t);
  return (
    <>
      <p className={joinClasses(common.strong, common.numbers, classes.amount)}>
        {isUnknown(all)
          ? t('prices.unknown')
          : t('prices.month', { amount: costText(all, list.currency, t) })}{' '}
        <InfoTip notes={missing === null ? notes : [...notes, missing]} />
      </p>
      {byClass.length < 2 ? null : (
        <dl className={classes.sums}>
          {byClass.map(({ name, cost }) => (
            <div key={name}>
              <dt>{groupText(name, t)}</dt>
              <dd>{costText(cost, list.currency, t)}</dd>
            </div>
          ))}
        </dl>
      )}
      <p>
        {t('prices.folder.download', { amount: costText(downloadCost(list, holdings), list.currency, t) })}
        {hasArchived ? ` ${t('prices.folder.archived')}` : null}
      </p>
    </>
  );
}

interface UnlistedProps {
  readonly place: MapPlace;
  readonly list: PriceList;
}

/** Counts, on request, bytes that the service bills but no listing shows: versions and uploads. Remounted per folder. */
function MapUnlisted({ place: { connectionId, bucket, folder }, list }: UnlistedProps) {
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
  if (error !== null) return <FailureNotice error={error} />;
  if (counted === null)
    return (
      <p className={classes.costNote}>
        {t('map.unlisted.notCounted')}{' '}
        <Button size="compact-xs" variant="subtle" onClick={count}>
          {t('map.unlisted.count')}
        </Button>
      </p>
    );
  return <UnlistedAmounts counted={counted} list={list} />;
}

function bytesText(sums: readonly { readonly sizeBytes: number }[]): string {
  return formatBytes(sums.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
}

function UnlistedAmounts({ counted, list }: { readonly counted: Unlisted; readonly list: PriceList }) {
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
