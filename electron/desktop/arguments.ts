import { isS3Link } from '../../shared/keys/s3-link.ts';
import { exitUsage, StartProblem } from '../host/problem.ts';
import { text } from '../host/text.ts';

/** Returns the arguments before `--`, which may be flags. The system passes links after it. */
function flagsIn(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

export function hasFlag(args: readonly string[], flag: string): boolean {
  return flagsIn(args).includes(flag);
}

/**
 * Returns the folder in `--data-dir=DIR` or `--data-dir DIR`; null if there is none. Throws StartProblem for an empty one.
 * Chromium's parser behind `app.commandLine` knows only the first form.
 */
export function dataDirIn(all: readonly string[]): string | null {
  const args = flagsIn(all);
  const at = args.findLastIndex((arg) => arg === '--data-dir' || arg.startsWith('--data-dir='));
  const flag = args[at];
  if (flag === undefined) return null;
  const dir = flag === '--data-dir' ? (args[at + 1] ?? '') : flag.slice('--data-dir='.length);
  if (dir.trim() === '') throw new StartProblem(text('dataDirEmpty'), exitUsage);
  return dir;
}

/** Returns the last argument that looks like an `s3://` link; null if there is none. The core parses it strictly. */
export function linkIn(args: readonly string[]): string | null {
  return args.slice(1).findLast(isS3Link) ?? null;
}
