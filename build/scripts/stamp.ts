import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../../electron/host/problem.ts';

/** Everything whose change makes the built program another one. */
const sources = [
  'package.json',
  'package-lock.json',
  'shared/**/*.{ts,json}',
  'renderer/**/*',
  'electron/**/*.ts',
  'build/vite/{hosts,window.config}.ts',
  'build/scripts/build.ts',
];

/** A hash over names and contents; dates do not matter, so a fresh checkout of the same sources is the same. */
export function stampOf(root: string): string {
  const hash = createHash('sha256');
  const names = globSync(sources, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  for (const name of names.toSorted()) {
    const content = readFileSync(name);
    hash.update(`${path.relative(root, name)}\0${String(content.length)}\0`).update(content);
  }
  return hash.digest('hex');
}

/** null: nothing was built, or not to its end. */
export function readStamp(root: string): string | null {
  try {
    return readFileSync(stampFile(root), 'utf8').trim();
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

export function writeStamp(root: string, stamp: string): void {
  writeFileSync(stampFile(root), `${stamp}\n`);
}

function stampFile(root: string): string {
  return path.join(root, 'dist', 'stamp');
}
