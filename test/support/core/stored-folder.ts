import { cpSync, mkdtempSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

/** Contains data folders of earlier versions, made by `test/fixtures/make-data-folder.ts`. */
const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));
/** Replaces the original folder's path in stored rows. */
const placeholder = '/data-folder';

export interface StoredFolder {
  /** The jobs by a name that says what they test, with the state in which each was left. */
  readonly jobs: Readonly<Record<string, { readonly id: string; readonly state: string }>>;
  /** Milliseconds since 1970, by the path below the folder. */
  readonly modifiedMs: Readonly<Record<string, number>>;
}

/** Saves the data folder of a stopped rig. Replaces its paths and inodes by placeholders that `openFolder` fills in. */
export function saveFolder(dir: string, name: string, jobs: StoredFolder['jobs']): void {
  const to = path.join(fixtures, name);
  const files = filesBelow(dir).filter((file) => /^(?:send|fetch)\//u.test(file));
  const inodes = new Map(files.map((file) => [inodeOf(path.join(dir, file)), file]));
  rewrite(path.join(dir, 'cooper.db'), (text) =>
    text
      .replaceAll(dir, placeholder)
      .replaceAll(/"inode":"(\d+)"/gu, (found, inode: string) =>
        inodes.has(inode) ? `"inode":"${inodes.get(inode) ?? ''}"` : found,
      ),
  );
  const modifiedMs = Object.fromEntries(
    files.map((file) => [file, statSync(path.join(dir, file)).mtimeMs] as const),
  );
  cpSync(dir, to, { recursive: true });
  writeFileSync(path.join(to, 'folder.json'), `${JSON.stringify({ jobs, modifiedMs }, null, 2)}\n`);
}

/** Copies a saved folder and updates its stored paths and inodes to the copied files. */
export function openFolder(name: string): StoredFolder & { readonly dir: string } {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'cooper-stored-'));
  cpSync(path.join(fixtures, name), dir, { recursive: true });
  const stored = JSON.parse(readFileSync(path.join(dir, 'folder.json'), 'utf8')) as StoredFolder;
  for (const [file, ms] of Object.entries(stored.modifiedMs))
    utimesSync(path.join(dir, file), ms / 1000, ms / 1000);
  rewrite(path.join(dir, 'cooper.db'), (text) =>
    text
      .replaceAll(placeholder, dir)
      .replaceAll(
        /"inode":"(\D[^"]*)"/gu,
        (_found, file: string) => `"inode":"${inodeOf(path.join(dir, file))}"`,
      ),
  );
  return { ...stored, dir };
}

function rewrite(file: string, change: (text: string) => string): void {
  const database = new DatabaseSync(file);
  database.function('rewritten', { deterministic: true }, (text) => change(String(text)));
  for (const table of ['jobs', 'job_attempts', 'transfer_items'])
    database.exec(`UPDATE ${table} SET data = rewritten(data)`);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE); VACUUM');
  database.close();
}

function inodeOf(file: string): string {
  return String(statSync(file, { bigint: true }).ino);
}

function filesBelow(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)));
}
