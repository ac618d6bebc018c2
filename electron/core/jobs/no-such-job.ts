import { failure } from '../../../shared/errors.ts';

/** Throws `AppError('not-found')`: the job was cleared. */
export function noSuchJob(): never {
  throw failure('not-found', 'This job no longer exists.', { reason: 'job-gone' });
}
