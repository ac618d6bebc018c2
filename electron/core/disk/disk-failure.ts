import { lstat } from 'node:fs/promises';
import { AppFailure, failure, toAppError } from '../../../shared/errors.ts';
import { fenceFailure } from './fence.ts';
import { codeOf } from './small-files.ts';

/** Converts a known error code of the file system to an AppFailure; null for any other code. */
export function knownDiskFailure(code: string | null, cause?: unknown): AppFailure | null {
  const details = { retry: 'after-fix', cause } as const;
  switch (code) {
    case 'EDQUOT':
      return failure('storage', 'The disk quota of this account is used up.', {
        ...details,
        reason: 'quota-full',
      });
    case 'ESTALE':
      return failure('storage', 'The network drive no longer has this file or folder.', {
        ...details,
        reason: 'drive-stale',
      });
    case 'ENOSPC':
      return failure('storage', 'The target disk is full.', { ...details, reason: 'disk-full' });
    case 'EROFS':
      return failure('storage', 'The disk is read-only.', { ...details, reason: 'disk-read-only' });
    case 'EIO':
      return failure('storage', 'The disk could not read or write its data.', {
        ...details,
        reason: 'disk-broken',
      });
    case 'EMFILE':
    case 'ENFILE':
      return failure('storage', 'Too many files are open on this computer.', {
        reason: 'too-many-open-files',
        retry: 'backoff',
        cause,
      });
    case 'ENAMETOOLONG':
      return failure('storage', 'The path is too long for this system.', {
        ...details,
        reason: 'name-too-long',
      });
    default:
      return null;
  }
}

/**
 * Converts an error of the file system to an AppFailure. Returns other errors unchanged, such as those of the network and of the
 * program.
 */
export function diskFailure(thrown: unknown): unknown {
  if (thrown instanceof AppFailure || !(thrown instanceof Error) || !('syscall' in thrown)) return thrown;
  const code = codeOf(thrown);
  const isDenied = code === 'EACCES' || code === 'EPERM';
  // Sockets have this code too, but only errors of files have a path.
  return isDenied && 'path' in thrown ? localFileFailure(thrown) : (knownDiskFailure(code, thrown) ?? thrown);
}

/** Converts an error of the folder or file to which a transfer writes to an AppFailure. */
export function localFileFailure(thrown: unknown): Error {
  const code = codeOf(thrown);
  const fenced = fenceFailure(code);
  if (fenced !== null) return fenced;
  if (code === null || toAppError(thrown).code !== 'internal')
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  const known = knownDiskFailure(code, thrown);
  if (known !== null) return known;
  const details = { retry: 'after-fix', cause: thrown } as const;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return failure('storage', 'The system does not allow Cooper to write here.', {
        ...details,
        reason: 'folder-unwritable',
      });
    case 'ENOENT':
    case 'ENOTDIR':
      return failure('storage', 'The folder no longer exists.', { ...details, reason: 'folder-missing' });
    default:
      return failure('storage', `The system reported ${code}.`, { ...details, reason: 'local-failed' });
  }
}

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
    return failure('storage', 'The local file changed while it was being read.', {
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
