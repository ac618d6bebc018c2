import { toAppError, type AppError } from '../../../../shared/errors.ts';
import { storageFailureOf } from '../../store/sqlite-errors.ts';

/** Converts a failure of the table thread; a full disk becomes a storage error. */
export function appErrorOf(thrown: unknown): AppError {
  return toAppError(storageFailureOf(thrown) ?? thrown);
}
