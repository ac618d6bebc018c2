import { powerSaveBlocker } from 'electron';
import type { Core } from '../../core/core.ts';
import type { JobCounts, JobState } from '../../../shared/models/jobs.ts';

/** Job states that may last long without any work: waiting for a slot, a retry or the user. */
const idle: ReadonlySet<string> = new Set<JobState>([
  'waiting',
  'retry-scheduled',
  'paused',
  'needs-attention',
  'done',
  'cancelled',
]);

/** Returns true while a job reads, sends or receives. */
function isTransferring({ byState }: Pick<JobCounts, 'byState'>): boolean {
  return Object.entries(byState).some(([state, count]) => count > 0 && !idle.has(state));
}

/** Keeps an idle computer awake while jobs run, until the signal aborts. The display may go off. */
export async function keepAwake(core: Pick<Core, 'jobs'>, signal: AbortSignal): Promise<void> {
  let blocker: number | null = null;
  const stop = (): void => {
    if (blocker !== null) powerSaveBlocker.stop(blocker);
    blocker = null;
  };
  try {
    for await (const { counts } of core.jobs.watch(signal)) {
      if (!isTransferring(counts)) stop();
      else blocker ??= powerSaveBlocker.start('prevent-app-suspension');
    }
  } finally {
    stop();
  }
}
