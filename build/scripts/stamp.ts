import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The files and folders (with all contents) on which the built program depends. */
export const stampSources: readonly string[] = [
  'package.json',
  'package-lock.json',
  'shared',
  'renderer',
  'electron',
  'bin',
  'build/vite',
  'build/scripts/build.ts',
  'build/scripts/run-electron.ts',
  'build/scripts/start-built.ts',
  'build/scripts/start-cooper.ts',
];

/**
 * A file that changed within this many milliseconds may change again without a change of its metadata (like Git's racy index).
 */
const settledAfterMs = 2000;

/** The state of the sources: a hash of names and contents, and their file-system metadata. */
export interface Stamp {
  /** Independent of dates, so a fresh checkout of the same sources has the same hash. */
  readonly hash: string;
  /** A line per file and folder with its ctime (which programs cannot set), size and name. */
  readonly look: string;
  /** True if no file changed just before the check, so that equal metadata means equal contents. */
  readonly isSettled: boolean;
}

/** Returns the stamp of the sources. `nowMs` is the current time, for detecting files that changed just now. */
export function stampOf(root: string, nowMs: number): Stamp {
  const found = stampSources.flatMap((source) => below(root, source)).toSorted(byName);
  // Reads metadata before contents, so that a change in between is noticed at the next check.
  const lines = found.map(({ name }) => lookOf(root, name));
  const hash = createHash('sha256');
  for (const { name, isFile } of found) {
    if (!isFile) continue;
    const content = readFileSync(path.join(root, name));
    hash.update(`${name}\0${String(content.length)}\0`).update(content);
  }
  const newestMs = Math.max(...lines.map((line) => line.changedMs));
  return {
    hash: hash.digest('hex'),
    look: lines.map(({ text }) => text).join('\n'),
    isSettled: newestMs < nowMs - settledAfterMs,
  };
}

/** Returns true if dist/ was built from the current sources. Reads the contents only if the metadata changed. */
export function isBuilt(root: string): boolean {
  const built = read(stampFile(root));
  if (built === null) return false;
  const [hash, ...known] = read(lookFile(root))?.split('\n') ?? [];
  if (hash === built && known.every((line) => lookOf(root, nameOf(line)).text === line)) return true;
  const now = stampOf(root, Date.now());
  if (now.hash !== built) return false;
  writeLook(root, now);
  return true;
}

export function writeStamp(root: string, stamp: Stamp): void {
  writeFileSync(stampFile(root), `${stamp.hash}\n`);
  writeLook(root, stamp);
}

function writeLook(root: string, { hash, look, isSettled }: Stamp): void {
  if (isSettled) writeFileSync(lookFile(root), `${hash}\n${look}\n`);
}

function lookOf(root: string, name: string): { readonly text: string; readonly changedMs: number } {
  const found = lstatSync(`${root}/${name}`, { throwIfNoEntry: false });
  const changedMs = found?.ctimeMs ?? 0;
  return { text: `${String(changedMs)} ${String(found?.size ?? 0)} ${name}`, changedMs };
}

/** Returns the name in a metadata line. */
function nameOf(line: string): string {
  return line.slice(line.indexOf(' ', line.indexOf(' ') + 1) + 1);
}

interface Found {
  readonly name: string;
  readonly isFile: boolean;
}

/** Returns the files and folders in a source. Includes folders, which change when an entry is added or removed. */
function below(root: string, source: string): readonly Found[] {
  if (!lstatSync(`${root}/${source}`).isDirectory()) return [{ name: source, isFile: true }];
  const entries = readdirSync(`${root}/${source}`, { withFileTypes: true });
  const inside = entries.flatMap((entry) => {
    const name = `${source}/${entry.name}`;
    if (entry.isDirectory()) return below(root, name);
    return entry.isFile() ? [{ name, isFile: true }] : [];
  });
  return [{ name: source, isFile: false }, ...inside];
}

function byName(left: Found, right: Found): number {
  return left.name < right.name ? -1 : 1;
}

/** Returns the stored stamp, or null if nothing was built or a build was interrupted. */
function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return null;
    throw thrown;
  }
}

function stampFile(root: string): string {
  return path.join(root, 'dist', 'stamp');
}

function lookFile(root: string): string {
  return path.join(root, 'dist', 'stamp-look');
}
