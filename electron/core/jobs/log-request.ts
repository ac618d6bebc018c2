import { toAppError, type AppError } from '../../../shared/errors.ts';
import type { NewAttempt } from './job.ts';
import type { Foreign } from '../../../shared/models/objects.ts';

/** Runs a request of a job and logs it, whether it succeeds or fails. `note` describes the request, or its result. */
export async function logged<T>(
  log: (attempt: NewAttempt) => void,
  request: string,
  work: () => Promise<T>,
  note: string | null | ((result: T) => string | null) = null,
): Promise<T> {
  try {
    const result = await work();
    log(noteAttempt(request, typeof note === 'function' ? note(result) : note));
    return result;
  } catch (thrown) {
    log(failedAttempt(request, null, toAppError(thrown)));
    throw thrown;
  }
}

/** Returns the log entry of a successful request, or of a remark about a request. */
export function noteAttempt(request: string, note: string | null): NewAttempt {
  return { request, partNumber: null, status: null, requestId: null, error: null, note };
}

export function failedAttempt(request: string, partNumber: number | null, error: AppError): NewAttempt {
  return {
    request,
    partNumber,
    status: error.s3?.status ?? null,
    requestId: error.s3?.requestId ?? null,
    error,
    note: null,
  };
}

/** Returns a log entry about keys outside the requested prefix, which the service listed and the job ignores. */
export function foreignAttempt(prefix: string, { count, example }: Foreign): NewAttempt {
  const such = example === null ? '' : `, such as ${JSON.stringify(example)}`;
  const entries = `${String(count)} ${count === 1 ? 'entry' : 'entries'}`;
  return noteAttempt('list-objects', `left out ${entries} from outside ${JSON.stringify(prefix)}${such}`);
}
