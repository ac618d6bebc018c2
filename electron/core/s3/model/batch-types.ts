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
  /** Idempotency token: the same token always returns the same job. */
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

/** S3 Control: jobs that the service runs over many objects. */
export interface BatchOperations {
  /** True if the provider offers S3 Batch Operations. */
  readonly hasBatches: boolean;
  createBatch(input: CreateBatchInput, options?: RequestOptions): Promise<{ readonly serviceId: string }>;
  describeBatch(
    input: ControlPlace & { readonly serviceId: string },
    options?: RequestOptions,
  ): Promise<BatchSeen>;
  /** Confirms or cancels a job that waits for it. Returns false if the job is past that state. */
  tellBatch(
    input: ControlPlace & { readonly serviceId: string; readonly wanted: 'Ready' | 'Cancelled' },
    options?: RequestOptions,
  ): Promise<boolean>;
  /** Returns the job with exactly this description, among those that run or ended in the last 30 days; null if there is none. */
  findBatch(
    input: ControlPlace & { readonly description: string },
    options?: RequestOptions,
  ): Promise<string | null>;
}
