import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const left = new Set<() => void>();
let isArmed = false;

/** Done when this process ends, however its tests ended; until the function that is returned is called. */
export function atExit(tidy: () => void): () => void {
  if (!isArmed) {
    process.once('exit', tidyUp);
    // By itself a signal ends the process without that event.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      if (process.listenerCount(signal) === 0) process.once(signal, () => process.exit(1));
  }
  isArmed = true;
  left.add(tidy);
  return () => {
    left.delete(tidy);
  };
}

/** The last first: what uses a folder ends before the folder goes. */
function tidyUp(): void {
  for (const tidy of [...left].toReversed()) tidy();
}

/**
 * A folder in the system's temporary folder that is gone when this process ends. Every process that reads a test file makes
 * the folders at its top, the one that only lists the tests too, and none of them may stay behind.
 */
export function removedAtExit(prefix: string, parent = os.tmpdir()): string {
  const dir = mkdtempSync(path.join(parent, prefix));
  atExit(() => {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  return dir;
}
