/** Returns true if the error says that the file or folder does not exist, the only failure that is no fault. */
export function isAbsent(thrown: unknown): boolean {
  return (
    thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR')
  );
}

/** Null where the file does not exist. Any other failure to read it is thrown: it may hold the only copy of something. */
export async function absentAsNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (thrown) {
    if (isAbsent(thrown)) return null;
    throw thrown;
  }
}
