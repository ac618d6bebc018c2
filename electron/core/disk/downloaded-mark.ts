import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Coalescer } from '../flow/coalescer.ts';

/** The system calls that mark files as downloaded. Tests replace them. */
export interface MarkingSystem {
  readonly platform: NodeJS.Platform;
  readonly write: (filePath: string, text: string) => void;
  /** Rejects if the program fails. */
  readonly run: (program: string, args: readonly string[]) => Promise<void>;
  readonly nowMs: () => number;
}

const thisSystem: MarkingSystem = {
  platform: process.platform,
  write: (filePath, text) => {
    writeFileSync(filePath, text);
  },
  run: (program, args) =>
    new Promise((resolve, reject) => {
      execFile(program, args, (error) => {
        if (error === null) resolve();
        else reject(error);
      });
    }),
  nowMs: () => Date.now(),
};

/** The content of the stream that marks a file as downloaded. 3 means the internet. Source: [MS-FSCC] 5.6.1, Zone.Identifier. */
const zoneMark = '[ZoneTransfer]\r\nZoneId=3\r\n';

/**
 * Marks a file on Windows as downloaded. Must run before the file's time is set, which the mark would change, and before its
 * rename, which keeps the mark. Returns false on a volume without streams, such as FAT, where files cannot be marked.
 */
export function markUnnamed(part: string, { platform, write }: MarkingSystem = thisSystem): boolean {
  if (platform !== 'win32') return true;
  try {
    write(`${part}:Zone.Identifier`, zoneMark);
    return true;
  } catch {
    return false;
  }
}

/** The maximum number of paths in one command, because the system limits its length. */
const maxPaths = 100;

/**
 * Returns a function that marks files on macOS after their rename, several with one command. It resolves to false if the mark
 * could not be set; the file is complete anyway and keeps its name.
 */
export function namedFilesMarker({ platform, run, nowMs }: MarkingSystem = thisSystem): (
  filePath: string,
) => Promise<boolean> {
  if (platform !== 'darwin') return () => Promise.resolve(true);
  const batches = new Coalescer<string, boolean>({
    size: maxPaths,
    atOnce: 1,
    send: async (paths) => {
      // The format that browsers write: flags, time in hexadecimal seconds, program.
      const value = `0081;${Math.floor(nowMs() / 1000).toString(16)};Cooper;`;
      const isMarked = await run('/usr/bin/xattr', ['-w', 'com.apple.quarantine', value, ...paths]).then(
        () => true,
        () => false,
      );
      return paths.map(() => isMarked);
    },
  });
  return (filePath) => batches.add(filePath);
}

/** Marks files after their rename, on this computer's system. */
export const markNamed = namedFilesMarker();
