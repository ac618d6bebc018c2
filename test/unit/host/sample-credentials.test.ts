import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sampleCredentials } from '../../../electron/host/sample-credentials.ts';
import { tempDir } from '../../support/temp-dir.ts';

test('the keys of the sample service stay the same', () => {
  const dir = tempDir();
  expect(sampleCredentials(dir)).toEqual(sampleCredentials(dir));
});

test.each([
  ['empty', (file: string) => writeFileSync(file, '')],
  ['garbage', (file: string) => writeFileSync(file, 'garbage')],
  ['torn', (file: string) => writeFileSync(file, '{"accessKeyId":"A","secre')],
  ['without a secret', (file: string) => writeFileSync(file, '{"accessKeyId":"A"}')],
  ['a folder', (file: string) => mkdirSync(file)],
])('a key file that is %s is set aside and reported, and new keys are created', (_what, make) => {
  const dir = tempDir();
  make(path.join(dir, 'keys.json'));
  const aside: string[] = [];
  const made = sampleCredentials(dir, (where) => aside.push(where));
  expect(made.secretAccessKey).not.toBe('');
  expect(aside).toHaveLength(1);
  expect(existsSync(aside[0] ?? '')).toBe(true);
  expect(sampleCredentials(dir)).toEqual(made);
});
