import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { isBuilt, stampOf, stampSources, writeStamp, type Stamp } from '../../../build/scripts/stamp.ts';
import { tempDir } from '../../support/temp-dir.ts';

let root: string;
const inRoot = (name: string): string => path.join(root, name);
/** Returns the stamp of a build that began some time after the last change. */
function settled(): Stamp {
  const stamp = stampOf(root, Date.now() + 60_000);
  // File times advance in steps. Waits for the next step, so that later changes get another time.
  const probe = inRoot('probe');
  writeFileSync(probe, '');
  const begunMs = lstatSync(probe).ctimeMs;
  while (lstatSync(probe).ctimeMs === begunMs) writeFileSync(probe, '');
  return stamp;
}

beforeEach(() => {
  root = tempDir();
  mkdirSync(inRoot('dist'));
  for (const source of stampSources) {
    const isFile = path.extname(source) !== '';
    mkdirSync(isFile ? path.dirname(inRoot(source)) : inRoot(source), { recursive: true });
    writeFileSync(isFile ? inRoot(source) : inRoot(`${source}/a file.ts`), source);
  }
});

test('without a finished build nothing counts as built', () => {
  expect(isBuilt(root)).toBe(false);
});

describe.each([
  ['just changed before the build', () => stampOf(root, Date.now())],
  ['unchanged for long before the build', () => settled()],
])('sources that were %s', (_name, stamp) => {
  beforeEach(() => {
    writeStamp(root, stamp());
  });

  test('count as built until one changes', () => {
    expect(isBuilt(root)).toBe(true);
    writeFileSync(inRoot('shared/a file.ts'), 'Shared');
    expect(isBuilt(root)).toBe(false);
  });

  test('count as changed with another content of the same date and size', () => {
    const dated = (): void => utimesSync(inRoot('bin/a file.ts'), 1, 1);
    dated();
    writeFileSync(inRoot('bin/a file.ts'), 'Bin');
    dated();
    expect(isBuilt(root)).toBe(false);
  });

  test('count as changed with a file added, removed or renamed', () => {
    writeFileSync(inRoot('electron/more.ts'), '');
    expect(isBuilt(root)).toBe(false);
    rmSync(inRoot('electron/more.ts'));
    expect(isBuilt(root)).toBe(true);
    renameSync(inRoot('electron/a file.ts'), inRoot('electron/b.ts'));
    expect(isBuilt(root)).toBe(false);
    renameSync(inRoot('electron/b.ts'), inRoot('electron/a file.ts'));
    expect(isBuilt(root)).toBe(true);
    rmSync(inRoot('electron/a file.ts'));
    expect(isBuilt(root)).toBe(false);
  });

  test('count as unchanged when rewritten identically, as by a checkout', () => {
    const content = readFileSync(inRoot('renderer/a file.ts'));
    rmSync(inRoot('renderer/a file.ts'));
    writeFileSync(inRoot('renderer/a file.ts'), content);
    expect(isBuilt(root)).toBe(true);
  });
});

test('the stamp of a former build does not match later sources', () => {
  writeStamp(root, settled());
  const look = readFileSync(inRoot('dist/stamp-look'), 'utf8');
  writeFileSync(inRoot('shared/a file.ts'), 'other');
  writeStamp(root, settled());
  writeFileSync(inRoot('dist/stamp-look'), look);
  expect(isBuilt(root)).toBe(true);
  writeFileSync(inRoot('shared/a file.ts'), 'yet another');
  writeFileSync(inRoot('dist/stamp-look'), look);
  expect(isBuilt(root)).toBe(false);
});
