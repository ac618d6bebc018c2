import { groupText, formatCount, localeOf } from './format.ts';
import type { TFunction } from 'i18next';
import type { ConnectionPrices, PriceList } from '../../../shared/models/prices.ts';
import { isUnknown, type Cost } from '../../../shared/pricing/cost.ts';

/** Amount below which a text says "less than". */
const smallest = 0.001;

/**
 * Formats an amount, such as `$1,234.56` or `$0.012`. Prices for storage are small, so amounts below 1 have two significant
 * digits.
 */
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

/**
 * Returns `about $1.20`, `less than $0.001`, `at least $1.20` if some prices are missing, or `no price known` if all are missing.
 */
export function costText(cost: Cost, currency: string, t: TFunction): string {
  if (isUnknown(cost)) return t('prices.unknown');
  const amount = formatMoney(cost.amount, currency);
  if (cost.missing.length > 0) return t('prices.atLeast', { amount });
  return cost.amount === 0 || isTiny(cost.amount)
    ? moneyText(cost.amount, currency, t)
    : t('prices.about', { amount });
}

/** Returns `$1.20` or `less than $0.001`, for use in sentences. */
export function moneyText(amount: number, currency: string, t: TFunction): string {
  return amount > 0 && isTiny(amount)
    ? t('prices.lessThan', { amount: formatMoney(smallest, currency) })
    : formatMoney(amount, currency);
}

/** Returns true if the amount is too small to be shown as a figure. */
export function isTiny(amount: number): boolean {
  return Math.abs(amount) < smallest;
}

/** The kinds of usage that an amount covers. An account may include some usage each month. */
export type Counted = 'storage' | 'traffic' | 'writes' | 'reads';

/** Returns the source of the prices used for an amount, and what the amount leaves out. */
export function originText(
  { origin, list }: ConnectionPrices,
  counted: readonly Counted[],
  t: TFunction,
): string {
  const origins = t(`prices.origins.${origin}`, { name: list?.name ?? '' });
  const included = list === null ? null : includedText(list, counted, t);
  const unchecked = list !== null && hasUnchecked(list) ? t('prices.unchecked') : null;
  return [origins, included, unchecked].filter((text) => text !== null).join(' ');
}

function hasUnchecked({ trafficPerGb, account = {}, classes }: PriceList): boolean {
  const figures = [
    trafficPerGb,
    ...Object.values(account),
    ...classes.flatMap((storageClass) => Object.values(storageClass.figures)),
  ];
  return figures.some((figure) => figure?.isUnchecked === true);
}

/**
 * Returns the monthly allowances for the whole account, which amounts do not subtract. Null if no allowance applies to the
 * counted usage.
 */
export function includedText(
  { account = {}, currency, unit }: PriceList,
  counted: readonly Counted[],
  t: TFunction,
): string | null {
  const { monthlyFee } = account;
  const figures = {
    storage: account.includedStorageGb,
    traffic: account.includedTrafficGb,
    writes: account.includedWrites,
    reads: account.includedReads,
  };
  const included = counted.flatMap((part) => {
    const figure = figures[part];
    return figure === undefined
      ? []
      : [
          t(`prices.included.${part}`, {
            size: `${formatCount(figure.value)} ${t(`prices.form.unitNames.${unit}`)}`,
            count: figure.value,
          }),
        ];
  });
  const sentences = [
    included.length === 0 ? null : t('prices.included.some', { list: included.join(', ') }),
    monthlyFee === undefined || !counted.includes('storage')
      ? null
      : t('prices.included.fee', { amount: formatMoney(monthlyFee.value, currency) }),
  ].filter((sentence) => sentence !== null);
  return sentences.length === 0 ? null : sentences.join(' ');
}

/** Returns which prices an amount lacks, or null if it is complete. */
export function missingText(costs: readonly Cost[], t: TFunction): string | null {
  const names = new Set(
    costs.flatMap(({ missing }) =>
      missing.map(({ storageClass, figure }) =>
        figure === 'class'
          ? groupText(storageClass, t)
          : [groupText(storageClass, t), t(`prices.figures.${figure}`, { unit: '' })]
              .filter((part) => part !== '')
              .join(': '),
      ),
    ),
  );
  return names.size === 0 ? null : t('prices.missing.some', { list: [...names].join('; ') });
}
