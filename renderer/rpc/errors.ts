import { ORPCError } from '@orpc/client';
import { CancelledError } from '@tanstack/react-query';
import { appErrorSchema } from '../../shared/error-schema.ts';
import { failure, toAppError, type AppError } from '../../shared/errors.ts';

/** Returns the AppError within an error thrown by a call, a query or a stream. */
export function appErrorOf(thrown: unknown): AppError {
  if (thrown instanceof CancelledError) return failure('cancelled', 'The request was cancelled.').error;
  if (!(thrown instanceof ORPCError)) return toAppError(thrown);
  if (thrown.code === 'APP') {
    const data = appErrorSchema.safeParse(thrown.data);
    if (data.success) return data.data;
  }
  if (thrown.code === 'BAD_REQUEST') return failure('invalid-argument', thrown.message).error;
  return failure('internal', thrown.message).error;
}

export function isCancelled(thrown: unknown): boolean {
  return appErrorOf(thrown).code === 'cancelled';
}
