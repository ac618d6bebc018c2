import { toAppError, type AppError } from '../../../../shared/errors.ts';
import { storageFailureOf } from '../../store/sqlite-errors.ts';

/** What went wrong in the thread of the tables, for the main one: a full disk is told as such. */
export function errorOf(thrown: unknown): AppError {
  return toAppError(storageFailureOf(thrown) ?? thrown);
}
