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

export interface ObjectHead {
  readonly sizeBytes: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly contentType: string | null;
  readonly storageClass: string | null;
  readonly versionId: string | null;
  /** User metadata without the x-amz-meta- prefix. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Every header of the response, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ByteRange {
  readonly firstByte: number;
  /** Inclusive. */
  readonly lastByte: number;
}

export interface GetObjectInput extends ObjectRef {
  readonly range?: ByteRange;
  readonly ifMatch?: string;
  /** The size of the whole object as listed: the expected length if the response states none. */
  readonly sizeBytes?: number;
  /** Requests the checksum of the whole object, if the service stores one. */
  readonly checksums?: boolean;
}

export interface GetObjectOptions extends RequestOptions {
  /** Called when the connection breaks; reading resumes at this byte of the requested range. */
  readonly onBroken?: (error: AppError, reachedBytes: number) => void;
}

/**
 * The content of an object. If the connection breaks, reading resumes at the byte reached, and only for the same object. Only
 * attempts that bring no bytes count against the retry limit.
 */
export interface GetObjectOutput extends Omit<ObjectHead, 'sizeBytes'> {
  /** Size of the whole object; null if the response does not state it. */
  readonly sizeBytes: number | null;
  /** Fails if fewer bytes arrive than announced. Read it to its end or destroy it. */
  readonly body: Readable;
  /** A much cheaper alternative to `body`: passes each chunk to the consumer and awaits the result. */
  readonly read: (take: (chunk: Uint8Array) => void | Promise<void>) => Promise<void>;
  /** The Content-Range of a 206; null for a whole object. */
  readonly contentRange: string | null;
}

export interface ObjectAttributes {
  readonly contentType?: string;
  readonly cacheControl?: string;
  readonly contentDisposition?: string;
  readonly contentEncoding?: string;
  readonly contentLanguage?: string;
  readonly storageClass?: string;
  /** Base64 MD5 of the customer key to encrypt with. */
  readonly customerKeyMd5?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** The user has chosen how to encrypt this object, with headers, a customer key or nothing. */
  readonly isEncryptionChosen?: boolean;
  /** Further request headers (encryption, ACL, tagging), names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PutObjectInput extends ObjectRef, ObjectAttributes {
  readonly body: BodySource;
  /** Base64. */
  readonly contentMd5?: string;
  readonly checksums?: PartChecksums;
  readonly ifMatch?: string;
  /** Only creates the object; fails with `conflict` if the key exists. */
  readonly ifNoneMatch?: '*';
}

export interface PutObjectOutput {
  readonly etag: string | null;
  readonly versionId: string | null;
  readonly checksums?: PartChecksums;
  /** True if the object is encrypted with KMS or a customer's key: its ETag is no MD5, even if it looks like one. */
  readonly etagHidesMd5?: boolean;
}

export interface CopyInput extends ObjectRef {
  readonly source: ObjectRef;
  readonly sourceIfMatch?: string;
  readonly metadataDirective?: 'COPY' | 'REPLACE';
  /** Only creates the object, or replaces only this one; else fails with `conflict`. Not every service supports it for copies. */
  readonly ifNoneMatch?: '*';
  readonly ifMatch?: string;
  readonly attributes?: ObjectAttributes;
}

export interface CopyOutput {
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly versionId: string | null;
}

export interface DeletedKey {
  readonly key: string;
  readonly versionId: string | null;
  /** The delete marker that now hides the object; absent if none was created or named. */
  readonly markerVersionId?: string | null;
  /** null if deleted. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface PresignedUrl {
  readonly url: string;
  /** When the URL actually expires, by the service's clock. */
  readonly expiresAt: string;
  /** The limit that is reached first: the URL's own time, or the expiry of the temporary credentials that signed it, if known. */
  readonly endsWith: 'time' | 'keys' | 'keys-unknown';
}
