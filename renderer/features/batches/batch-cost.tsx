import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { PriceList } from '../../../shared/models/prices.ts';
import { batchCost, isUnknown } from '../../../shared/pricing/cost.ts';
import { usePrices } from '../../rpc/use-prices.ts';
import { costText, formatMoney, originText } from '../../ui/words/money.ts';
import classes from './batches.module.css';

interface Props {
  readonly connectionId: string;
  /** null: folders are selected, and their objects have not been counted. */
  readonly count: number | null;
  readonly onPrices: () => void;
}

/** Shows what AWS bills for the job itself, before it is created. */
export function BatchCost({ connectionId, count, onPrices }: Props) {
  const { t } = useTranslation();
  const prices = usePrices(connectionId);
  if (prices === null) return null;
  const { list } = prices;
  const price = list === null ? null : priceText(list, count, t);
  return (
    <p className={classes.quiet}>
      {price === null ? t('batches.cost.unknown') : `${price} ${t('batches.cost.besides')}`}{' '}
      {price === null ? null : `${t('prices.estimate')} ${originText(prices, [], t)} `}
      <Button size="compact-xs" variant="subtle" onClick={onPrices}>
        {t('batches.cost.prices')}
      </Button>
    </p>
  );
}

function priceText(list: PriceList, count: number | null, t: TFunction): string | null {
  const { batchPerJob, batchPerMillion } = list.account ?? {};
  const cost = batchCost(list, count ?? 0);
  if (isUnknown(cost) || batchPerJob === undefined || batchPerMillion === undefined) return null;
  if (count !== null) return t('batches.cost.known', { amount: costText(cost, list.currency, t) });
  return t('batches.cost.rates', {
    job: formatMoney(batchPerJob.value, list.currency),
    million: formatMoney(batchPerMillion.value, list.currency),
  });
}
