/** Returns true if the error says that a file or folder does not exist, which usually is no fault. */
export function isAbsent(thrown: unknown): boolean {
  return (
    thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR')
  );
}

/**
 * Returns null if the file does not exist. Rethrows all other errors, because the file may contain the only copy of something.
 */
export async function absentAsNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (thrown) {
    if (isAbsent(thrown)) return null;
    throw thrown;
  }
}
