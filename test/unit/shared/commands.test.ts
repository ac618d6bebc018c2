import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandIds, factsOf, keysIn } from '../../../shared/commands.ts';
import { en } from '../../../shared/messages/en/index.ts';
import { flatten } from './messages/catalogues.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Keys as the window writes them, or as the desktop's menu does, between quotes. */
const literal = /['"](?:(?:mod|cmdorctrl|cmd|ctrl|alt|shift)\+[^'"\s]+|F\d{1,2})['"]/gi;

function literalsIn(file: string): number {
  return [...readFileSync(path.join(root, file), 'utf8').matchAll(literal)].length;
}

test('key bindings are defined only in the table of commands', () => {
  const files = globSync('{renderer,electron,shared}/**/*.{ts,tsx}', { cwd: root });
  expect(files.length).toBeGreaterThan(400);
  const found = files.filter((file) => literalsIn(file) > 0).map((file) => file.split(path.sep).join('/'));
  expect(found).toEqual(['shared/commands.ts']);
  expect(literalsIn('shared/commands.ts')).toBeGreaterThan(30);
});

test('no two commands share a key binding', () => {
  const all = commandIds.flatMap((id) => factsOf(id).keys.map((keys) => keys.toLowerCase()));
  expect(all.filter((keys, at) => all.indexOf(keys) !== at)).toEqual([]);
});

test('each command has a name in the message catalogue', () => {
  const texts = new Set(flatten(en).map(([name]) => name));
  expect(commandIds.filter((id) => !texts.has(factsOf(id).message))).toEqual([]);
});

test('every command with key bindings has one that browsers leave to the page', () => {
  const lost = commandIds.filter(
    (id) =>
      factsOf(id).isDesktopOnly !== true &&
      keysIn('desktop', id).length > 0 &&
      keysIn('browser', id).length === 0,
  );
  expect(lost).toEqual([]);
  expect(keysIn('browser', 'newFolder')).toEqual(['alt+shift+N']);
  expect(keysIn('desktop', 'newFolder')[0]).toBe('mod+shift+N');
});
