import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { shareServers } from './servers/real-server.ts';

const names = ['TMPDIR', 'TEMP', 'TMP'] as const;
let dir: string | null = null;
let wipeServers = (): void => undefined;
const before = new Map<string, string | undefined>();

/**
 * All that the tests of one run put into the system's temporary folder goes into one folder there, and goes with it: what a
 * test leaves behind that fails before it can tidy up, or whose worker is ended, too. So do the servers that the tests share.
 */
export function setup(): void {
  // Once for a run, however many projects it has.
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
