import { lstat } from 'node:fs/promises';
import type { ErrorReason } from '../../../shared/error-reasons.ts';
import { AppFailure, failure, toAppError } from '../../../shared/errors.ts';
import { fenceFailure } from './fence.ts';
import { codeOf } from './small-files.ts';

type Described = readonly [reason: ErrorReason, message: string];

/** The failures that codes of the file system mean, whatever was read or written. */
const knownFailures: Readonly<Record<string, Described>> = {
  EDQUOT: ['quota-full', 'The disk quota of this account is used up.'],
  ESTALE: ['drive-stale', 'The network drive no longer has this file or folder.'],
  ENOSPC: ['disk-full', 'The target disk is full.'],
  EROFS: ['disk-read-only', 'The disk is read-only.'],
  EIO: ['disk-broken', 'The disk could not read or write its data.'],
  EMFILE: ['too-many-open-files', 'Too many files are open on this computer.'],
  ENFILE: ['too-many-open-files', 'Too many files are open on this computer.'],
  ENAMETOOLONG: ['name-too-long', 'The path is too long for this system.'],
};

/** The failures of a write, for codes that mean something else when a file is read. */
const writeFailures: Readonly<Record<string, Described>> = {
  EACCES: ['folder-unwritable', 'The system does not allow Cooper to write here.'],
  EPERM: ['folder-unwritable', 'The system does not allow Cooper to write here.'],
  ENOENT: ['folder-missing', 'The folder no longer exists.'],
  ENOTDIR: ['folder-missing', 'The folder no longer exists.'],
};

/** The failures of a read. The threads that read files report SHORT and CHANGED like codes of the system. */
const readFailures: Readonly<Record<string, Described>> = {
  ENOENT: ['file-missing', 'The local file no longer exists.'],
  ENOTDIR: ['file-missing', 'The local file no longer exists.'],
  SHORT: ['file-changed', 'The local file has become shorter.'],
  CHANGED: ['file-changed', 'The local file changed while it was being read.'],
};

/** Converts a known error code of the file system to an AppFailure; null for any other code. */
export function knownDiskFailure(code: string | null, cause?: unknown): AppFailure | null {
  return describedFailure(knownFailures, code, cause);
}

function describedFailure(
  failures: Readonly<Record<string, Described>>,
  code: string | null,
  cause?: unknown,
): AppFailure | null {
  const described = code !== null && Object.hasOwn(failures, code) ? failures[code] : undefined;
  if (described === undefined) return null;
  const [reason, message] = described;
  // Only this failure passes without the user, once other files are closed.
  const retry = reason === 'too-many-open-files' ? 'backoff' : 'after-fix';
  return failure('storage', message, { reason, retry, cause });
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
  return (
    knownDiskFailure(code, thrown) ??
    describedFailure(writeFailures, code, thrown) ??
    failure('storage', `The system reported ${code}.`, {
      reason: 'local-failed',
      retry: 'after-fix',
      cause: thrown,
    })
  );
}

/** Throws an error of the file system as `localFileFailure` converts it. For `catch` of a promise. */
export function throwLocalFileFailure(thrown: unknown): never {
  throw localFileFailure(thrown);
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
  return (
    fenceFailure(code) ??
    describedFailure(readFailures, code) ??
    knownDiskFailure(code) ??
    failure('storage', `The local file cannot be read (${code ?? 'no code'}).`, {
      reason: 'file-unreadable',
      retry: 'after-fix',
    })
  );
}
