import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Clock, DiskSync } from '../core/ports.ts';

/** A program that is told a folder in a line, and answers `y` when all that was written to its disk is safe. */
export type Helper = Pick<ChildProcessByStdio<Writable, Readable, null>, 'stdin' | 'stdout' | 'on'>;

/**
 * `sync -f` calls syncfs, for which Node has no function. A shell that stays is asked, since to start a program from here
 * costs ten times what it takes the shell.
 */
const script = 'while IFS= read -r folder; do if sync -f "$folder"; then echo y; else echo n; fi; done';

/** Local disks whose syncfs writes everything down, tells of errors, and asks the disk for its own memory (statfs(2)). */
const ext4 = 0xef53;
const xfs = 0x58465342;
const btrfs = 0x9123683e;
const fitSystems: ReadonlySet<number> = new Set([ext4, xfs, btrfs]);

/** syncfs tells of failed writes since Linux 5.8 (syncfs(2)). */
const firstRelease: readonly [number, number] = [5, 8];

/** A sync waits for all that any program writes to this disk. So long, and each file is made safe by itself. */
const patienceMs = 5_000;
const mostFailures = 3;

export interface DiskSyncDeps {
  readonly clock: Clock;
  readonly start: () => Helper;
  /** The kind of the file system that a folder is on, by its number. */
  readonly systemOf: (folder: string) => Promise<number>;
}

/** Null: this system has no such call, or one that does not tell of errors. */
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

/** It ends with this process, whose end it sees in its input, and does not keep it alive. */
function startShell(): Helper {
  // Nothing of the environment but the way to `sync`: keys may be there.
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' };
  const shell = spawn('/bin/sh', ['-c', script], { cwd: '/', env, stdio: ['pipe', 'pipe', 'ignore'] });
  shell.unref();
  for (const pipe of [shell.stdin, shell.stdout]) if (pipe instanceof Socket) pipe.unref();
  return shell;
}

interface Running {
  readonly helper: Helper;
  /** In the order in which they were told; what came too late is answered to nobody. */
  readonly asked: ((isSafe: boolean) => void)[];
}

/** Asks one helper after the other; any doubt is a no, after which each file is made safe by itself. */
export function createDiskSync({ clock, start, systemOf }: DiskSyncDeps): DiskSync {
  let running: Running | null = null;
  let failures = 0;
  let isSlow = false;
  let isClosed = false;

  const begin = (): Running => {
    const helper = start();
    const own: Running = { helper, asked: [] };
    const over = (): void => {
      if (running !== own) return;
      running = null;
      isSlow = false;
      failures += 1;
      for (const answer of own.asked.splice(0)) answer(false);
    };
    helper.on('error', over);
    helper.on('exit', over);
    helper.stdin.on('error', over);
    createInterface({ input: helper.stdout }).on('line', (line) => {
      isSlow = false;
      const isSafe = line === 'y';
      failures = isSafe ? 0 : failures + 1;
      own.asked.shift()?.(isSafe);
    });
    return own;
  };

  const ask = async (folder: string): Promise<boolean> => {
    try {
      running ??= begin();
    } catch {
      // Without a shell, or without memory for one, nothing is lost but time.
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
      if (isClosed || isSlow || failures >= mostFailures) return false;
      if (!path.isAbsolute(folder) || /[\n\0]/.test(folder)) return false;
      try {
        if (!fitSystems.has(await systemOf(folder))) return false;
      } catch {
        // A fault of the folder is reported by the code that works with its files.
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
