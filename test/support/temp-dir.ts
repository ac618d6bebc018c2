import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a temporary folder that is removed when the test ends. */
export function tempDir(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'cooper-test-'));
  onTestFinished(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  return dir;
}
