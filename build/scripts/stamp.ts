import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../../electron/host/problem.ts';

/** Everything whose change makes the built program another one: files, and folders with all that is in them. */
const sources = [
  'package.json',
  'package-lock.json',
  'shared',
  'renderer',
  'electron',
  'bin',
  'build/vite/licences.ts',
  'build/vite/hosts.ts',
  'build/vite/window.config.ts',
  'build/scripts/build.ts',
];

/** A hash over names and contents; dates do not matter, so a fresh checkout of the same sources is the same. */
export function stampOf(root: string): string {
  const hash = createHash('sha256');
  for (const name of sources.flatMap((source) => filesOf(root, source)).toSorted()) {
    const content = readFileSync(path.join(root, name));
    hash.update(`${name}\0${String(content.length)}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesOf(root: string, source: string): readonly string[] {
  const full = path.join(root, source);
  if (!statSync(full).isDirectory()) return [source];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
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
