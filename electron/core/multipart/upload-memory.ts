import type { ConditionForm } from '../s3/model/condition-memory.ts';
import type { ListedUpload } from './parts/list-parts.ts';

/** A Complete request in flight. */
export interface RunningComplete {
  /** No byte of the response has arrived for a while. */
  isSilent: boolean;
  /** The user chose "Look now". */
  isLookWanted: boolean;
}

/** State that the steps of uploads share while the program runs. A restart does not need it. */
export class UploadMemory {
  /** By job: the listing for the next effect of the same run; null: the service does not list the parts. */
  readonly listings = new Map<string, ListedUpload | null>();
  /** Complete requests in flight, by job. */
  readonly completes = new Map<string, RunningComplete>();
  /** By job: the condition with which a Complete request was refused. */
  readonly refusedConditions = new Map<string, ConditionForm>();
  /** Connections whose service refused a Complete request that left stored parts out. */
  readonly refusingSubsets = new Set<string>();
  /** The recent speed of parts; null: none were sent. */
  recentBytesPerSecond: number | null = null;

  /** Requests a check of the key ("Look now") for a job and its items. */
  lookNow(jobId: string): void {
    for (const [id, running] of this.completes) if (isOf(jobId, id)) running.isLookWanted = true;
  }

  /** Returns true if the job, or one of its items, has waited long for the response of a Complete request. */
  isSilent(jobId: string): boolean {
    return [...this.completes].some(([id, { isSilent }]) => isSilent && isOf(jobId, id));
  }
}

/** Returns true if the upload is the job's own or belongs to an item, whose id starts with that of the transfer. */
function isOf(jobId: string, uploadJobId: string): boolean {
  return uploadJobId === jobId || uploadJobId.startsWith(`${jobId}/`);
}
