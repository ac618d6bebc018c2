import { toAppError, type AppError } from '../../../../shared/errors.ts';
import { storageFailureOf } from '../../store/sqlite-errors.ts';

/** A failure of the table thread for the main one; a full disk is reported as such. */
export function appErrorOf(thrown: unknown): AppError {
  return toAppError(storageFailureOf(thrown) ?? thrown);
}
