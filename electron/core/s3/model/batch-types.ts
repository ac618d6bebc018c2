import type { BatchOperation, BatchSeen, NewBatch } from '../../../../shared/models/batches.ts';
import type { RequestOptions } from './request-types.ts';

/** An account's S3 Control in a region. */
export interface ControlPlace {
  readonly accountId: string;
  readonly region: string;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_control_CreateJob.html */
export interface CreateBatchInput extends ControlPlace {
  readonly operation: BatchOperation;
  /** The same token gives the same job, however often it is asked for. */
  readonly token: string;
  readonly description: string;
  readonly manifest: {
    readonly bucket: string;
    readonly key: string;
    readonly etag: string;
    readonly versionId: string | null;
  };
  readonly report: NewBatch['report'];
  readonly priority: number;
  readonly roleArn: string;
  readonly asksFirst: boolean;
}

/** S3 Control: jobs that the service itself runs over many objects. */
export interface BatchOperations {
  /** True if the provider offers S3 Batch Operations. */
  readonly hasBatches: boolean;
  createBatch(input: CreateBatchInput, options?: RequestOptions): Promise<{ readonly serviceId: string }>;
  describeBatch(
    input: ControlPlace & { readonly serviceId: string },
    options?: RequestOptions,
  ): Promise<BatchSeen>;
  /** Lets a job run that waits for it, or cancels one. False: the job is past that. */
  tellBatch(
    input: ControlPlace & { readonly serviceId: string; readonly wanted: 'Ready' | 'Cancelled' },
    options?: RequestOptions,
  ): Promise<boolean>;
  /** The job with exactly this description, of those that run or ended in the last 30 days; null: there is none. */
  findBatch(
    input: ControlPlace & { readonly description: string },
    options?: RequestOptions,
  ): Promise<string | null>;
}
