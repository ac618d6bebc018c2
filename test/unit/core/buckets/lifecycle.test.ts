import { expect, test } from 'vitest';
import { hasExpiryRule, withExpiryRule } from '../../../../electron/core/buckets/lifecycle.ts';
import { checkText } from '../../../../electron/core/buckets/check.ts';

const tag = { key: 'delete', value: 'now' };
const rule = (filter: string, rest = '<Expiration><Days>1</Days></Expiration>', status = 'Enabled') =>
  `<LifecycleConfiguration><Rule><ID>r</ID>${filter}<Status>${status}</Status>${rest}</Rule></LifecycleConfiguration>`;
const tagged = '<Filter><Tag><Key>delete</Key><Value>now</Value></Tag></Filter>';

test('only an enabled rule that deletes by exactly this tag in the whole bucket counts as the expiry rule', () => {
  expect(hasExpiryRule(rule(tagged), tag)).toBe(true);
  expect(hasExpiryRule(rule(tagged, undefined, 'Disabled'), tag)).toBe(false);
  expect(hasExpiryRule(rule(tagged, '<Transition><Days>1</Days></Transition>'), tag)).toBe(false);
  expect(hasExpiryRule(rule(tagged.replace('now', 'later')), tag)).toBe(false);
  expect(hasExpiryRule(rule('<Filter><Prefix/></Filter>'), tag)).toBe(false);
  const narrowed = `<Filter><And><Prefix>a/</Prefix>${tagged.slice(8, -9)}</And></Filter>`;
  expect(hasExpiryRule(rule(narrowed), tag)).toBe(false);
  expect(hasExpiryRule('', tag)).toBe(false);
});

test('adding the expiry rule yields a valid document that keeps the existing rules', () => {
  for (const before of ['', rule('<Filter><Prefix>x/</Prefix></Filter>')]) {
    const text = withExpiryRule(before, tag, 3);
    expect(hasExpiryRule(text, tag)).toBe(true);
    expect(checkText('lifecycle', text, 'bucket').filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(text.includes('<Prefix>x/</Prefix>')).toBe(before !== '');
    expect(text).toContain('<Days>3</Days>');
  }
});
