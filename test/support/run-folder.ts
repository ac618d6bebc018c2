import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { shareServers } from './servers/real-server.ts';

const names = ['TMPDIR', 'TEMP', 'TMP'] as const;
let dir: string | null = null;
let wipeServers = (): void => undefined;
const before = new Map<string, string | undefined>();

/**
 * Makes all tests of a run use one subfolder of the system's temporary folder, and removes it at the end. This also cleans up
 * after tests that fail or are killed. Also stops the servers that the tests share.
 */
export function setup(): void {
  // Sets up only once, although vitest calls this function for each project.
  if (dir !== null) return;
  dir = mkdtempSync(path.join(os.tmpdir(), 'cooper-tests-'));
  for (const name of names) {
    before.set(name, process.env[name]);
    process.env[name] = dir;
  }
  wipeServers = shareServers();
}

export function teardown(): void {
  if (dir === null) return;
  wipeServers();
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  dir = null;
  for (const [name, value] of before)
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
}
