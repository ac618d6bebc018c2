import { readFileSync } from 'node:fs';

/** A problem that the user can fix. The program prints its message and exits with its status. */
export class StartProblem extends Error {
  readonly exitStatus: number;

  constructor(sentence: string, exitStatus: number, options?: { readonly cause?: unknown }) {
    super(sentence, options);
    this.name = 'StartProblem';
    this.exitStatus = exitStatus;
  }
}

/**
 * Returns true for a StartProblem. `instanceof` would not work, because the start script and the built host each have a copy of
 * the class.
 */
export function isStartProblem(thrown: unknown): thrown is StartProblem {
  return thrown instanceof Error && thrown.name === 'StartProblem' && 'exitStatus' in thrown;
}

/** The exit status for an unknown flag, a port in use, or an unusable folder. */
export const exitUsage = 2;
export const exitFailure = 1;

/** Returns the errno name of a thrown value, such as `ENOENT`; null if it has none. */
export function errnoOf(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !('code' in thrown)) return null;
  return typeof thrown.code === 'string' ? thrown.code : null;
}

/** Returns a file's text without surrounding white space; null if the file does not exist. */
export function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

export function detailOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
