import type { JobSettings } from '../../../shared/models/jobs.ts';
import type { Hasher } from '../disk/hash-pool.ts';
import type { BandwidthLimiter } from '../flow/bandwidth.ts';
import type { PartScheduler } from '../flow/part-scheduler.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { EffectContext } from '../jobs/job.ts';
import type { Clock, Random } from '../ports.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import type { PartStore } from './parts/part-store.ts';
import type { UploadJob } from './upload-job.ts';
import type { UploadMemory } from './upload-memory.ts';
import type { UploadEvent } from './upload-transition.ts';

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
