import { opendir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Returns true if the folder treats `a` and `A` as the same name. Writes nothing: looks up an entry, or the folder itself, in the
 * other case. If that shows nothing, assumes the usual behaviour of the operating system.
 */
export async function isProbablyCaseInsensitive(folder: string): Promise<boolean> {
  let looked = 0;
  for await (const { name } of await opendir(folder)) {
    const verdict = await isFoundInOtherCase(folder, name);
    if (verdict !== null) return verdict;
    looked += 1;
    if (looked >= 100) break;
  }
  const isFolding = await isFoundInOtherCase(path.dirname(folder), path.basename(folder));
  return isFolding ?? (process.platform === 'darwin' || process.platform === 'win32');
}

async function isFoundInOtherCase(folder: string, name: string): Promise<boolean | null> {
  const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  if (other === name) return null;
  try {
    const here = await stat(path.join(folder, name), { bigint: true });
    const there = await stat(path.join(folder, other), { bigint: true }).catch(() => null);
    return there !== null && there.ino === here.ino && there.dev === here.dev;
  } catch {
    // The entry disappeared or is a dangling link, so another name is tried.
    return null;
  }
}
