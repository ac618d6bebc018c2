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
import type { BatchOperations } from './batch-types.ts';
import type { PropertyOperations } from './property-types.ts';
import type { ChecksumMemory } from './checksum-memory.ts';
import type { RequestPace } from './request-pace.ts';
import type { ConditionMemory } from './condition-memory.ts';
import type { PartLimits } from './part-limits.ts';

/**
 * The client of one service. Every method rejects with an AppFailure. Retries reads and writes that are safe to repeat. Sends
 * CompleteMultipartUpload once: core/multipart decides what follows a failure.
 */
export interface S3Client extends PropertyOperations, BatchOperations {
  /** Remembers how the buckets of this service treat conditions. */
  readonly conditions: ConditionMemory;
  /** The limits on parts that the service has named or shown. */
  readonly partLimits: PartLimits;
  /** The checksums that the service compares. */
  readonly checksums: ChecksumMemory;
  /** Returns the encryption of writes for which neither the caller nor the object names one. */
  readonly defaultEncryption: () => Encryption;
  /** How many requests to this service are worth having in flight. */
  readonly pace: RequestPace;
  listBuckets(options?: RequestOptions): Promise<readonly Bucket[]>;
  createBucket(
    input: {
      readonly bucket: string;
      readonly region?: string;
      /** Object lock can only be enabled at creation; it also enables versioning. */
      readonly objectLock?: boolean;
    },
    options?: RequestOptions,
  ): Promise<void>;
  deleteBucket(input: { readonly bucket: string }, options?: RequestOptions): Promise<void>;
  /** Returns the bucket's region if the service sends it. */
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
   * Lists one page of keys without a delimiter; `open`'s reader consumes the body (walks parse in threads). Throws for an <Error>
   * or a web page. An error of the reader is retried like any other failure.
   */
  listKeys<T>(input: ListKeysInput, open: () => BodyReader<T>, options?: RequestOptions): Promise<T>;
  headObject(
    /** With `partNumber` the length is that of one part, if the service supports the parameter. */
    input: ObjectRef & Pick<GetObjectInput, 'checksums'> & { readonly partNumber?: number },
    options?: RequestOptions,
  ): Promise<ObjectHead>;
  getObject(input: GetObjectInput, options?: GetObjectOptions): Promise<GetObjectOutput>;
  putObject(input: PutObjectInput, options?: RequestOptions): Promise<PutObjectOutput>;
  copyObject(input: CopyInput, options?: RequestOptions): Promise<CopyOutput>;
  /** Deletes an object. With `ifMatch`, fails with `conflict` if it has another ETag; some services ignore that. */
  deleteObject(
    input: ObjectRef & { readonly ifMatch?: string },
    options?: RequestOptions,
  ): Promise<{ readonly versionId: string | null; readonly isMarker?: boolean }>;
  /**
   * Deletes up to 1000 keys, each with its own result. Throws `invalid-argument` for keys that XML cannot carry. With `etag`, a
   * key fails with PreconditionFailed if its object differs; services without support ignore it.
   */
  deleteObjects(
    input: {
      readonly bucket: string;
      readonly keys: readonly {
        readonly key: string;
        readonly versionId?: string;
        readonly etag?: string;
      }[];
    },
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

  /** Signs a URL for GET or PUT. expiresInSeconds is at most 604800. */
  presign(
    input: ObjectRef & {
      readonly method: 'GET' | 'PUT';
      readonly expiresInSeconds: number;
      /** Headers that the service returns for a GET instead of the object's own. */
      readonly responseDisposition?: string;
      readonly responseType?: string;
    },
  ): Promise<PresignedUrl>;
  /** Returns the unsigned URL of an object. */
  objectUrl(input: ObjectRef): string;

  /** Closes the sockets; requests in flight are rejected with `cancelled`. */
  close(): Promise<void>;
}
