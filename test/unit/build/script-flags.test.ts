import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readFlags } from '../../../build/scripts/script-flags.ts';

const usage = 'Usage: npm run it';
const options = { since: { type: 'string' }, full: { type: 'boolean', default: false } } as const;
const read = (...args: readonly string[]) => readFlags({ usage }, options, args);

describe('the flags of a script', () => {
  it('are returned with their defaults', () => {
    expect(read('--since', 'HEAD')).toMatchObject({ flags: { values: { since: 'HEAD', full: false } } });
  });

  it.each([
    [['--bogus'], "Unknown option '--bogus'."],
    [['--since'], "Option '--since <value>' argument missing."],
    [['--full=yes'], "Option '--full' does not take an argument."],
    [['full'], "Unexpected argument 'full'."],
  ])('are refused by name with the usage for %j', (args, refusal) => {
    expect(read(...args)).toEqual({ text: `${refusal}\n${usage}`, status: 2 });
  });

  it('may be followed by names if the script accepts them', () => {
    expect(readFlags({ usage, takesNames: true }, options, ['gallery'])).toMatchObject({
      flags: { positionals: ['gallery'] },
    });
  });

  it('print the usage with --help, whatever else is given', () => {
    expect(read('--bogus', '--help')).toEqual({ text: usage, status: 0 });
  });
});

it('npm test with an unknown flag ends with status 2 and no stack trace', () => {
  const check = path.join(fileURLToPath(new URL('../../..', import.meta.url)), 'build/scripts/check.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [check, '--bogus'], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^Unknown option '--bogus'\.\nUsage: npm test/u);
  expect(stderr).not.toMatch(/^\s+at /mu);
});
