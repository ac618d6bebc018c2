import { existsSync } from 'node:fs';
import path from 'node:path';

/** Whether a program is on the path, or where its own path says; tests that want one are skipped by name without it. */
export function isInstalled(program: string): boolean {
  if (path.isAbsolute(program)) return existsSync(program);
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .some((folder) => existsSync(path.join(folder, program)));
}
