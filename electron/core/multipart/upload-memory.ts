import type { ConditionForm } from '../s3/model/condition-memory.ts';
import type { ListedUpload } from './parts/list-parts.ts';

/** A Complete request in flight. */
export interface RunningComplete {
  /** True if no byte of the response has arrived for a while. */
  isSilent: boolean;
  /** True if the user chose “Look now” and the key was not checked since. */
  isLookWanted: boolean;
}

/** State shared by the steps of upload jobs. It is not stored on disk, because no step needs it after a restart. */
export class UploadMemory {
  /** The listed parts for each job's next effect; null if the service does not list parts. */
  readonly listings = new Map<string, ListedUpload | null>();
  /** The Complete requests in flight, by job id. */
  readonly completes = new Map<string, RunningComplete>();
  /** The condition with which each job's Complete request was rejected. */
  readonly refusedConditions = new Map<string, ConditionForm>();
  /** The connections whose service rejected a Complete request that left out stored parts. */
  readonly refusingSubsets = new Set<string>();
  /** The recent speed at which parts were sent; null if no part was sent yet. */
  recentBytesPerSecond: number | null = null;

  /** Makes the Complete requests of a job and its items check the key at once (“Look now”). */
  lookNow(jobId: string): void {
    for (const [id, running] of this.completes) if (isOf(jobId, id)) running.isLookWanted = true;
  }

  /** Returns true if a Complete request of the job or of one of its items has had no response for long. */
  isSilent(jobId: string): boolean {
    return [...this.completes].some(([id, { isSilent }]) => isSilent && isOf(jobId, id));
  }
}

/** Returns true if the upload belongs to the job or to one of its items, whose ids start with the job's id. */
function isOf(jobId: string, uploadJobId: string): boolean {
  return uploadJobId === jobId || uploadJobId.startsWith(`${jobId}/`);
}
