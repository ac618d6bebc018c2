import { statfs } from 'node:fs/promises';
import { failure } from '../../../shared/errors.ts';

export async function freeBytesOf(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

export function nothingWhereAbsent(thrown: unknown): string[] {
  if (codeOf(thrown) === 'ENOENT') return [];
  throw thrown;
}

function codeOf(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : null;
}

export function noSpace(message: string, cause?: unknown): Error {
  return failure('storage', message, { reason: 'drop-no-space', retry: 'after-fix', cause });
}

export function wrongSize(): Error {
  return failure('invalid-argument', 'The size of the received file differs from the announced size.', {
    reason: 'drop-wrong-size',
    retry: 'after-fix',
  });
}

export function storageFailure(thrown: unknown): unknown {
  switch (codeOf(thrown)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return noSpace('The disk of the data folder is full.', thrown);
    case 'ECONNRESET':
    case 'ERR_STREAM_PREMATURE_CLOSE':
    case 'ABORT_ERR':
      return failure('cancelled', 'The upload of the dropped file was interrupted.', { cause: thrown });
    case null:
      return thrown;
    default:
      return failure('storage', 'The copy of the dropped file could not be written.', {
        reason: 'drop-not-written',
        retry: 'after-fix',
        cause: thrown,
      });
  }
}
