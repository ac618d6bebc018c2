import path from 'node:path';

/** Whether a real path is a folder itself or is in it. */
export function isInside(real: string, folder: string): boolean {
  const relative = path.relative(folder, real);
  return (
    relative === '' ||
    (!path.isAbsolute(relative) && relative !== '..' && !relative.startsWith(`..${path.sep}`))
  );
}

/**
 * Under one of the roots, in no dot-folder below it unless those are shown, and not in the program's data folder, but for
 * the samples there.
 */
export function isPickable(
  real: string,
  roots: readonly string[],
  dataDir: string,
  sampleDir: string | null,
  showHidden = false,
): boolean {
  if (sampleDir !== null && isInside(real, sampleDir)) return true;
  if (isInside(real, dataDir)) return false;
  return roots.some(
    (root) =>
      isInside(real, root) &&
      (showHidden ||
        !path
          .relative(root, real)
          .split(path.sep)
          .some((segment) => segment.startsWith('.'))),
  );
}
