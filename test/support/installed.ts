import { existsSync } from 'node:fs';
import path from 'node:path';

/** Returns true if a program is on the PATH or at its absolute path. Tests that need a missing program are skipped by name. */
export function isInstalled(program: string): boolean {
  if (path.isAbsolute(program)) return existsSync(program);
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .some((folder) => existsSync(path.join(folder, program)));
}
