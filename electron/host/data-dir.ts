import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { detailOf, errnoOf, exitUsage, StartProblem } from './problem.ts';
import { text } from './text.ts';

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Where this system wants a program's data: XDG_DATA_HOME, Application Support, APPDATA. */
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

/** Makes the folder where it is missing, for this account alone, and returns its real path. The rights of a folder that is there are its owner's choice. */
export function prepareDataDir(dir: string): string {
  try {
    makeWithParents(dir);
    if (!statSync(dir).isDirectory()) throw unusable(dir, text('reasonNotAFolder'));
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(dir);
  } catch (thrown) {
    if (thrown instanceof StartProblem) throw thrown;
    throw unusable(dir, reasonOf(thrown), thrown);
  }
}

/** Not mkdir's `recursive`: it spins for ever where a folder that is there takes no new ones (below /proc). */
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
    case 'ENOSPC':
    case 'EDQUOT':
      return text('reasonFull');
    default:
      return text('reasonOther', { detail: detailOf(thrown) });
  }
}

function unusable(dir: string, reason: string, cause?: unknown): StartProblem {
  return new StartProblem(text('dataDirUnusable', { dir, reason }), exitUsage, { cause });
}
