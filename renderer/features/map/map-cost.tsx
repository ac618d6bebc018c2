import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionPrices, Holding, PriceList } from '../../../shared/models/prices.ts';
import { archiveClasses } from '../../../shared/models/storage-classes.ts';
import { downloadCost, isUnknown, monthlyCost, smallestSizes } from '../../../shared/pricing/cost.ts';
import { rpc } from '../../rpc/client.ts';
import { usePrices } from '../../rpc/use-prices.ts';
import { groupText } from '../../ui/words/group-text.ts';
import { InfoTip } from '../../ui/words/info-tip.tsx';
import { costText, missingText, originText } from '../../ui/words/money.ts';
import { openPriceDialog } from '../prices/index.ts';
import { MapUnlisted } from './map-unlisted.tsx';
import type { MapSideProps } from './map-services.ts';
import { useLatestResponse } from './use-following.ts';
import classes from './map.module.css';

/** Shows the monthly cost of the folder by storage class, and the cost of downloading it. */
export function MapCost({ place, mapId, status, filter }: MapSideProps) {
  const { t } = useTranslation();
  const prices = usePrices(place.connectionId, place.bucket);
  const list = prices?.list ?? null;
  const smallest = useMemo(() => (list === null ? null : smallestSizes(list)), [list]);
  const { folder } = place;
  const isAsked = smallest !== null && status !== null && status.revision > 0;
  const counted = useLatestResponse(
    isAsked ? JSON.stringify([mapId, folder, filter, smallest, status.revision]) : null,
    () => rpc.map.holdings({ mapId, folder, filter, smallest: smallest ?? [] }),
  );
  if (prices === null) return null;
  const origin = originText(prices, ['storage', 'traffic', 'reads'], t);
  const notes = [t('prices.estimate'), origin, t('prices.folder.hint')];
  return (
    <section aria-label={t('prices.folder.title')}>
      <h2 className={classes.heading}>{t('prices.folder.title')}</h2>
      {list === null || counted.answer === null ? null : (
        <Amounts list={list} holdings={counted.answer} notes={notes} />
      )}
      {list === null ? <p className={classes.costNote}>{origin}</p> : null}
      {list === null ? null : (
        <MapUnlisted
          key={JSON.stringify([place.connectionId, place.bucket, folder])}
          connectionId={place.connectionId}
          bucket={place.bucket}
          folder={folder}
          list={list}
        />
      )}
      <PricesButton prices={prices} onClick={() => openPriceDialog({ connectionId: place.connectionId })} />
    </section>
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
      <p className={classes.amount}>
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

interface PricesButtonProps {
  readonly prices: ConnectionPrices;
  readonly onClick: () => void;
}

function PricesButton({ prices, onClick }: PricesButtonProps) {
  const { t } = useTranslation();
  return (
    // The negative margin aligns the button's text with the lines above.
    <Button size="compact-xs" variant="subtle" ml={-8} onClick={onClick}>
      {t(prices.list === null ? 'prices.enter' : 'prices.open')}
    </Button>
  );
}
