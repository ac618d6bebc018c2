import { failure, toAppError, type AppError, type AppFailure } from '../../../shared/errors.ts';

// Source: https://sqlite.org/rescode.html. The low byte is the primary code.
const corrupt = 11;
const full = 13;
const notADatabase = 26;
const readOnly = 8;
const ioError = 10;
const busy = 5;
const cannotOpen = 14;

/** Returns SQLite's primary result code; null for other errors. */
function codeOf(thrown: unknown): number | null {
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number') return null;
  return thrown.errcode & 0xff;
}

/** Returns true if the file is corrupt or not a database. */
export function isDamage(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code === corrupt || code === notADatabase;
}

/** Returns true if another process has locked the file. */
export function isBusy(thrown: unknown): boolean {
  return codeOf(thrown) === busy;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Converts an SQLite error to an AppFailure; null for any other error. */
export function storageFailureOf(thrown: unknown): AppFailure | null {
  switch (codeOf(thrown)) {
    case null:
      return null;
    case full:
      return failure(
        'storage',
        'The disk that holds the data folder of Cooper is full. Free some space and try again.',
        { retry: 'after-fix', reason: 'disk-full', cause: thrown },
      );
    case readOnly:
      return failure('storage', 'The database of Cooper cannot be written: the data folder is read-only.', {
        retry: 'after-fix',
        reason: 'database-read-only',
        cause: thrown,
      });
    case ioError:
    case cannotOpen:
      return failure('storage', "The disk with Cooper's data folder reported an error.", {
        retry: 'after-fix',
        reason: 'database-io',
        cause: thrown,
      });
    case busy:
      return failure('storage', 'The database of Cooper is in use by another program.', {
        retry: 'backoff',
        reason: 'database-busy',
        cause: thrown,
      });
    case corrupt:
    case notADatabase:
      return failure(
        'storage',
        'The database of Cooper is damaged. Restart Cooper: it keeps the damaged file and creates a new one.',
        { retry: 'after-fix', reason: 'database-damaged', cause: thrown },
      );
    default:
      if (thrown instanceof Error && /unsupported file format/u.test(thrown.message))
        return failure(
          'storage',
          'The database of Cooper was written by a newer version of Cooper. Nothing was changed. Install that version, or choose another folder with --data-dir.',
          { retry: 'after-fix', reason: 'database-newer', cause: thrown },
        );
      return failure('storage', `The database of Cooper refused a change: ${messageOf(thrown)}.`, {
        cause: thrown,
      });
  }
}

/** Converts an error to an AppError. A full disk or a damaged database becomes a storage error. */
export function appErrorOf(thrown: unknown): AppError {
  return toAppError(storageFailureOf(thrown) ?? thrown);
}
