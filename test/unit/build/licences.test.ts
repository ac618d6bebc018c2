import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { licenceOf, licenceText, packageFolder } from '../../../build/vite/licences.ts';
import { tempDir } from '../../support/temp-dir.ts';

function makePackage(manifest: object, files: Readonly<Record<string, string>> = {}): string {
  const dir = path.join(tempDir(), 'package');
  mkdirSync(dir);
  writeFileSync(path.join(dir, 'package.json'), JSON.stringify(manifest));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dir, name), text);
  return dir;
}

test.each([
  ['/p/node_modules/react/index.js', '/p/node_modules/react'],
  ['/p/node_modules/@a/b/esm/x.mjs?v=1', '/p/node_modules/@a/b'],
  ['\0/p/node_modules/a/node_modules/b/x.js?commonjs-module', '/p/node_modules/a/node_modules/b'],
  ['C:\\p\\node_modules\\a\\x.js', 'C:/p/node_modules/a'],
  ['/p/electron/core/core.ts', null],
  ['\0rolldown/runtime.js', null],
])('the file %j belongs to the package %j', (id, expected) => {
  expect(packageFolder(id)).toBe(expected);
});

test('a package provides its licence and its notice', () => {
  const folder = makePackage(
    { name: 'a', version: '1.0.0', license: 'Apache-2.0' },
    { LICENSE: 'the text', 'NOTICE.txt': 'the notice', 'licenses.js': 'code' },
  );
  expect(licenceOf(folder)).toEqual({
    package: 'a 1.0.0',
    name: 'Apache-2.0',
    text: 'the text\n\nthe notice',
  });
});

test('a package without a licence text provides what its manifest says', () => {
  const folder = makePackage({ name: 'a', version: '1.0.0', license: 'MIT', author: { name: 'Someone' } });
  expect(licenceOf(folder).text).toBe('Licence: MIT\nCopyright: Someone');
});

test('a package without a licence stops the build', () => {
  expect(() => licenceOf(makePackage({ name: 'a', version: '1.0.0' }))).toThrow('a 1.0.0');
});

test('packages with the same licence share one copy of it', () => {
  const licence = { package: 'a 1', name: 'MIT', text: 'same' };
  const text = licenceText([
    licence,
    { ...licence, package: 'b 2' },
    licence,
    { package: 'c 3', name: 'ISC', text: 'other' },
  ]);
  expect(text.match(/same/g)).toHaveLength(1);
  expect(text).toContain('a 1 (MIT)\nb 2 (MIT)\n\nsame');
  expect(text).toContain('c 3 (ISC)\n\nother');
});
