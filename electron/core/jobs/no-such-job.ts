import { failure } from '../../../shared/errors.ts';

/** Throws `AppError('not-found')`: the job was cleared. */
export function noSuchJob(): never {
  throw failure('not-found', 'There is no such job any more.', { reason: 'job-gone' });
}
