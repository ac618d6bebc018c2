import { implement, ORPCError } from '@orpc/server';
import { contract } from '../../../shared/contract/index.ts';
import { failure, toAppError, type AppError } from '../../../shared/errors.ts';
import { diskFailure } from '../disk/disk-failure.ts';
import type { Logger } from '../ports.ts';
import { redactText } from '../s3/model/redact.ts';
import { storageFailureOf } from '../store/sqlite-errors.ts';

/**
 * Creates the implementer of the contract. Anything that a handler throws, at once or during a stream, reaches the window as the
 * typed error APP. The middleware runs before input validation, so that invalid input does too.
 */
export function createImplementer(logger: Logger) {
  return implement(contract)
    .$config({ initialInputValidationIndex: 1, initialOutputValidationIndex: 1 })
    .use(async ({ next, path }) => {
      const fail = (thrown: unknown): never => {
        throw asApp(thrown, path, logger);
      };
      try {
        const result = await next();
        return isStream(result.output) ? { ...result, output: guarded(result.output, fail) } : result;
      } catch (thrown) {
        return fail(thrown);
      }
    });
}

/** The signal of a call that the window cannot abort. */
export const never = new AbortController().signal;

export type Implementer = ReturnType<typeof createImplementer>;

type Stream = AsyncIterator<unknown, unknown, unknown> & AsyncIterable<unknown>;

function isStream(value: unknown): value is Stream {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value;
}

function guarded(stream: Stream, fail: (thrown: unknown) => never): Stream {
  return {
    next: async () => {
      try {
        return await stream.next();
      } catch (thrown) {
        return fail(thrown);
      }
    },
    return: async (value?: unknown) => (await stream.return?.(value)) ?? { done: true, value },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function asApp(thrown: unknown, path: readonly string[], logger: Logger): ORPCError<'APP', AppError> {
  const error = errorOf(thrown);
  if (error.code === 'internal') {
    logger.error('A call failed unexpectedly.', { call: path.join('.'), err: thrown });
  }
  return new ORPCError('APP', { defined: true, message: error.message, data: error });
}

function errorOf(thrown: unknown): AppError {
  if (thrown instanceof ORPCError) {
    const input = thrown.code === 'BAD_REQUEST' ? inputFailure(thrown.data) : null;
    if (input !== null) return input;
  }
  const error = (storageFailureOf(thrown) ?? { error: toAppError(diskFailure(thrown)) }).error;
  return error.code === 'internal' ? { ...error, message: redactText(error.message) } : error;
}

/** Describes which argument is invalid; null for other errors. Does not repeat the value, which may be a secret. */
function inputFailure(data: unknown): AppError | null {
  if (typeof data !== 'object' || data === null || !('issues' in data) || !Array.isArray(data.issues))
    return null;
  const problems = (data.issues as readonly { path?: readonly unknown[]; message?: string }[])
    .slice(0, 5)
    .map((issue) => {
      const where = (issue.path ?? [])
        .map((part) => String(typeof part === 'object' && part !== null && 'key' in part ? part.key : part))
        .join('.');
      return `${where === '' ? 'the input' : where}: ${issue.message ?? 'not valid'}`;
    });
  return failure('invalid-argument', `The input of the call is invalid (${problems.join('; ')}).`, {
    retry: 'after-fix',
    reason: 'input',
  }).error;
}
