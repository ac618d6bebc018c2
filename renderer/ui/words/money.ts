import type { TFunction } from 'i18next';
import type { ConnectionPrices } from '../../../shared/models/prices.ts';
import { isUnknown, type Cost } from '../../../shared/pricing/cost.ts';
import { localeOf } from './format.ts';

/** Below this an amount is written as "less than". */
const smallest = 0.001;

/** An amount for reading: `$1,234.56`, `$0.012`. Prices of storage are small, so what is below one has two digits that count. */
export function formatMoney(amount: number, currency: string, locale?: string): string {
  const used = localeOf(locale);
  if (amount > 0 && amount < smallest) return `< ${formatMoney(smallest, currency, locale)}`;
  const isSmall = amount > 0 && amount < 1;
  return new Intl.NumberFormat(used, {
    style: 'currency',
    currency,
    ...(isSmall
      ? { minimumFractionDigits: 2, maximumFractionDigits: Math.ceil(-Math.log10(amount)) + 1 }
      : {}),
  }).format(amount);
}

/** `about $1.20`, `at least $1.20` where prices are missing, `no price known` where all are. */
export function costText(cost: Cost, currency: string, t: TFunction): string {
  if (isUnknown(cost)) return t('prices.unknown');
  const amount = formatMoney(cost.amount, currency);
  if (cost.missing.length > 0) return t('prices.atLeast', { amount });
  return cost.amount < smallest ? amount : t('prices.about', { amount });
}

/** Whose prices an amount was counted with. */
export function originText({ origin, list }: ConnectionPrices, t: TFunction): string {
  return t(`prices.origins.${origin}`, { name: list?.name ?? '' });
}

/** Which prices an amount lacks; null: none. */
export function missingText(costs: readonly Cost[], t: TFunction): string | null {
  const names = new Set(
    costs.flatMap(({ missing }) =>
      missing.map(({ storageClass, figure }) =>
        figure === 'class'
          ? storageClass
          : [storageClass, t(`prices.figures.${figure}`)].filter((one) => one !== '').join(': '),
      ),
    ),
  );
  return names.size === 0 ? null : t('prices.missing.some', { list: [...names].join('; ') });
}
