import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** What is mounted beside the system's own disk, where each system puts it. */
export async function mountPoints(platform: NodeJS.Platform = process.platform): Promise<readonly string[]> {
  if (platform === 'win32')
    return await existing('CDEFGHIJKLMNOPQRSTUVWXYZ'.split('').map((letter) => `${letter}:\\`));
  if (platform === 'darwin') return await inside('/Volumes');
  const media = (await Promise.all((await inside('/media')).map(inside))).flat();
  const run = (await Promise.all((await inside('/run/media')).map(inside))).flat();
  return [...(await inside('/mnt')), ...media, ...run];
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
