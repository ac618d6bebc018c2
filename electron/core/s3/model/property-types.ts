import type { UnreadableEntry, ListedObject, Owner } from './listing-types.ts';
import type { ObjectRef } from './object-types.ts';
import type { RequestOptions } from './request-types.ts';

/** Versions, tags, ACLs, locks and archives of objects: the part of S3Client that not every service supports. */
export interface PropertyOperations {
  /** The service's storage classes if known; else those of the specification (section 2). */
  readonly storageClasses: { readonly offered: readonly string[]; readonly areKnown: boolean };

  /** Lists versions and delete markers, paged by a pair of markers. Throws AppError('unsupported') if the service has none. */
  listObjectVersions(input: ListVersionsInput, options?: RequestOptions): Promise<ListVersionsPage>;
  /**
   * Returns the versioning state; null if never enabled.
   * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketVersioning.html
   */
  versioningOf(
    input: { readonly bucket: string },
    options?: RequestOptions,
  ): Promise<'enabled' | 'suspended' | null>;

  getObjectTags(ref: ObjectRef, options?: RequestOptions): Promise<readonly ObjectTag[]>;
  /** Replaces all tags; an empty list deletes the set. `asEmptySet`: stores an empty set instead of deleting it. */
  putObjectTags(
    input: ObjectRef & { readonly tags: readonly ObjectTag[]; readonly asEmptySet?: boolean },
    options?: RequestOptions,
  ): Promise<void>;

  getObjectAcl(ref: ObjectRef, options?: RequestOptions): Promise<ObjectAcl>;
  putObjectAcl(input: ObjectRef & { readonly canned: string }, options?: RequestOptions): Promise<void>;
  /** Replaces all grants. */
  putObjectGrants(input: ObjectRef & { readonly acl: ObjectAcl }, options?: RequestOptions): Promise<void>;

  /** Returns whether object lock is enabled; null if the bucket has no such configuration. */
  getBucketLock(
    input: { readonly bucket: string },
    options?: RequestOptions,
  ): Promise<{ readonly isEnabled: boolean } | null>;
  /** Returns null if this version has no retention. */
  getObjectRetention(ref: ObjectRef, options?: RequestOptions): Promise<ObjectRetention | null>;
  putObjectRetention(
    input: ObjectRef & { readonly retention: ObjectRetention | null; readonly bypassGovernance?: boolean },
    options?: RequestOptions,
  ): Promise<void>;
  getObjectLegalHold(ref: ObjectRef, options?: RequestOptions): Promise<boolean>;
  putObjectLegalHold(input: ObjectRef & { readonly on: boolean }, options?: RequestOptions): Promise<void>;

  /** Requests a readable copy from an archive; `prolonged` if a copy existed already. */
  restoreObject(
    input: ObjectRef & { readonly days: number; readonly tier: string | null },
    options?: RequestOptions,
  ): Promise<'started' | 'prolonged'>;
}

export interface ListVersionsInput {
  readonly bucket: string;
  readonly prefix?: string;
  readonly delimiter?: string;
  readonly maxKeys?: number;
  /** `nextPageToken` of the previous page. */
  readonly pageToken?: string;
  /** Returns unreadable entries separately; otherwise one of them fails the page. */
  readonly setsAside?: boolean;
}

export interface ListedVersion extends Omit<ListedObject, 'sizeBytes'> {
  /** The text `null` is the id of a version stored while versioning was off. */
  readonly versionId: string;
  readonly isLatest: boolean;
  readonly isDeleteMarker: boolean;
  /** null for a delete marker. */
  readonly sizeBytes: number | null;
}

export interface ListVersionsPage {
  /** Sorted by key in UTF-8 order, newest first within a key. */
  readonly versions: readonly ListedVersion[];
  readonly commonPrefixes: readonly string[];
  /** Listed names outside the prefix; left out. */
  readonly foreign: readonly string[];
  /** Filled only with `setsAside`. */
  readonly unreadable: readonly UnreadableEntry[];
  /** null on the last page. */
  readonly nextPageToken: string | null;
}

export interface ObjectTag {
  readonly key: string;
  readonly value: string;
}

export interface Grant {
  readonly grantee:
    | { readonly kind: 'user'; readonly id: string; readonly displayName: string | null }
    /** Everyone, or every account; identified by a URI. */
    | { readonly kind: 'group'; readonly uri: string }
    | { readonly kind: 'email'; readonly address: string };
  readonly permission: string;
}

export interface ObjectAcl {
  readonly owner: Owner | null;
  readonly grants: readonly Grant[];
}

export interface ObjectRetention {
  readonly mode: 'GOVERNANCE' | 'COMPLIANCE';
  /** ISO 8601. */
  readonly until: string;
}
