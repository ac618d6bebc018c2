import { lstat } from 'node:fs/promises';
import { failure } from '../../../shared/errors.ts';
import { knownDiskFailure } from './disk-failure.ts';
import { fenceFailure } from './fence.ts';

/** Returns the failure for a link whose target does not exist. */
export function danglingLink(): Error {
  return failure('storage', 'The link leads to a file that does not exist.', {
    reason: 'link-dangling',
    retry: 'after-fix',
  });
}

/** Returns true if the path is a symbolic link. Called for a path that cannot be followed. */
export async function isSymbolicLink(filePath: string): Promise<boolean> {
  try {
    return (await lstat(filePath)).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Converts the system's error code of a failed read to an AppFailure. */
export function readFailure(code: string | null): Error {
  const fenced = fenceFailure(code);
  if (fenced !== null) return fenced;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return failure('storage', 'The local file no longer exists.', {
      reason: 'file-missing',
      retry: 'after-fix',
    });
  if (code === 'SHORT')
    return failure('storage', 'The local file has become shorter.', {
      reason: 'file-changed',
      retry: 'after-fix',
    });
  if (code === 'CHANGED')
    return failure('storage', 'The local file changed while it was read.', {
      reason: 'file-changed',
      retry: 'after-fix',
    });
  const known = knownDiskFailure(code);
  if (known !== null) return known;
  return failure('storage', `The local file cannot be read (${code ?? 'no code'}).`, {
    reason: 'file-unreadable',
    retry: 'after-fix',
  });
}
