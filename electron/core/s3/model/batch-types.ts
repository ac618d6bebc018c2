import type { BatchOperation, BatchSeen, NewBatch } from '../../../../shared/models/batches.ts';
import type { RequestOptions } from './request-types.ts';

/** The S3 Control of an account in a region. */
export interface ControlPlace {
  readonly accountId: string;
  readonly region: string;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_control_CreateJob.html */
export interface CreateBatchInput extends ControlPlace {
  readonly operation: BatchOperation;
  /** A random text that makes the request idempotent: the service returns the same job for the same text. */
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

/** Requests to S3 Control for batch jobs, in which the service processes many objects. */
export interface BatchOperations {
  /** True if the provider has S3 Batch Operations. */
  readonly hasBatches: boolean;
  createBatch(input: CreateBatchInput, options?: RequestOptions): Promise<{ readonly serviceId: string }>;
  describeBatch(
    input: ControlPlace & { readonly serviceId: string },
    options?: RequestOptions,
  ): Promise<BatchSeen>;
  /** Confirms or cancels a job that waits for confirmation. Returns false if the job no longer waits. */
  tellBatch(
    input: ControlPlace & { readonly serviceId: string; readonly wanted: 'Ready' | 'Cancelled' },
    options?: RequestOptions,
  ): Promise<boolean>;
  /**
   * Returns the id of the job with exactly this description; null if there is none. Finds jobs that are running or ended within
   * the last 30 days.
   */
  findBatch(
    input: ControlPlace & { readonly description: string },
    options?: RequestOptions,
  ): Promise<string | null>;
}
