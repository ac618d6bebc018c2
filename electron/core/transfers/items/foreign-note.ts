import type { Foreign } from '../../../../shared/models/objects.ts';
import type { NewAttempt } from '../../jobs/job.ts';

/** Returns a log entry about keys outside the requested prefix, which the service listed and the job ignores. */
export function foreignAttempt(prefix: string, { count, example }: Foreign): NewAttempt {
  const such = example === null ? '' : `, such as ${JSON.stringify(example)}`;
  return {
    request: 'list-objects',
    partNumber: null,
    status: null,
    requestId: null,
    error: null,
    note: `left out ${String(count)} ${count === 1 ? 'entry' : 'entries'} from outside ${JSON.stringify(prefix)}${such}`,
  };
}
