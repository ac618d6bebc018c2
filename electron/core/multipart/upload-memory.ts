import type { ConditionForm } from '../s3/model/condition-memory.ts';
import type { ListedUpload } from './parts/list-parts.ts';

/** A Complete in flight. */
export interface RunningComplete {
  /** The Complete has been silent for a while. */
  isSilent: boolean;
  /** The user chose "Look now". */
  isLookWanted: boolean;
}

/** State that the steps of uploads share while the program runs. A restart does not need it. */
export class UploadMemory {
  /** By job: the listing that the next effect of the same run works on; null: the service does not list the parts. */
  readonly listings = new Map<string, ListedUpload | null>();
  /** Completes in flight, by job. */
  readonly completes = new Map<string, RunningComplete>();
  /** By job: conditions that a Complete was refused with. */
  readonly refusedConditions = new Map<string, ConditionForm>();
  /** Connections whose service has refused a Complete that left stored parts out. */
  readonly refusingSubsets = new Set<string>();
  /** The recent speed of parts; null: none were sent. */
  recentBytesPerSecond: number | null = null;

  /** "Look now", of a job or one of its items. */
  lookNow(jobId: string): void {
    for (const [id, running] of this.completes) if (isOf(jobId, id)) running.isLookWanted = true;
  }

  /** Returns true if the job, or one of its items, waits for a silent Complete. */
  isSilent(jobId: string): boolean {
    return [...this.completes].some(([id, { isSilent }]) => isSilent && isOf(jobId, id));
  }
}

/** The uploads of a transfer's items are named by the transfer's id and their own. */
function isOf(jobId: string, uploadJobId: string): boolean {
  return uploadJobId === jobId || uploadJobId.startsWith(`${jobId}/`);
}
