import { failure } from '../../../shared/errors.ts';
import { fenceFailure } from './fence.ts';

/** Turns the system's error code of a failed read into the program's own error. */
export function readFailure(code: string | null): Error {
  const fenced = fenceFailure(code);
  if (fenced !== null) return fenced;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return failure('storage', 'The local file is not there any more.', {
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
  return failure('storage', `The local file cannot be read (${code ?? 'no code'}).`, {
    reason: 'file-unreadable',
    retry: 'after-fix',
  });
}
