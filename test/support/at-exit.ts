import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const left = new Set<() => void>();
let isArmed = false;

/** Runs `tidy` when this process exits, also after failed tests or a signal. Returns a function that cancels this. */
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

/** Runs the callbacks in reverse order, so that a process that uses a folder ends before the folder is removed. */
function tidyUp(): void {
  for (const tidy of [...left].toReversed()) tidy();
}

/**
 * Creates a temporary folder that is removed when this process exits. Every process that loads a test file creates its top-level
 * folders, even a process that only lists the tests, so each must clean up.
 */
export function removedAtExit(prefix: string, parent = os.tmpdir()): string {
  const dir = mkdtempSync(path.join(parent, prefix));
  atExit(() => {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  return dir;
}
