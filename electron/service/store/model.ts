import type { ChecksumAlgorithm, Checksums } from '../checksum-algorithms.ts';

/** Content up to this size in bytes is stored in the index instead of a file. */
export const inlineBytes = 16 * 1024;

/** The attributes of an object that the request set. */
export interface Attributes {
  /** The headers that are returned as sent, such as content-type and cache-control, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The user's metadata, with names without x-amz-meta-. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly checksums?: Checksums;
  readonly checksumType?: ChecksumType;
  /** The checksums of the parts in Base64, if the object's checksum is COMPOSITE. */
  readonly partChecksums?: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
  /** The sizes of the parts; absent if the object was not uploaded in parts. */
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

/** The versioning state of a bucket. As in S3, versioning can only be suspended after it was enabled. */
export type Versioning = 'Never' | 'Enabled' | 'Suspended';

/** The location of content: 0 means none, n > 0 is chunk n, n < 0 means the chunks of manifest -n. */
export type ContentId = number;

/** The version id that S3 uses for an object stored while versioning was off. */
export const nullVersion = 'null';

export interface ListedObject {
  readonly key: string;
  readonly sizeBytes: number;
  /** The ETag without quotes. */
  readonly etag: string;
  readonly modifiedMs: number;
  readonly storageClass: string;
}

export interface ObjectRow extends ListedObject {
  readonly version: string;
  readonly content: ContentId;
  readonly attributes: Attributes;
}

/** An object, an older version, or a delete marker. */
export interface VersionRow extends ObjectRow {
  /** The order of the versions of a key; higher is newer. */
  readonly seq: number;
  readonly isMarker: boolean;
}

export interface ListedVersion extends VersionRow {
  readonly isLatest: boolean;
}

/** Content to store. For `file`, it is already written and flushed to disk. */
export type NewContent =
  | { readonly kind: 'none' }
  | { readonly kind: 'inline'; readonly bytes: Uint8Array }
  | { readonly kind: 'file'; readonly file: string; readonly sizeBytes: number }
  /** Content that the store already has. It is shared, not copied. */
  | { readonly kind: 'shared'; readonly segments: readonly Segment[] };

export interface Segment {
  readonly chunk: number;
  readonly start: number;
  readonly size: number;
}

export interface NewObject extends Omit<ListedObject, 'key'> {
  readonly content: NewContent;
  readonly attributes: Attributes;
}

export interface NewPart {
  readonly content: NewContent;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly modifiedMs: number;
  readonly checksums: Checksums;
}

export interface PartRow extends Omit<NewPart, 'content'> {
  readonly number: number;
  readonly content: ContentId;
}

export interface NewUpload {
  readonly initiatedMs: number;
  readonly storageClass: string;
  readonly attributes: Attributes;
  readonly checksumAlgorithm: ChecksumAlgorithm | null;
  readonly checksumType: ChecksumType | null;
}

export interface UploadRow extends NewUpload {
  readonly id: string;
  readonly bucketId: number;
  readonly key: string;
}

/** The largest part number, and so the maximum number of parts of an upload. */
export const largestPartNumber = 10_000;

export interface ListQuery {
  readonly prefix: string;
  /** The delimiter; '' for none. */
  readonly delimiter: string;
  /** The entry (key or common prefix) after which the listing starts; null for the beginning. */
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
  // Not validated, because only this service writes this column.
  return typeof text === 'string' ? (JSON.parse(text) as Attributes) : noAttributes;
}

/** Parses the versioning state in the bucket's column. */
export function versioningOf(stored: unknown): Versioning {
  return stored === 'Enabled' || stored === 'Suspended' ? stored : 'Never';
}
