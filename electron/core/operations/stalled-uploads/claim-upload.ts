import type { JobEngine } from '../../jobs/engine.ts';
import { jobExists, refuseAbortBeside, lockKeyOf, uploadJobSchema } from '../../multipart/upload-job.ts';
import { quietUntilOf } from '../../multipart/new-jobs.ts';
import type { Clock } from '../../ports.ts';
import type { ItemStore } from '../../transfers/items/item-store.ts';
import type { OperationDeps } from '../objects/operation-deps.ts';

export interface ClaimDeps {
  readonly jobs: Pick<JobEngine, 'ofLock' | 'unfinished' | 'send' | 'released'>;
  readonly items: Pick<ItemStore, 'holderOf'>;
  /** The locks of uploads that items are processing, each with the id of its job. */
  readonly held: Map<string, string>;
  readonly clock: Clock;
}

/** Returns a function that locks an upload for one job, so that no other job works on it. */
export function uploadClaimer({ jobs, items, held, clock }: ClaimDeps): OperationDeps['claimUpload'] {
  return async (ref, jobId, others) => {
    const lockKey = lockKeyOf(ref);
    if (held.has(lockKey) || items.holderOf(lockKey, jobId) !== null) throw jobExists();
    held.set(lockKey, jobId);
    const giveBack = (): void => {
      if (held.get(lockKey) === jobId) held.delete(lockKey);
    };
    try {
      const unfinished = jobs.unfinished(lockKey).map((job) => uploadJobSchema.parse(job));
      for (const job of unfinished) {
        if (others === 'refuse') throw jobExists();
        refuseAbortBeside(job);
        jobs.send(job.id, { kind: 'cancel' });
      }
      // Waits until cancelled jobs have stopped sending parts.
      if (unfinished.length > 0) await jobs.released(lockKey);
      const earlier = jobs.ofLock(lockKey).map((job) => uploadJobSchema.parse(job));
      return { quietUntilMs: quietUntilOf(earlier, clock.nowMs()), giveBack };
    } catch (thrown) {
      giveBack();
      throw thrown;
    }
  };
}
