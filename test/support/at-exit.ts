import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const left = new Set<() => void>();
let isArmed = false;

/** Done when this process ends, however its tests ended; until the function that is returned is called. */
export function atExit(tidy: () => void): () => void {
  if (!isArmed) {
    process.once('exit', tidyUp);
    // Node's default signal handling ends the process without emitting `exit`.
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
 * Creates a temporary folder that is removed when this process exits. Every process that loads a test file creates its top-level
 * folders, even one that only lists the tests, so all of them have to clean up.
 */
export function removedAtExit(prefix: string, parent = os.tmpdir()): string {
  const dir = mkdtempSync(path.join(parent, prefix));
  atExit(() => {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  return dir;
}
