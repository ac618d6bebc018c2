import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Coalescer } from '../flow/coalescer.ts';

/** The system calls that mark files as downloaded. Tests substitute another system. */
export interface MarkingSystem {
  readonly platform: NodeJS.Platform;
  readonly write: (filePath: string, text: string) => void;
  /** Rejects when the program fails. */
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

/** Source: [MS-FSCC] 5.6.1, Zone.Identifier; 3 is the internet. */
const zoneMark = '[ZoneTransfer]\r\nZoneId=3\r\n';

/**
 * Marks a file on Windows as downloaded. Called before its time is set, which the mark would change, and before its rename,
 * which keeps the mark. Returns false on a volume without streams, such as FAT, where no program can mark a file.
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

/** Maximum number of paths in one command, whose length the system limits. */
const maxPaths = 100;

/**
 * Returns a function that marks files on macOS after their rename, several with one command. It resolves to false if the mark
 * could not be set; the file is complete then, and keeps its name.
 */
export function namedFilesMarker({ platform, run, nowMs }: MarkingSystem = thisSystem): (
  filePath: string,
) => Promise<boolean> {
  if (platform !== 'darwin') return () => Promise.resolve(true);
  const batches = new Coalescer<string, boolean>({
    size: maxPaths,
    atOnce: 1,
    send: async (paths) => {
      // The format that browsers write: flags, the time in hexadecimal seconds, the program.
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

/** Marks files on this computer. */
export const markNamed = namedFilesMarker();
