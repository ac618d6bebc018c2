import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  realpathSync,
  statSync,
  closeSync,
  openSync,
  renameSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { narrowBelow, renewIfOpenToOthers } from '../core/store/private-file.ts';
import { detailOf, errnoOf, exitFailure, exitUsage, isStartProblem, StartProblem } from './problem.ts';
import { text, type HostMessage } from './text.ts';
import { setFolderAside } from '../core/store/safe-files.ts';

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Returns the default folder for the program's data, in XDG_DATA_HOME, Application Support or APPDATA. */
export function defaultDataDir({ platform, env, home }: Surroundings): string {
  if (platform === 'win32') {
    const roaming = env['APPDATA'];
    return path.win32.join(roaming || path.win32.join(home, 'AppData', 'Roaming'), 'Cooper');
  }
  if (platform === 'darwin') return path.posix.join(home, 'Library', 'Application Support', 'Cooper');
  // The XDG specification requires ignoring a relative path.
  const xdg = env['XDG_DATA_HOME'];
  const base =
    xdg !== undefined && path.posix.isAbsolute(xdg) ? xdg : path.posix.join(home, '.local', 'share');
  return path.posix.join(base, 'cooper');
}

/**
 * Creates the data folder if it is missing, revokes the access of other users, and returns its real path. Throws a StartProblem
 * if the path is not a usable folder, belongs to another user, or is a shared folder.
 */
export function prepareDataDir(dir: string, home: string = os.homedir()): string {
  try {
    makeWithParents(dir);
    if (!statSync(dir).isDirectory()) throw unusable(dir, text('reasonNotAFolder'));
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    const real = realpathSync(dir);
    if (process.platform !== 'win32') keepOthersOut(real, home);
    return real;
  } catch (thrown) {
    if (thrown instanceof StartProblem) throw thrown;
    throw unusable(dir, reasonOf(thrown), thrown);
  }
}

/**
 * Prepares the data folder that the user named, or the default one for null, and returns its real path. Throws a StartProblem like
 * `prepareDataDir`.
 */
export function prepareChosenDataDir(chosen: string | null): string {
  const usual = defaultDataDir({ platform: process.platform, env: process.env, home: os.homedir() });
  return prepareDataDir(path.resolve(chosen ?? usual));
}

const othersRights = 0o077;
const sticky = 0o1000;

/** Restricts the folder to this account. Throws a StartProblem if it belongs to another user or is shared. */
function keepOthersOut(dir: string, home: string): void {
  const { uid, mode } = statSync(dir);
  if (uid !== process.geteuid?.()) throw unusable(dir, text('reasonNotYours'));
  const isWide = (mode & othersRights) !== 0;
  if (isWide) {
    // Restricting a shared folder would exclude other users, or other programs of this user.
    const isCommon = (mode & sticky) !== 0 || dir === path.parse(dir).root || isSameFolder(dir, home);
    if (isCommon) throw unusable(dir, text('reasonShared'));
    chmodSync(dir, 0o700);
    if ((statSync(dir).mode & othersRights) !== 0) throw unusable(dir, text('reasonRightsStay'));
  }
  renewIfOpenToOthers(path.join(dir, 'cooper.log'));
  // Also restricts the files inside, because an earlier version or a copy may have left them readable for others.
  narrowBelow(dir, isWide ? undefined : 1);
}

function isSameFolder(real: string, other: string): boolean {
  return existsSync(other) && realpathSync(other) === real;
}

/**
 * Creates the folder and its parents one by one. With `recursive`, mkdir never ends in a folder that accepts no new ones (below
 * /proc).
 */
function makeWithParents(dir: string): void {
  if (existsSync(dir)) return;
  const parent = path.dirname(dir);
  if (parent !== dir) makeWithParents(parent);
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown; // Another start of the program created it meanwhile.
  }
}

function reasonOf(thrown: unknown): string {
  if (['EEXIST', 'ENOTDIR'].includes(errnoOf(thrown) ?? '')) return text('reasonNotAFolder');
  return diskTroubleOf(thrown) ?? text('reasonOther', { detail: detailOf(thrown) });
}

/** Returns the reason why the program cannot start: a sentence for a known error, otherwise the system's message. */
export function startDetailOf(thrown: unknown): string {
  return diskTroubleOf(thrown) ?? detailOf(thrown);
}

/** Returns the sentence to show for a failed start, and the exit status. */
export function startFailureOf(thrown: unknown): { readonly sentence: string; readonly exitStatus: number } {
  if (isStartProblem(thrown)) return { sentence: thrown.message, exitStatus: thrown.exitStatus };
  return { sentence: text('startFailed', { detail: startDetailOf(thrown) }), exitStatus: exitFailure };
}

const diskTroubles: ReadonlyMap<string | null, HostMessage> = new Map([
  ['ENOSPC', 'reasonFull'],
  ['EDQUOT', 'reasonQuota'],
  ['ESTALE', 'reasonStale'],
  ['EACCES', 'reasonDenied'],
  ['EPERM', 'reasonDenied'],
  ['EROFS', 'reasonReadOnly'],
  ['EIO', 'reasonBroken'],
  ['EMFILE', 'reasonTooManyFiles'],
  ['ENFILE', 'reasonTooManyFiles'],
  ['ENAMETOOLONG', 'reasonTooLong'],
]);

function diskTroubleOf(thrown: unknown): string | null {
  const message = diskTroubles.get(errnoOf(thrown));
  return message === undefined ? null : text(message);
}

function unusable(dir: string, reason: string, cause?: unknown): StartProblem {
  return new StartProblem(text('dataDirUnusable', { dir, reason }), exitUsage, { cause });
}

const maxLogBytes = 5 * 1024 * 1024;

/**
 * Prepares the log file and returns its path. Renames a file that is too large to `cooper.log.1`. Throws StartProblem if the log
 * cannot be written, because later errors would be lost.
 */
export function prepareLogFile(dataDir: string): string {
  const file = path.join(dataDir, 'cooper.log');
  try {
    for (const name of [file, `${file}.1`]) setFolderAside(name, Date.now());
    rotate(file);
    closeSync(openSync(file, 'a', 0o600));
    return file;
  } catch (thrown) {
    throw new StartProblem(text('logUnwritable', { file, reason: startDetailOf(thrown) }), exitUsage, {
      cause: thrown,
    });
  }
}

function rotate(file: string): void {
  try {
    if (statSync(file).size > maxLogBytes) renameSync(file, `${file}.1`);
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOENT') throw thrown;
  }
}
