import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { en } from '../../../../shared/messages/en/index.ts';

const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');

function textsOf(messages: unknown): readonly string[] {
  if (typeof messages === 'string') return [messages];
  if (typeof messages !== 'object' || messages === null) return [];
  return Object.values(messages).flatMap(textsOf);
}

test('every window text quoted in the README exists in the catalogue', () => {
  const texts = new Set(textsOf(en).map((text) => text.replaceAll('’', "'")));
  const quoted = [...readme.replaceAll(/\s+/gu, ' ').matchAll(/"(?<label>[^"]+)"/gu)].map(
    ({ groups }) => groups?.['label'] ?? '',
  );
  expect(quoted.length).toBeGreaterThan(10);
  expect(quoted.filter((label) => !texts.has(label))).toEqual([]);
});
