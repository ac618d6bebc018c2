import { existsSync } from 'node:fs';
import path from 'node:path';

/** Whether a program is on the path; tests that want one are skipped by name without it. */
export function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .some((folder) => existsSync(path.join(folder, program)));
}
