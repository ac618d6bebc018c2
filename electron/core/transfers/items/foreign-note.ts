import type { Foreign } from '../../../../shared/models/objects.ts';
import type { NewAttempt } from '../../jobs/job.ts';

/** A line of a job's log: the service listed entries that are not below the prefix, and the job leaves them alone. */
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
