import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { dataDirIn, hasFlag } from '../../../electron/desktop/arguments.ts';
import { parseFlags, parseServiceFlags } from '../../../electron/host/flags.ts';
import english from '../../../shared/messages/en/host.json' with { type: 'json' };
import russian from '../../../shared/messages/ru/host.json' with { type: 'json' };

/** Returns the flags of a usage text, each with a value if it takes one. */
function flagsOf(usage: string): readonly (readonly string[])[] {
  return Array.from(usage.matchAll(/^ {2}(--[a-z-]+) ?([A-Z]*)/gm), ([, flag = '', value = '']) =>
    value === '' ? [flag] : [flag, value === 'N' ? '8080' : 'folder'],
  );
}

const languages = [
  ['English', english],
  ['Russian', russian],
] as const;

test.each(languages)('the start command accepts each flag of its help in %s', (_, { usage }) => {
  const flags = flagsOf(usage);
  expect(flags.map(([flag]) => flag)).toEqual([
    '--desktop',
    '--browser',
    '--port',
    '--no-open',
    '--data-dir',
    '--help',
  ]);
  for (const flag of flags) expect(() => parseFlags(flag)).not.toThrow();
});

test.each(languages)('the object storage accepts each flag of its help in %s', (_, { usageService }) => {
  const flags = flagsOf(usageService);
  expect(flags.map(([flag]) => flag)).toEqual(['--data-dir', '--port', '--help']);
  for (const flag of flags) expect(() => parseServiceFlags(flag)).not.toThrow();
});

test.each(languages)('the desktop program reads each flag of its help in %s', (_, { usageDesktop }) => {
  const flags = flagsOf(usageDesktop);
  expect(flags.map(([flag]) => flag)).toEqual(['--data-dir', '--hidden', '--help', '--version']);
  expect(flags.every(([flag = '']) => hasFlag([flag], flag))).toBe(true);
  expect(dataDirIn(flags[0] ?? [])).toBe('folder');
});

test.each(languages)(
  'the advice to install Electron names commands that the package has, in %s',
  (_, texts) => {
    const file = createRequire(import.meta.url).resolve('electron/package.json');
    const { name, bin } = JSON.parse(readFileSync(file, 'utf8')) as { name: string; bin: object };
    const commands = Array.from(
      texts.electronNotInstalled.matchAll(/`([^`]+)`/g),
      ([, command = '']) => command,
    );
    expect(commands).toEqual([`npm install -g ${name}`, 'install-electron']);
    expect(Object.keys(bin)).toContain('install-electron');
  },
);
