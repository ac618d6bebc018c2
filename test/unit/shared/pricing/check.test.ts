import { expect, it } from 'vitest';
import type { PriceList } from '../../../../shared/models/prices.ts';
import { checkPriceList, isCurrency } from '../../../../shared/pricing/check.ts';
import { priceListOf, shippedLists } from '../../../../shared/pricing/shipped.ts';

const figure = (value: number) => ({ value, date: '', source: '' });
const good: PriceList = {
  name: 'Mine',
  currency: 'EUR',
  unit: 'GB',
  trafficPerGb: null,
  classes: [{ storageClass: 'STANDARD', figures: { storagePerGbMonth: figure(0.01) } }],
};

it('valid price lists, including the shipped ones, have no problems', () => {
  expect(checkPriceList(good)).toEqual([]);
  for (const list of shippedLists) expect(checkPriceList(priceListOf(list))).toEqual([]);
});

it('each fault of a price list is reported with its class and figure', () => {
  expect(
    checkPriceList({
      ...good,
      name: ' ',
      currency: 'XXY',
      trafficPerGb: figure(-1),
      account: { monthlyFee: figure(-1) },
      classes: [
        { storageClass: 'STANDARD', figures: { storagePerGbMonth: figure(Number.NaN) } },
        { storageClass: 'STANDARD', figures: { readPer1000: figure(1e10) } },
        { storageClass: '', figures: {} },
      ],
    }),
  ).toEqual([
    { fault: 'name', storageClass: '', figure: null },
    { fault: 'currency', storageClass: '', figure: null },
    { fault: 'negative', storageClass: '', figure: 'trafficPerGb' },
    { fault: 'negative', storageClass: '', figure: 'monthlyFee' },
    { fault: 'negative', storageClass: 'STANDARD', figure: 'storagePerGbMonth' },
    { fault: 'class-twice', storageClass: 'STANDARD', figure: null },
    { fault: 'too-large', storageClass: 'STANDARD', figure: 'readPer1000' },
    { fault: 'class-empty', storageClass: '', figure: null },
  ]);
  expect(checkPriceList({ ...good, classes: [] })).toEqual([
    { fault: 'no-class', storageClass: '', figure: null },
  ]);
});

const stepped = (...steps: readonly (readonly [number, number])[]): PriceList => ({
  ...good,
  trafficPerGb: { ...figure(1), steps: steps.map(([aboveGb, value]) => ({ aboveGb, value })) },
});

it('price steps must be in ascending order and not negative', () => {
  expect(checkPriceList(stepped([10, 0.5], [20, 0.25]))).toEqual([]);
  const at = { storageClass: '', figure: 'trafficPerGb' };
  expect(checkPriceList(stepped([10, 0.5], [10, 0.25]))).toEqual([{ fault: 'steps', ...at }]);
  expect(checkPriceList(stepped([10, -1]))).toEqual([{ fault: 'negative', ...at }]);
});

it('a currency is valid if amounts can be formatted in it', () => {
  expect(['USD', 'EUR', 'RUB'].every(isCurrency)).toBe(true);
  expect(['usd', 'US', '', 'ZZZ'].some(isCurrency)).toBe(false);
});
