import { failure } from '../../../shared/errors.ts';

export function noSuchJob(): never {
  throw failure('not-found', 'There is no such job any more.', { reason: 'job-gone' });
}
