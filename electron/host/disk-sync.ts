import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Clock, DiskSync } from '../core/ports.ts';

/** A process that reads one folder per line and replies `y` once everything written to its disk is durable. */
export type Helper = Pick<ChildProcessByStdio<Writable, Readable, null>, 'stdin' | 'stdout' | 'on'>;

/**
 * Runs `sync -f` for each line; it calls syncfs, for which Node has no function. One long-lived shell runs all of them, because
 * spawning from this process takes ten times as long as from the shell.
 */
const script = 'while IFS= read -r folder; do if sync -f "$folder"; then echo y; else echo n; fi; done';

/** File systems whose syncfs flushes all data, reports errors, and flushes the disk's own cache. Numbers: statfs(2). */
const ext4 = 0xef53;
const xfs = 0x58465342;
const btrfs = 0x9123683e;
const fitSystems: ReadonlySet<number> = new Set([ext4, xfs, btrfs]);

/** The first Linux release whose syncfs reports failed writes (syncfs(2)). */
const firstRelease: readonly [number, number] = [5, 8];

/** Time limit for a sync, which waits for the writes of all programs. Afterwards files are flushed one by one instead. */
const patienceMs = 5_000;
const maxFailures = 3;

export interface DiskSyncDeps {
  readonly clock: Clock;
  readonly start: () => Helper;
  /** Returns the file system's type number for a folder. */
  readonly systemOf: (folder: string) => Promise<number>;
}

/** Returns null if the system has no syncfs, or one that does not report failed writes. */
export function nodeDiskSync(clock: Clock): DiskSync | null {
  if (!tellsOfErrors(process.platform, os.release())) return null;
  return createDiskSync({
    clock,
    start: startShell,
    systemOf: async (folder) => (await statfs(folder)).type,
  });
}

export function tellsOfErrors(platform: string, release: string): boolean {
  if (platform !== 'linux') return false;
  const [major = 0, minor = 0] = release.split('.').map((part) => Number.parseInt(part, 10));
  const [firstMajor, firstMinor] = firstRelease;
  return major > firstMajor || (major === firstMajor && minor >= firstMinor);
}

/** Starts the shell. It ends when this process closes its input, and does not keep this process alive. */
function startShell(): Helper {
  // Passes only PATH: other variables may hold keys.
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' };
  const shell = spawn('/bin/sh', ['-c', script], { cwd: '/', env, stdio: ['pipe', 'pipe', 'ignore'] });
  shell.unref();
  for (const pipe of [shell.stdin, shell.stdout]) if (pipe instanceof Socket) pipe.unref();
  return shell;
}

interface Running {
  readonly helper: Helper;
  /** The pending requests, oldest first. A reply after the time limit has no effect. */
  readonly asked: ((isSafe: boolean) => void)[];
}

/**
 * Flushes through one helper process at a time. Any failure or doubt returns false; the caller then flushes each file separately.
 */
export function createDiskSync({ clock, start, systemOf }: DiskSyncDeps): DiskSync {
  let running: Running | null = null;
  let failures = 0;
  let isSlow = false;
  let isClosed = false;

  const begin = (): Running => {
    const helper = start();
    const started: Running = { helper, asked: [] };
    const over = (): void => {
      if (running !== started) return;
      running = null;
      isSlow = false;
      failures += 1;
      for (const answer of started.asked.splice(0)) answer(false);
    };
    helper.on('error', over);
    helper.on('exit', over);
    helper.stdin.on('error', over);
    createInterface({ input: helper.stdout }).on('line', (line) => {
      isSlow = false;
      const isSafe = line === 'y';
      failures = isSafe ? 0 : failures + 1;
      started.asked.shift()?.(isSafe);
    });
    return started;
  };

  const ask = async (folder: string): Promise<boolean> => {
    try {
      running ??= begin();
    } catch {
      // The shell could not be started: it is missing, or memory is short. Flushing each file instead only takes longer.
      failures += 1;
      return false;
    }
    const { helper, asked } = running;
    return await new Promise((resolve) => {
      asked.push(resolve);
      helper.stdin.write(`${folder}\n`);
    });
  };

  return {
    sync: async (folder) => {
      if (isClosed || isSlow || failures >= maxFailures) return false;
      if (!path.isAbsolute(folder) || /[\n\0]/.test(folder)) return false;
      try {
        if (!fitSystems.has(await systemOf(folder))) return false;
      } catch {
        // An error of the folder itself is reported by the code that writes its files.
        return false;
      }
      const waiting = new AbortController();
      const answered = ask(folder).finally(() => {
        waiting.abort();
      });
      const tooLong = clock.sleep(patienceMs, waiting.signal).then(
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
      for (const answer of last?.asked.splice(0) ?? []) answer(false);
    },
  };
}
