import { expect, it } from 'vitest';
import type { PriceList } from '../../../../../shared/models/prices.ts';
import { costText, formatMoney, includedText, moneyText } from '../../../../../renderer/ui/words/money.ts';
import { englishWords } from '../../words.ts';

it('an amount is formatted with its currency, and a small one with significant digits', () => {
  expect(formatMoney(1234.5, 'USD', 'en-US')).toBe('$1,234.50');
  expect(formatMoney(0, 'USD', 'en-US')).toBe('$0.00');
  expect(formatMoney(0.5, 'USD', 'en-US')).toBe('$0.50');
  expect(formatMoney(0.0123, 'USD', 'en-US')).toBe('$0.012');
  expect(formatMoney(0.00001, 'USD', 'en-US')).toBe('< $0.001');
  expect(formatMoney(2.5, 'EUR', 'ru')).toBe('2,50\u00A0€');
  expect(formatMoney(1200, 'JPY', 'en-US')).toBe('¥1,200');
});

const figure = (value: number) => ({ value, date: '2026-10', source: 'https://example.com/' });

it('the included volumes of an account are mentioned only for matching amounts', async () => {
  const list: PriceList = {
    name: 'Any',
    currency: 'USD',
    unit: 'GB',
    trafficPerGb: null,
    classes: [],
    account: { monthlyFee: figure(6.5), includedStorageGb: figure(1000), includedTrafficGb: figure(500) },
  };
  const t = await englishWords();
  expect(includedText(list, ['storage'], t)).toBe(
    'These estimates leave out what is included each month for the whole account: 1,000 GB of storage. The account costs $6.50 a month, which is not added here.',
  );
  expect(includedText(list, ['traffic'], t)).toBe(
    'These estimates leave out what is included each month for the whole account: 500 GB of downloads.',
  );
  expect(includedText(list, [], t)).toBeNull();
});

it('a tiny amount is worded as less than the smallest shown', async () => {
  const t = await englishWords();
  expect(moneyText(0.0004, 'USD', t)).toMatch(/^less than .*0\.001$/u);
  expect(moneyText(0, 'USD', t)).toMatch(/0\.00$/u);
  expect(costText({ amount: 0.0004, missing: [] }, 'USD', t)).toMatch(/^less than/u);
  expect(costText({ amount: 0.4, missing: [] }, 'USD', t)).toMatch(/^about/u);
});
