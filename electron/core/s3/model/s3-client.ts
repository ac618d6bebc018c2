import type { Encryption } from '../../../../shared/models/transfers.ts';
import type {
  CreatedUpload,
  UploadPartCopyInput,
  CompleteMultipartUploadOutput,
  CompleteMultipartUploadInput,
  UploadPartOutput,
  UploadPartInput,
  ListPartsPage,
  UploadRef,
  ListMultipartUploadsPage,
  ListMultipartUploadsInput,
} from './multipart-types.ts';
import type {
  CopyOutput,
  CopyInput,
  PresignedUrl,
  DeletedKey,
  KeyToDelete,
  PutObjectOutput,
  PutObjectInput,
  ObjectAttributes,
  GetObjectOutput,
  GetObjectOptions,
  GetObjectInput,
  ObjectHead,
  ObjectRef,
} from './object-types.ts';
import type {
  ListObjectsPage,
  ListKeysInput,
  ListObjectsInput,
  BucketDocument,
  BucketDocumentRef,
  Bucket,
} from './listing-types.ts';
import type { BodyReader, RequestOptions } from './request-types.ts';
import type { ChecksumAlgorithm } from '../../disk/checksums.ts';
import type { PropertyOperations } from './property-types.ts';
import type { ChecksumMemory } from './service-memory.ts';
import type { RequestPace } from './request-pace.ts';
import type { ConditionMemory } from './condition-memory.ts';
import type { PartLimits } from './part-limits.ts';
import type { BatchOperation, ReportedBatchState, NewBatch } from '../../../../shared/models/batches.ts';

/**
 * The client of one service. All methods reject with an AppFailure. Requests that are safe to repeat are retried.
 * CompleteMultipartUpload is sent once; core/multipart handles its failures.
 */
export interface S3Client extends PropertyOperations, BatchOperations {
  /** Remembers how the buckets of this service treat conditions. */
  readonly conditions: ConditionMemory;
  /** The part limits learned from the service's responses. */
  readonly partLimits: PartLimits;
  /** Remembers which checksums the service checks. */
  readonly checksums: ChecksumMemory;
  /** Returns the encryption for writes whose caller and source object specify none. */
  readonly defaultEncryption: () => Encryption;
  /** The number of requests that should be in flight to this service. */
  readonly pace: RequestPace;
  listBuckets(options?: RequestOptions): Promise<readonly Bucket[]>;
  createBucket(
    input: {
      readonly bucket: string;
      readonly region?: string;
      /** True to enable object lock, which is only possible at creation. This also enables versioning. */
      readonly objectLock?: boolean;
    },
    options?: RequestOptions,
  ): Promise<void>;
  deleteBucket(input: { readonly bucket: string }, options?: RequestOptions): Promise<void>;
  /** Returns the bucket's region; null if the service does not send it. */
  headBucket(
    input: { readonly bucket: string },
    options?: RequestOptions,
  ): Promise<{ readonly region: string | null }>;
  getBucketLocation(input: { readonly bucket: string }, options?: RequestOptions): Promise<string | null>;

  getBucketDocument(input: BucketDocumentRef, options?: RequestOptions): Promise<BucketDocument>;
  putBucketDocument(
    input: BucketDocumentRef & { readonly text: string; readonly transitionMinimum?: string | null },
    options?: RequestOptions,
  ): Promise<void>;
  deleteBucketDocument(input: BucketDocumentRef, options?: RequestOptions): Promise<void>;

  listObjects(input: ListObjectsInput, options?: RequestOptions): Promise<ListObjectsPage>;
  /**
   * Requests one page of keys. The reader that `open` returns receives the body and parses it, for example in a thread. Throws if
   * the body is an <Error> or a web page. An error of the reader is retried like other failures.
   */
  listKeys<T>(input: ListKeysInput, open: () => BodyReader<T>, options?: RequestOptions): Promise<T>;
  headObject(
    /** With `partNumber`, the returned length is that of one part, if the service supports it. */
    input: ObjectRef & Pick<GetObjectInput, 'checksums'> & { readonly partNumber?: number },
    options?: RequestOptions,
  ): Promise<ObjectHead>;
  getObject(input: GetObjectInput, options?: GetObjectOptions): Promise<GetObjectOutput>;
  putObject(input: PutObjectInput, options?: RequestOptions): Promise<PutObjectOutput>;
  copyObject(input: CopyInput, options?: RequestOptions): Promise<CopyOutput>;
  /**
   * Deletes an object. With `ifMatch`, fails with `conflict` if the object has another ETag; some services ignore this condition.
   */
  deleteObject(
    input: ObjectRef & { readonly ifMatch?: string },
    options?: RequestOptions,
  ): Promise<{ readonly versionId: string | null; readonly isMarker?: boolean }>;
  /**
   * Deletes up to 1000 keys; each has its own result. With `etag`, a key fails with PreconditionFailed if its object has another
   * ETag; some services ignore this condition. Throws `invalid-argument` for keys that XML cannot contain.
   */
  deleteObjects(
    input: { readonly bucket: string; readonly keys: readonly KeyToDelete[] },
    options?: RequestOptions,
  ): Promise<readonly DeletedKey[]>;

  createMultipartUpload(
    input: ObjectRef & ObjectAttributes & { readonly checksumAlgorithm?: ChecksumAlgorithm },
    options?: RequestOptions,
  ): Promise<CreatedUpload>;
  uploadPart(input: UploadPartInput, options?: RequestOptions): Promise<UploadPartOutput>;
  uploadPartCopy(input: UploadPartCopyInput, options?: RequestOptions): Promise<{ readonly etag: string }>;
  listParts(
    input: UploadRef & { readonly partNumberMarker?: string; readonly maxParts?: number },
    options?: RequestOptions,
  ): Promise<ListPartsPage>;
  listMultipartUploads(
    input: ListMultipartUploadsInput,
    options?: RequestOptions,
  ): Promise<ListMultipartUploadsPage>;
  completeMultipartUpload(
    input: CompleteMultipartUploadInput,
    options?: RequestOptions,
  ): Promise<CompleteMultipartUploadOutput>;
  abortMultipartUpload(input: UploadRef, options?: RequestOptions): Promise<void>;

  /** Returns a signed URL for GET or PUT. `expiresInSeconds` is at most 604800. */
  presign(
    input: ObjectRef & {
      readonly method: 'GET' | 'PUT';
      readonly expiresInSeconds: number;
      /** The Content-Disposition of responses to the URL, in place of the object's own. `responseType` is their Content-Type. */
      readonly responseDisposition?: string;
      readonly responseType?: string;
    },
  ): Promise<PresignedUrl>;
  /** Returns the unsigned URL of an object. */
  objectUrl(input: ObjectRef): string;

  /** Closes the sockets. Requests in flight reject with `cancelled`. */
  close(): Promise<void>;
}

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
  ): Promise<ReportedBatchState>;
  /** Confirms or cancels a job that waits for confirmation. Returns false if the job no longer waits. */
  updateBatchStatus(
    input: ControlPlace & { readonly serviceId: string; readonly requestedStatus: 'Ready' | 'Cancelled' },
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
