import type { ChecksumAlgorithm, Checksums } from '../checksum-algorithms.ts';

/** Contents up to this size, in bytes, are stored in the index instead of in files. */
export const inlineBytes = 16 * 1024;

/** The attributes of an object that its request set. */
export interface Attributes {
  /** Headers returned as sent: content-type, cache-control and so on; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** User metadata without x-amz-meta-. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly checksums?: Checksums;
  readonly checksumType?: ChecksumType;
  /** Base64, one for each part of an object whose checksum is COMPOSITE. */
  readonly partChecksums?: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
  /** Present if the object was completed from parts. */
  readonly partSizes?: readonly number[];
}

export type ChecksumType = 'COMPOSITE' | 'FULL_OBJECT';

export const noAttributes: Attributes = { headers: {}, metadata: {} };

export interface BucketRow {
  readonly id: number;
  readonly name: string;
  readonly createdMs: number;
  readonly versioning: Versioning;
}

/** The versioning state of a bucket. A bucket that was ever enabled can only be suspended, as in S3. */
export type Versioning = 'Never' | 'Enabled' | 'Suspended';

/** The location of bytes: 0 is none, n > 0 is chunk n, n < 0 is the chunks of manifest -n. */
export type ContentId = number;

/** S3's id for the version of an object stored while versioning was off. */
export const nullVersion = 'null';

export interface ObjectRow {
  readonly key: string;
  readonly version: string;
  readonly sizeBytes: number;
  /** Without quotes. */
  readonly etag: string;
  readonly modifiedMs: number;
  readonly storageClass: string;
  readonly content: ContentId;
  readonly attributes: Attributes;
}

/** An object, an older version, or a delete marker. */
export interface VersionRow extends ObjectRow {
  /** Orders the versions of a key: the higher is newer. */
  readonly seq: number;
  readonly isMarker: boolean;
}

export interface ListedVersion extends VersionRow {
  readonly isLatest: boolean;
}

/** Bytes to store. For `file`, they are already written and fsynced. */
export type NewContent =
  | { readonly kind: 'none' }
  | { readonly kind: 'inline'; readonly bytes: Uint8Array }
  | { readonly kind: 'file'; readonly file: string; readonly sizeBytes: number }
  /** Bytes already in the store; shared, not copied. */
  | { readonly kind: 'shared'; readonly segments: readonly Segment[] };

export interface Segment {
  readonly chunk: number;
  readonly start: number;
  readonly size: number;
}

export interface NewObject {
  readonly content: NewContent;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly modifiedMs: number;
  readonly storageClass: string;
  readonly attributes: Attributes;
}

export interface UploadRow {
  readonly id: string;
  readonly bucketId: number;
  readonly key: string;
  readonly initiatedMs: number;
  readonly storageClass: string;
  readonly attributes: Attributes;
  readonly checksumAlgorithm: ChecksumAlgorithm | null;
  readonly checksumType: ChecksumType | null;
}

export interface PartRow {
  readonly number: number;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly modifiedMs: number;
  readonly content: ContentId;
  readonly checksums: Checksums;
}

export interface NewPart {
  readonly content: NewContent;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly modifiedMs: number;
  readonly checksums: Checksums;
}

export interface ListedObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly modifiedMs: number;
  readonly storageClass: string;
}

export interface ListQuery {
  readonly prefix: string;
  /** Empty: none. */
  readonly delimiter: string;
  /** The listing starts after this entry (key or common prefix); null: at the beginning. */
  readonly after: string | null;
  readonly limit: number;
}

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly commonPrefixes: readonly string[];
  readonly isTruncated: boolean;
}

export function encodeAttributes(attributes: Attributes): string | null {
  const plain =
    Object.keys(attributes.headers).length === 0 &&
    Object.keys(attributes.metadata).length === 0 &&
    attributes.checksums === undefined &&
    attributes.tags === undefined &&
    attributes.partSizes === undefined;
  return plain ? null : JSON.stringify(attributes);
}

export function decodeAttributes(text: unknown): Attributes {
  // Not validated, because only this service writes the column.
  return typeof text === 'string' ? (JSON.parse(text) as Attributes) : noAttributes;
}
