import { expect, test } from 'vitest';
import { readDocument } from '../../../../../electron/core/s3/xml/document.ts';
import { hasTooManyAttributes, parseXml } from '../../../../../electron/core/s3/xml/parse.ts';

const attributes = (count: number): string =>
  Array.from({ length: count }, (_, index) => ` a${String(index)}="x"`).join('');

test.each([
  ['on one element', `<R${attributes(200_000)}></R>`],
  ['on many', `<R>${'<a b="1" c="2"/>'.repeat(100_000)}</R>`],
  ['after a comment with a quote', `<R><!-- ' --><a${attributes(200_000)}/></R>`],
  ['after text with a quote', `<R>it's<a${attributes(200_000)}/></R>`],
  ['after a CDATA section with a quote', `<R><![CDATA[ ' ]]><a${attributes(200_000)}/></R>`],
  ['after a value with a >', `<R><a b=">"${attributes(200_000)}/></R>`],
])('200,000 attributes are refused before parsing: %s', (_name, xml) => {
  expect(hasTooManyAttributes(xml)).toBe(true);
  expect(() => parseXml(Buffer.from(xml))).toThrow('more attributes');
  expect(readDocument(xml)).toMatchObject({ ok: false });
});

test('10,000 attributes are accepted and one more is refused', () => {
  expect(hasTooManyAttributes(`<R${attributes(10_000)}/>`)).toBe(false);
  expect(hasTooManyAttributes(`<R${attributes(10_001)}/>`)).toBe(true);
});

test('responses of real services stay far below the limit of attributes', () => {
  const grant =
    '<Grant><Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="CanonicalUser"><ID>i</ID></Grantee></Grant>';
  expect(hasTooManyAttributes(`<A xmlns="x">${grant.repeat(100)}</A>`)).toBe(false);
  expect(hasTooManyAttributes(`<L>${'<Key>a="b" c="d"</Key>'.repeat(20_000)}</L>`)).toBe(false);
});
