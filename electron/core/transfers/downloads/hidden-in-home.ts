import path from 'node:path';

/**
 * Whether a path below a chosen folder lands among the hidden files of the home folder (`.bashrc`, `.ssh/authorized_keys`):
 * other programs obey those. A folder that is hidden itself was chosen as it is. Both folders are real paths.
 */
export function isHiddenInHome(home: string, folder: string, local: string): boolean {
  // Only what `local` itself names lies below the home folder: the folder is the home, one above it, or elsewhere. To join
  // and compare the paths of each of thousands of files costs more than their rows.
  if (!/(?:^|[\\/])\./.test(local)) return false;
  const chosen = path.relative(home, folder);
  const isInside = chosen !== '' && !isOutside(chosen);
  // A home below the chosen folder counts too: `ann/.bashrc` into `/home`.
  if (isInside || path.isAbsolute(chosen)) return false;
  const target = path.relative(home, path.join(folder, ...local.split('/')));
  return target.startsWith('.') && !isOutside(target);
}

function isOutside(relative: string): boolean {
  return relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
}
