import { accessSync, chmodSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { narrowBelow, renewIfOpenToOthers } from '../core/store/private-file.ts';
import { detailOf, errnoOf, exitUsage, StartProblem } from './problem.ts';
import { text } from './text.ts';

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Returns the system's folder for program data: XDG_DATA_HOME, Application Support or APPDATA. */
export function defaultDataDir({ platform, env, home }: Surroundings): string {
  if (platform === 'win32') {
    const roaming = env['APPDATA'];
    return path.win32.join(roaming || path.win32.join(home, 'AppData', 'Roaming'), 'Cooper');
  }
  if (platform === 'darwin') return path.posix.join(home, 'Library', 'Application Support', 'Cooper');
  // The XDG specification: a relative path is invalid and must be ignored.
  const xdg = env['XDG_DATA_HOME'];
  const base =
    xdg !== undefined && path.posix.isAbsolute(xdg) ? xdg : path.posix.join(home, '.local', 'share');
  return path.posix.join(base, 'cooper');
}

/**
 * Creates the folder if missing and returns its real path. Narrows its permissions so that other users get no access. Throws a
 * StartProblem if the path is not a usable folder, belongs to another user, or is shared so that narrowing would do harm.
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

const othersRights = 0o077;
const sticky = 0o1000;

/** Restricts the folder to this account. Throws a StartProblem if it belongs to another user or is shared. */
function keepOthersOut(dir: string, home: string): void {
  const { uid, mode } = statSync(dir);
  if (uid !== process.geteuid?.()) throw unusable(dir, text('reasonNotYours'));
  const isWide = (mode & othersRights) !== 0;
  if (isWide) {
    // Narrowing a shared folder would lock out other users, or the user's other programs.
    const isCommon = (mode & sticky) !== 0 || dir === path.parse(dir).root || isSameFolder(dir, home);
    if (isCommon) throw unusable(dir, text('reasonShared'));
    chmodSync(dir, 0o700);
    if ((statSync(dir).mode & othersRights) !== 0) throw unusable(dir, text('reasonRightsStay'));
  }
  renewIfOpenToOthers(path.join(dir, 'cooper.log'));
  // Also narrows the files inside, which an earlier version or a copy may have left readable to others.
  narrowBelow(dir, isWide ? undefined : 1);
}

function isSameFolder(real: string, other: string): boolean {
  return existsSync(other) && realpathSync(other) === real;
}

/**
 * Creates the folder and its parents. mkdir's `recursive` loops forever if an existing folder accepts no new ones (below /proc).
 */
function makeWithParents(dir: string): void {
  if (existsSync(dir)) return;
  const parent = path.dirname(dir);
  if (parent !== dir) makeWithParents(parent);
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown; // Made by another start in between.
  }
}

function reasonOf(thrown: unknown): string {
  switch (errnoOf(thrown)) {
    case 'EEXIST':
    case 'ENOTDIR':
      return text('reasonNotAFolder');
    case 'EACCES':
    case 'EPERM':
      return text('reasonDenied');
    case 'EROFS':
      return text('reasonReadOnly');
    default:
      return diskTroubleOf(thrown) ?? text('reasonOther', { detail: detailOf(thrown) });
  }
}

/** Returns why the program cannot start, for the user: a sentence for known disk errors, else the system's message. */
export function startDetailOf(thrown: unknown): string {
  return diskTroubleOf(thrown) ?? detailOf(thrown);
}

function diskTroubleOf(thrown: unknown): string | null {
  switch (errnoOf(thrown)) {
    case 'ENOSPC':
      return text('reasonFull');
    case 'EDQUOT':
      return text('reasonQuota');
    case 'ESTALE':
      return text('reasonStale');
    default:
      return null;
  }
}

function unusable(dir: string, reason: string, cause?: unknown): StartProblem {
  return new StartProblem(text('dataDirUnusable', { dir, reason }), exitUsage, { cause });
}
