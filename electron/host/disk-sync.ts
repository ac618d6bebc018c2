import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Clock, DiskSync } from '../core/ports.ts';

/** A process that reads one folder per line. It replies `y` once everything written to the folder's disk is durable. */
export type Helper = Pick<ChildProcessByStdio<Writable, Readable, null>, 'stdin' | 'stdout' | 'on'>;

/**
 * Runs `sync -f` for each line, which calls syncfs. Node has no function for that. One shell runs all of them, because starting a
 * process from Node takes ten times as long as from a shell.
 */
const script = 'while IFS= read -r folder; do if sync -f "$folder"; then echo y; else echo n; fi; done';

/** The numbers from statfs(2) of file systems whose syncfs flushes all data and the disk's cache, and reports errors. */
const ext4 = 0xef53;
const xfs = 0x58465342;
const btrfs = 0x9123683e;
const reliableSystems: ReadonlySet<number> = new Set([ext4, xfs, btrfs]);

/** The first release of Linux in which syncfs reports failed writes (syncfs(2)). */
const firstRelease: readonly [number, number] = [5, 8];

/** The time limit in ms for a flush, which waits for the writes of all programs. After it, each file is flushed separately. */
const flushTimeoutMs = 5_000;
const maxFailures = 3;

export interface DiskSyncDeps {
  readonly clock: Clock;
  readonly start: () => Helper;
  /** Returns the type number of the file system that contains a folder. */
  readonly systemOf: (folder: string) => Promise<number>;
}

/** Returns null if the system has no syncfs, or one that does not report failed writes. */
export function nodeDiskSync(clock: Clock): DiskSync | null {
  if (!reportsSyncErrors(process.platform, os.release())) return null;
  return createDiskSync({
    clock,
    start: startShell,
    systemOf: async (folder) => (await statfs(folder)).type,
  });
}

export function reportsSyncErrors(platform: string, release: string): boolean {
  if (platform !== 'linux') return false;
  const [major = 0, minor = 0] = release.split('.').map((part) => Number.parseInt(part, 10));
  const [firstMajor, firstMinor] = firstRelease;
  return major > firstMajor || (major === firstMajor && minor >= firstMinor);
}

/** Starts the shell. It ends when this process closes its input, and does not keep this process alive. */
function startShell(): Helper {
  // Only PATH is passed on, because other variables may contain keys.
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' };
  const shell = spawn('/bin/sh', ['-c', script], { cwd: '/', env, stdio: ['pipe', 'pipe', 'ignore'] });
  shell.unref();
  for (const pipe of [shell.stdin, shell.stdout]) if (pipe instanceof Socket) pipe.unref();
  return shell;
}

interface Running {
  readonly helper: Helper;
  /** The pending requests, oldest first. A reply after the time limit has no effect. */
  readonly pending: ((isSafe: boolean) => void)[];
}

/**
 * Creates a function that flushes a disk through a helper process. If that fails or is uncertain, returns false; the caller must
 * then flush each file.
 */
export function createDiskSync({ clock, start, systemOf }: DiskSyncDeps): DiskSync {
  let running: Running | null = null;
  let failures = 0;
  let isSlow = false;
  let isClosed = false;

  const begin = (): Running => {
    const helper = start();
    const started: Running = { helper, pending: [] };
    const onHelperEnd = (): void => {
      if (running !== started) return;
      running = null;
      isSlow = false;
      failures += 1;
      for (const response of started.pending.splice(0)) response(false);
    };
    helper.on('error', onHelperEnd);
    helper.on('exit', onHelperEnd);
    helper.stdin.on('error', onHelperEnd);
    createInterface({ input: helper.stdout }).on('line', (line) => {
      isSlow = false;
      const isSafe = line === 'y';
      failures = isSafe ? 0 : failures + 1;
      started.pending.shift()?.(isSafe);
    });
    return started;
  };

  const ask = async (folder: string): Promise<boolean> => {
    try {
      running ??= begin();
    } catch {
      // The shell is missing or there is too little memory. Flushing each file separately works too, but takes longer.
      failures += 1;
      return false;
    }
    const { helper, pending } = running;
    return await new Promise((resolve) => {
      pending.push(resolve);
      helper.stdin.write(`${folder}\n`);
    });
  };

  return {
    sync: async (folder) => {
      if (isClosed || isSlow || failures >= maxFailures) return false;
      if (!path.isAbsolute(folder) || /[\n\0]/.test(folder)) return false;
      try {
        if (!reliableSystems.has(await systemOf(folder))) return false;
      } catch {
        // The code that writes files in the folder reports its errors.
        return false;
      }
      const waiting = new AbortController();
      const answered = ask(folder).finally(() => {
        waiting.abort();
      });
      const tooLong = clock.sleep(flushTimeoutMs, waiting.signal).then(
        () => {
          isSlow = true;
          return false;
        },
        async () => await answered,
      );
      return await Promise.race([answered, tooLong]);
    },
    close: () => {
      isClosed = true;
      const last = running;
      running = null;
      last?.helper.stdin.end();
      for (const response of last?.pending.splice(0) ?? []) response(false);
    },
  };
}
