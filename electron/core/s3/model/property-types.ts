import type { UnreadableEntry, ListedObject, Owner } from './listing-types.ts';
import type { ObjectRef } from './object-types.ts';
import type { RequestOptions } from './request-types.ts';

/** Versions, tags, ACLs, locks and archives of objects: the part of S3Client that not every service has. */
export interface PropertyOperations {
  /** Those of the service, where they are known; else those of the specification (section 2). */
  readonly storageClasses: { readonly offered: readonly string[]; readonly areKnown: boolean };

  /** Versions and delete markers, paged by a pair of markers. Throws `unsupported` where there are none. */
  listObjectVersions(input: ListVersionsInput, options?: RequestOptions): Promise<ListVersionsPage>;
  /** null: never switched on. https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketVersioning.html */
  versioningOf(
    input: { readonly bucket: string },
    options?: RequestOptions,
  ): Promise<'enabled' | 'suspended' | null>;

  getObjectTags(ref: ObjectRef, options?: RequestOptions): Promise<readonly ObjectTag[]>;
  /** Replaces all tags; none of them removes the set. `asEmptySet`: an empty set is put where it would be deleted. */
  putObjectTags(
    input: ObjectRef & { readonly tags: readonly ObjectTag[]; readonly asEmptySet?: boolean },
    options?: RequestOptions,
  ): Promise<void>;

  getObjectAcl(ref: ObjectRef, options?: RequestOptions): Promise<ObjectAcl>;
  putObjectAcl(input: ObjectRef & { readonly canned: string }, options?: RequestOptions): Promise<void>;
  /** In place of all grants that there are. */
  putObjectGrants(input: ObjectRef & { readonly acl: ObjectAcl }, options?: RequestOptions): Promise<void>;

  /** Returns whether object lock is enabled; null if the bucket has no such configuration. */
  getBucketLock(
    input: { readonly bucket: string },
    options?: RequestOptions,
  ): Promise<{ readonly isEnabled: boolean } | null>;
  /** null: this version has none. */
  getObjectRetention(ref: ObjectRef, options?: RequestOptions): Promise<ObjectRetention | null>;
  putObjectRetention(
    input: ObjectRef & { readonly retention: ObjectRetention | null; readonly bypassGovernance?: boolean },
    options?: RequestOptions,
  ): Promise<void>;
  getObjectLegalHold(ref: ObjectRef, options?: RequestOptions): Promise<boolean>;
  putObjectLegalHold(input: ObjectRef & { readonly on: boolean }, options?: RequestOptions): Promise<void>;

  /** Asks for a readable copy out of an archive; `prolonged` where there was one already. */
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
  /** `nextPageToken` of the page before. */
  readonly pageToken?: string;
  /** Returns unreadable entries separately; otherwise one of them fails the page. */
  readonly setsAside?: boolean;
}

export interface ListedVersion extends Omit<ListedObject, 'sizeBytes'> {
  /** `null`, the text, is the id of what was put while versioning was off. */
  readonly versionId: string;
  readonly isLatest: boolean;
  readonly isDeleteMarker: boolean;
  /** null for a delete marker. */
  readonly sizeBytes: number | null;
}

export interface ListVersionsPage {
  /** By key in UTF-8 order, and newest first within a key. */
  readonly versions: readonly ListedVersion[];
  readonly commonPrefixes: readonly string[];
  /** Names that were listed though they do not begin with the prefix: left out. */
  readonly foreign: readonly string[];
  /** With `setsAside`. */
  readonly unreadable: readonly UnreadableEntry[];
  /** null: this was the last page. */
  readonly nextPageToken: string | null;
}

export interface ObjectTag {
  readonly key: string;
  readonly value: string;
}

export interface Grant {
  readonly grantee:
    | { readonly kind: 'user'; readonly id: string; readonly displayName: string | null }
    /** All, or all with an account: known by their addresses. */
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
