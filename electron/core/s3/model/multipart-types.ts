import type { BodySource } from '../../ports.ts';
import type { ChecksumAlgorithm, PartChecksums } from '../../disk/checksums.ts';
import type { Owner, Trail, UnreadableEntry } from './listing-types.ts';
import type { ByteRange, ObjectRef } from './object-types.ts';

export interface MultipartUpload {
  readonly key: string;
  readonly uploadId: string;
  /** The start time of the upload, ISO 8601. */
  readonly initiatedAt: string | null;
  readonly initiator: Owner | null;
  readonly owner: Owner | null;
  readonly storageClass: string | null;
}

export interface ListMultipartUploadsInput {
  readonly bucket: string;
  readonly prefix?: string;
  readonly delimiter?: string;
  readonly maxUploads?: number;
  readonly keyMarker?: string;
  readonly uploadIdMarker?: string;
  /** The trail from the previous page. */
  readonly trail?: Trail;
  /** The ids of the uploads of `keyMarker` listed so far, from the previous page. */
  readonly sameKey?: readonly string[];
  /** True to return unreadable entries separately. Otherwise an unreadable entry makes the whole page fail. */
  readonly setsAside?: boolean;
}

export interface ListMultipartUploadsPage {
  readonly uploads: readonly MultipartUpload[];
  readonly commonPrefixes: readonly string[];
  /** Listed keys outside the prefix. The other lists do not contain them. */
  readonly foreign: readonly string[];
  /** Unreadable entries; always empty without `setsAside`. */
  readonly unreadable: readonly UnreadableEntry[];
  /** The position of the next page; null on the last page. */
  readonly next: {
    readonly keyMarker: string;
    readonly uploadIdMarker: string;
    readonly trail: Trail;
    readonly sameKey: readonly string[];
  } | null;
}

export interface UploadRef {
  readonly bucket: string;
  readonly key: string;
  readonly uploadId: string;
}

export interface ListedPart {
  readonly partNumber: number;
  readonly sizeBytes: number;
  /** The ETag as received, to be sent back unchanged in the Complete request. Empty if the service sent none. */
  readonly etag: string;
  readonly lastModified: string | null;
  readonly checksums: PartChecksums;
}

export interface ListPartsPage {
  readonly parts: readonly ListedPart[];
  /** The position of the next page; null on the last page. */
  readonly nextPartNumberMarker: string | null;
  readonly storageClass: string | null;
  readonly initiator: Owner | null;
  readonly owner: Owner | null;
  readonly checksumAlgorithm: string | null;
  readonly checksumType: string | null;
}

export interface CreatedUpload {
  readonly uploadId: string;
  /** The checksum algorithm that each part must use, as reported by the service; null if none. */
  readonly checksumAlgorithm: ChecksumAlgorithm | null;
}

export interface UploadPartInput extends UploadRef {
  readonly partNumber: number;
  readonly body: BodySource;
  /** The MD5 of the body in Base64. */
  readonly contentMd5?: string;
  readonly checksums?: PartChecksums;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface UploadPartOutput {
  readonly etag: string;
  readonly checksums: PartChecksums;
  /** True if the part is encrypted with KMS or a customer's key. Its ETag then is not an MD5, even if it looks like one. */
  readonly etagHidesMd5?: boolean;
}

export interface CompletedPart {
  readonly partNumber: number;
  readonly etag: string;
  readonly checksums?: PartChecksums;
}

export interface CompleteMultipartUploadInput extends UploadRef {
  readonly parts: readonly CompletedPart[];
  /** The checksum of the whole object. Allowed only for an upload with a FULL_OBJECT checksum. */
  readonly checksums?: PartChecksums;
  /**
   * `ifNoneMatch` fails with `conflict` if the key has an object; `ifMatch` fails unless its object has this ETag. Some services
   * ignore or refuse these conditions.
   */
  readonly ifNoneMatch?: '*';
  readonly ifMatch?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called for each chunk of the response, because services send white space while they assemble the object. */
  readonly onSignOfLife?: () => void;
}

export interface CompleteMultipartUploadOutput {
  readonly location: string | null;
  /** The checksum of the whole object; empty if the response contained none. */
  readonly checksums: PartChecksums;
  /** The ETag of the object. Some servers (Ceph) send an empty one or none. */
  readonly etag: string | null;
  readonly requestId: string | null;
}

export interface UploadPartCopyInput extends UploadRef {
  readonly partNumber: number;
  readonly source: ObjectRef;
  readonly range?: ByteRange;
  readonly sourceIfMatch?: string;
}
