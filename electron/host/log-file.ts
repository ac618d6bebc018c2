import { closeSync, openSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { setFolderAside } from '../core/store/safe-files.ts';
import { startDetailOf } from './data-dir.ts';
import { errnoOf, exitUsage, StartProblem } from './problem.ts';
import { text } from './text.ts';

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
