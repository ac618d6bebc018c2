import type { AppError, ErrorCode } from './error-schema.ts';
import type { ErrorReason } from './error-reasons.ts';

export type { AppError, Difference, ErrorCode, S3Error } from './error-schema.ts';

/** The exception that the program throws for expected failures. Wraps an AppError, which can be sent to the window. */
export class AppFailure extends Error {
  readonly error: AppError;

  constructor(error: AppError, options?: { readonly cause?: unknown }) {
    super(error.message, options);
    this.name = 'AppFailure';
    this.error = error;
  }
}

type Details = Partial<Omit<AppError, 'code' | 'message' | 'reason'>> & {
  readonly reason?: ErrorReason;
  readonly cause?: unknown;
};

/** Builds an AppFailure. By default, the request must not be retried (`retry: never`) and had no effect (`not-applied`). */
export function failure(code: ErrorCode, message: string, details: Details = {}): AppFailure {
  const { cause, ...rest } = details;
  const error: AppError = { code, message, retry: 'never', outcome: 'not-applied', ...rest };
  return new AppFailure(error, cause === undefined ? undefined : { cause });
}

/** Returns the AppError inside a thrown value. Converts any other value to `internal`. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppFailure) return thrown.error;
  if (isAbort(thrown)) return failure('cancelled', 'The request was cancelled.').error;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return failure('internal', message).error;
}

function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError';
}
