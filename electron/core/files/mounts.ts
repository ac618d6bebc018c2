import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** Returns the mounted volumes other than the system disk, from the usual places of each system. */
export async function mountPoints(platform: NodeJS.Platform = process.platform): Promise<readonly string[]> {
  if (platform === 'win32')
    return await existing('CDEFGHIJKLMNOPQRSTUVWXYZ'.split('').map((letter) => `${letter}:\\`));
  if (platform === 'darwin') return await inside('/Volumes');
  const media = (await Promise.all((await inside('/media')).map(inside))).flat();
  const run = (await Promise.all((await inside('/run/media')).map(inside))).flat();
  return onlyMounts([...(await inside('/mnt')), ...media, ...run], await readMounts());
}

/** Returns the table of mounted volumes; null if this system has none. */
async function readMounts(): Promise<string | null> {
  return await readFile('/proc/self/mounts', 'utf8').catch(() => null);
}

/** Returns the folders that are mount points. The others are ordinary folders on the system disk. */
export function onlyMounts(folders: readonly string[], mounts: string | null): readonly string[] {
  if (mounts === null) return folders;
  const mounted = new Set(
    mounts.split('\n').map((line) =>
      // In this table, a space in a path is written as its octal code.
      (line.split(' ')[1] ?? '').replaceAll(/\\(\d{3})/g, (_, code: string) =>
        String.fromCodePoint(Number.parseInt(code, 8)),
      ),
    ),
  );
  return folders.filter((folder) => mounted.has(folder));
}

async function inside(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return await existing(names.filter((name) => !name.startsWith('.')).map((name) => path.join(folder, name)));
}

async function existing(folders: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const seen = await stat(folder).catch(() => null);
      return seen?.isDirectory() === true ? folder : null;
    }),
  );
  return found.filter((folder) => folder !== null);
}
