import type { JobSettings } from '../../../shared/models/jobs.ts';
import type { Hasher } from '../disk/hash-pool.ts';
import type { BandwidthLimiter } from '../flow/limits.ts';
import type { PartScheduler } from '../flow/part-scheduler.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { EffectContext } from '../jobs/job.ts';
import type { Clock, Random } from '../ports.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import type { PartStore } from './parts/part-store.ts';
import type { UploadJob } from './upload-job.ts';
import type { UploadEvent } from './upload-transition.ts';
import type { ConditionForm } from '../s3/model/condition-memory.ts';
import type { ListedUpload } from './list-uploads.ts';

/** A Complete request in flight. */
export interface RunningComplete {
  /** True if no byte of the response has arrived for a while. */
  isSilent: boolean;
  /** True if the user chose “Check now” and the key has not been checked since. */
  isCheckRequested: boolean;
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
  /** The recent speed at which parts were sent, to estimate how long a plan takes; null if no part has been sent yet. */
  recentBytesPerSecond: number | null = null;

  /** Makes the Complete requests of a job and its items check the key at once (“Check now”). */
  lookNow(jobId: string): void {
    for (const [id, running] of this.completes) if (isOf(jobId, id)) running.isCheckRequested = true;
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

export interface UploadDriverDeps {
  readonly store: JobStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  /**
   * Returns the client of a connection. Throws AppError('not-found'), reason connection-missing, if the connection was deleted.
   */
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  readonly settings: () => JobSettings;
  readonly minPartBytes: number;
}

/**
 * The context of an effect. For a job with several files, `shared` limits the parts in flight, and `order` is the rank of this
 * file. Absent for a single file.
 */
export type UploadContext = EffectContext<UploadEvent> & {
  readonly shared?: { readonly scheduler: PartScheduler; readonly order: number };
};

/** The inputs of each step of an upload. */
export interface UploadWork {
  readonly client: S3Client;
  readonly job: UploadJob;
  readonly context: UploadContext;
  readonly deps: UploadDriverDeps;
  readonly parts: PartStore;
  readonly memory: UploadMemory;
  /** The bandwidth limit that all uploads share. */
  readonly bandwidth: BandwidthLimiter;
}
