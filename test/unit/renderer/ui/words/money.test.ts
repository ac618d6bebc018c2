import { expect, it } from 'vitest';
import { formatMoney } from '../../../../../renderer/ui/words/money.ts';

it('writes amounts with the currency, and small ones with the digits that count', () => {
  expect(formatMoney(1234.5, 'USD', 'en-US')).toBe('$1,234.50');
  expect(formatMoney(0, 'USD', 'en-US')).toBe('$0.00');
  expect(formatMoney(0.5, 'USD', 'en-US')).toBe('$0.50');
  expect(formatMoney(0.0123, 'USD', 'en-US')).toBe('$0.012');
  expect(formatMoney(0.00001, 'USD', 'en-US')).toBe('< $0.001');
  expect(formatMoney(2.5, 'EUR', 'ru')).toBe('2,50\u00A0€');
  expect(formatMoney(1200, 'JPY', 'en-US')).toBe('¥1,200');
});
