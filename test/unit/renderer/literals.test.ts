import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { literalsIn } from './literals.ts';

const renderer = fileURLToPath(new URL('../../../renderer/', import.meta.url));

/** Texts without a language: names of keys, formats, storage classes, values. */
const allowed: Readonly<Record<string, string>> = {
  'features/buckets/sections/lifecycle-form.tsx': 'STANDARD_IA',
  'features/connections/form/form-advanced.tsx': '-----BEGIN CERTIFICATE-----',
  'features/viewers/table/data-table.tsx': 'null',
  'ui/keyboard/shortcuts.ts': 'Alt',
};

function isAllowed(literal: string, [file, text]: readonly [string, string]): boolean {
  return literal.startsWith(`${file}:`) && literal.endsWith(`: ${text}`);
}

test('all text in the window comes from the catalogues', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: renderer });
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) => {
    const literals = literalsIn(file, readFileSync(path.join(renderer, file), 'utf8'));
    return literals.map((literal) => `${file}:${literal}`);
  });
  const exceptions = Object.entries(allowed);
  expect(found.filter((literal) => !exceptions.some((exception) => isAllowed(literal, exception)))).toEqual(
    [],
  );
  expect(exceptions.filter((exception) => !found.some((literal) => isAllowed(literal, exception)))).toEqual(
    [],
  );
});

test.each([
  ['<p>Hello</p>', 'Hello'],
  ["<p>{'Hello'}</p>", 'Hello'],
  ["<p>{busy ? t('a') : 'Hello'}</p>", 'Hello'],
  ['<p>{`${name} failed`}</p>', 'failed'],
  ["<p>{name + ' failed'}</p>", 'failed'],
  ['<input placeholder="Name" />', 'Name'],
  ["<input aria-label={busy && 'Busy'} />", 'Busy'],
  ["show({ message: 'Saved' })", 'Saved'],
])('the search for literals finds %s', (source, word) => {
  expect(literalsIn('a.tsx', `const drawn = ${source};`)).toEqual([`1: ${word}`]);
});

test.each([
  "<p>{t('common.close')}</p>",
  "<p className=\"wide\" role={kind === 'a' ? 'row' : 'cell'}>·</p>",
  "<p title={t('common.close', { kind: 'a' })}>{kind === 'folder' && name}…</p>",
  '<p>{`${folders} / ${String(1)}`}</p>',
])('the search for literals ignores %s', (source) => {
  expect(literalsIn('a.tsx', `const drawn = ${source};`)).toEqual([]);
});
