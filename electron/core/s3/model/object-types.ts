import type { Readable } from 'node:stream';
import type { AppError } from '../../../../shared/errors.ts';
import type { PartChecksums } from '../../disk/checksums.ts';
import type { BodySource } from '../../ports.ts';
import type { RequestOptions } from './request-types.ts';

export interface ObjectRef {
  readonly bucket: string;
  readonly key: string;
  readonly versionId?: string;
}

/** Returns only the properties that identify an object or version. */
export function refOf({
  bucket,
  key,
  versionId,
}: Pick<ObjectRef, 'bucket' | 'key'> & { readonly versionId?: string | undefined }): ObjectRef {
  return versionId === undefined ? { bucket, key } : { bucket, key, versionId };
}

export interface ObjectHead {
  readonly sizeBytes: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly contentType: string | null;
  readonly storageClass: string | null;
  readonly versionId: string | null;
  /** The user's metadata, without x-amz-meta- in the names. */
  readonly metadata: Readonly<Record<string, string>>;
  /** All headers of the response, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ByteRange {
  readonly firstByte: number;
  /** The last byte of the range, which is included. */
  readonly lastByte: number;
}

export interface GetObjectInput extends ObjectRef {
  readonly range?: ByteRange;
  readonly ifMatch?: string;
  /** The listed size of the whole object: the expected length if the response does not state one. */
  readonly sizeBytes?: number;
  /** True to request a checksum of the whole object, which some services store. */
  readonly checksums?: boolean;
}

export interface GetObjectOptions extends RequestOptions {
  /** Called when the connection breaks. Reading resumes at `reachedBytes` of the requested range. */
  readonly onBroken?: (error: AppError, reachedBytes: number) => void;
}

/**
 * The content of an object. If the connection breaks, reading resumes at the byte reached, but only if it is still the same
 * object. Only attempts that bring no bytes count against the retry limit.
 */
export interface GetObjectOutput extends Omit<ObjectHead, 'sizeBytes'> {
  /** The size of the whole object; null if the response does not state it. */
  readonly sizeBytes: number | null;
  /** The content as a stream. It fails if fewer bytes arrive than announced. It must be read to its end or destroyed. */
  readonly body: Readable;
  /** Reads the content in chunks, much faster than `body`. Waits for the result of `take` before the next chunk. */
  readonly read: (take: (chunk: Uint8Array) => void | Promise<void>) => Promise<void>;
  /** The Content-Range of a 206 response; null for a whole object. */
  readonly contentRange: string | null;
}

export interface ObjectAttributes {
  readonly contentType?: string;
  readonly cacheControl?: string;
  readonly contentDisposition?: string;
  readonly contentEncoding?: string;
  readonly contentLanguage?: string;
  readonly storageClass?: string;
  /** The MD5 in Base64 of the customer's key to encrypt with. */
  readonly customerKeyMd5?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** True if the user chose how to encrypt this object, by headers, by a customer's key, or not at all. */
  readonly isEncryptionChosen?: boolean;
  /** Further headers of the request (encryption, ACL, tags), with names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PutObjectInput extends ObjectRef, ObjectAttributes {
  readonly body: BodySource;
  /** The MD5 of the body in Base64. */
  readonly contentMd5?: string;
  readonly checksums?: PartChecksums;
  readonly ifMatch?: string;
  /** Fails with `conflict` if the key already has an object. */
  readonly ifNoneMatch?: '*';
}

export interface PutObjectOutput {
  readonly etag: string | null;
  readonly versionId: string | null;
  readonly checksums?: PartChecksums;
  /** True if the object is encrypted with KMS or a customer's key. Its ETag then is not an MD5, even if it looks like one. */
  readonly etagHidesMd5?: boolean;
}

export interface CopyInput extends ObjectRef {
  readonly source: ObjectRef;
  readonly sourceIfMatch?: string;
  readonly metadataDirective?: 'COPY' | 'REPLACE';
  /**
   * `ifNoneMatch` fails with `conflict` if the key has an object; `ifMatch` fails unless its object has this ETag. Not every
   * service supports this for copies.
   */
  readonly ifNoneMatch?: '*';
  readonly ifMatch?: string;
  readonly attributes?: ObjectAttributes;
}

export interface CopyOutput {
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly versionId: string | null;
}

/** A key to delete, with its version or with the ETag that it must have (API_ObjectIdentifier). */
export interface KeyToDelete {
  readonly key: string;
  readonly versionId?: string;
  readonly etag?: string;
}

export interface DeletedKey {
  readonly key: string;
  readonly versionId: string | null;
  /** The delete marker that now hides the object; absent if the response named none. */
  readonly markerVersionId?: string | null;
  /** The error for this key; null if it was deleted. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface PresignedUrl {
  readonly url: string;
  /** The time at which the URL expires, by the service's clock. */
  readonly expiresAt: string;
  /**
   * The limit that ends the URL first: its own expiry (`time`), or the expiry of the temporary credentials that signed it
   * (`keys`, or `keys-unknown` if that time is unknown).
   */
  readonly endsWith: 'time' | 'keys' | 'keys-unknown';
}
