/** Returns true if the error says that the file or folder does not exist, the only failure that is no fault. */
export function isAbsent(thrown: unknown): boolean {
  return (
    thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR')
  );
}

/** Returns null if the file does not exist. Rethrows any other failure: the file may hold the only copy of something. */
export async function absentAsNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (thrown) {
    if (isAbsent(thrown)) return null;
    throw thrown;
  }
}
