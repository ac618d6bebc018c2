import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readFlags } from '../../../build/scripts/script-flags.ts';

const usage = 'Usage: npm run it';
const options = { since: { type: 'string' }, full: { type: 'boolean', default: false } } as const;
const read = (...args: readonly string[]) => readFlags({ usage }, options, args);

describe('the flags of a script', () => {
  it('are given with their defaults', () => {
    expect(read('--since', 'HEAD')).toMatchObject({ flags: { values: { since: 'HEAD', full: false } } });
  });

  it.each([
    [['--bogus'], "Unknown option '--bogus'."],
    [['--since'], "Option '--since <value>' argument missing."],
    [['--full=yes'], "Option '--full' does not take an argument."],
    [['full'], "Unexpected argument 'full'."],
  ])('%j is refused by name, above the usage', (args, refusal) => {
    expect(read(...args)).toEqual({ text: `${refusal}\n${usage}`, status: 2 });
  });

  it('names are taken where the script takes some', () => {
    expect(readFlags({ usage, takesNames: true }, options, ['gallery'])).toMatchObject({
      flags: { positionals: ['gallery'] },
    });
  });

  it('--help prints the usage, whatever else is there', () => {
    expect(read('--bogus', '--help')).toEqual({ text: usage, status: 0 });
  });
});

it('npm test with a flag that there is not ends with status 2, without a trace of a stack', () => {
  const check = path.join(fileURLToPath(new URL('../../..', import.meta.url)), 'build/scripts/check.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [check, '--bogus'], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^Unknown option '--bogus'\.\nUsage: npm test/u);
  expect(stderr).not.toMatch(/^\s+at /mu);
});
