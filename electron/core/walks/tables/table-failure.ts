import { toAppError, type AppError } from '../../../../shared/errors.ts';
import { storageFailureOf } from '../../store/sqlite-errors.ts';

/** Converts an error in the table thread to an AppError. A full disk becomes a storage error. */
export function appErrorOf(thrown: unknown): AppError {
  return toAppError(storageFailureOf(thrown) ?? thrown);
}
