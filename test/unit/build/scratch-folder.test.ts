import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeScratchFolder } from '../../../build/scripts/scratch-folder.ts';
import { tempDir } from '../../support/temp-dir.ts';

test('without enough memory, test files go to the temporary folder and are deleted at the end', () => {
  const ordinary = tempDir();
  const scratch = makeScratchFolder((folder) => (folder === '/dev/shm' ? 4 * 1024 ** 3 - 1 : 0), ordinary);
  expect(path.dirname(scratch.path)).toBe(ordinary);
  writeFileSync(path.join(scratch.path, 'left behind'), 'x');
  scratch.remove();
  expect(existsSync(scratch.path)).toBe(false);
});

test.runIf(existsSync('/dev/shm'))('with enough memory, test files go to /dev/shm', () => {
  const scratch = makeScratchFolder(() => 4 * 1024 ** 3, tempDir());
  expect(path.dirname(scratch.path)).toBe('/dev/shm');
  scratch.remove();
  expect(existsSync(scratch.path)).toBe(false);
});
