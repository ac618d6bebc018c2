import { expect, test } from 'vitest';
import englishHost from '../../../../shared/messages/en/host.json' with { type: 'json' };
import { en } from '../../../../shared/messages/en/index.ts';
import { hostTexts, windowTexts } from '../../../../shared/messages/translations.ts';
import { flatten } from './catalogues.ts';

/** Texts that may name a unit in powers of 1000, each with its reason. */
const decimal: ReadonlyMap<string, string> = new Map([
  ['prices.form.units.GB', 'the unit in which a provider bills'],
  ['prices.form.unitNames.GB', 'the unit in which a provider bills'],
]);

const decimalUnit = /(?<![\p{L}\p{N}])\d*\s?(?:[kKMGTP]B|[кКМГТП]Б)(?![\p{L}\p{N}])/u;

const catalogues: readonly (readonly [string, object])[] = [
  ['en', { ...en, host: englishHost }],
  ['ru', { ...(await windowTexts.ru()), host: hostTexts.ru }],
];

test.each(['1 kB', 'MB/s', '(64MB)', '5 ГБ', 'в МБ.'])(
  'a text with %s counts as one in powers of 1000',
  (text) => {
    expect(decimalUnit.test(text)).toBe(true);
  },
);

test.each(['1 KiB', '5 ГиБ', 'MBA', 'GiB/s', 'GB18030'])(
  'a text with %s has no unit in powers of 1000',
  (text) => {
    expect(decimalUnit.test(text)).toBe(false);
  },
);

test.each(catalogues)('sizes in the texts of %s are in powers of 1024, except prices', (_, texts) => {
  const found = flatten(texts).filter(([path, text]) => decimalUnit.test(text) && !decimal.has(path));
  expect(found).toEqual([]);
});
