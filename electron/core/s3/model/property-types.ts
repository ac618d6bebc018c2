import type { UnreadableEntry, ListedObject, ListObjectsInput, Owner } from './listing-types.ts';
import type { ObjectRef } from './object-types.ts';
import type { RequestOptions } from './request-types.ts';
import type { Acl, CannedAcl, Grantee } from '../../../../shared/models/properties.ts';

/** The requests for versions, tags, ACLs, locks and archived objects, which not every service supports. */
export interface PropertyOperations {
  /** The storage classes of the service if they are known, otherwise those of the specification (section 2). */
  readonly storageClasses: { readonly offered: readonly string[]; readonly areKnown: boolean };

  /** Lists a page of versions and delete markers. Throws AppError('unsupported') if the service has no versions. */
  listObjectVersions(input: ListVersionsInput, options?: RequestOptions): Promise<ListVersionsPage>;
  /**
   * Returns the versioning state of a bucket; null if versioning was never enabled.
   * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketVersioning.html
   */
  versioningOf(
    input: { readonly bucket: string },
    options?: RequestOptions,
  ): Promise<'enabled' | 'suspended' | null>;

  getObjectTags(ref: ObjectRef, options?: RequestOptions): Promise<readonly ObjectTag[]>;
  /** Replaces all tags. An empty list deletes them; with `asEmptySet`, an empty set is stored instead. */
  putObjectTags(
    input: ObjectRef & { readonly tags: readonly ObjectTag[]; readonly asEmptySet?: boolean },
    options?: RequestOptions,
  ): Promise<void>;

  getObjectAcl(ref: ObjectRef, options?: RequestOptions): Promise<ObjectAcl>;
  putObjectAcl(input: ObjectRef & { readonly canned: string }, options?: RequestOptions): Promise<void>;
  /** Replaces all grants of an object. */
  putObjectGrants(input: ObjectRef & { readonly acl: ObjectAcl }, options?: RequestOptions): Promise<void>;

  /** Returns whether object lock is enabled in a bucket, or null if the bucket has no such configuration. */
  getBucketLock(
    input: { readonly bucket: string },
    options?: RequestOptions,
  ): Promise<{ readonly isEnabled: boolean } | null>;
  /** Returns the retention of an object or version; null if it has none. */
  getObjectRetention(ref: ObjectRef, options?: RequestOptions): Promise<ObjectRetention | null>;
  putObjectRetention(
    input: ObjectRef & { readonly retention: ObjectRetention | null; readonly bypassGovernance?: boolean },
    options?: RequestOptions,
  ): Promise<void>;
  getObjectLegalHold(ref: ObjectRef, options?: RequestOptions): Promise<boolean>;
  putObjectLegalHold(input: ObjectRef & { readonly on: boolean }, options?: RequestOptions): Promise<void>;

  /** Requests a readable copy of an archived object. Returns `prolonged` if there was a copy already. */
  restoreObject(
    input: ObjectRef & { readonly days: number; readonly tier: string | null },
    options?: RequestOptions,
  ): Promise<'started' | 'prolonged'>;
}

export type ListVersionsInput = Omit<ListObjectsInput, 'startAfter' | 'namesOwners'>;

export interface ListedVersion extends Omit<ListedObject, 'sizeBytes'> {
  /** The id of the version. The text `null` is the id of a version written while versioning was off. */
  readonly versionId: string;
  readonly isLatest: boolean;
  readonly isDeleteMarker: boolean;
  /** The size in bytes; null for a delete marker. */
  readonly sizeBytes: number | null;
}

export interface ListVersionsPage {
  /** Sorted by key in UTF-8 order, newest first within a key. */
  readonly versions: readonly ListedVersion[];
  readonly commonPrefixes: readonly string[];
  /** Listed keys outside the prefix. The other lists do not contain them. */
  readonly foreign: readonly string[];
  /** Unreadable entries; always empty without `setsAside`. */
  readonly unreadable: readonly UnreadableEntry[];
  /** The token of the next page; null on the last page. */
  readonly nextPageToken: string | null;
}

export interface ObjectTag {
  readonly key: string;
  readonly value: string;
}

export interface Grant {
  readonly grantee:
    | { readonly kind: 'user'; readonly id: string; readonly displayName: string | null }
    /** A group such as everyone or all accounts, identified by a URI. */
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
  /** The end of the retention, ISO 8601. */
  readonly until: string;
}

// https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#specifying-grantee
export const everybody = 'http://acs.amazonaws.com/groups/global/AllUsers';
export const anyAccount = 'http://acs.amazonaws.com/groups/global/AuthenticatedUsers';

/** Returns an ACL in the form in which the window shows it. */
export function aclOf({ owner, grants }: ObjectAcl): Acl {
  const ownerId = owner?.id ?? null;
  const shown = grants.map((grant) => ({ grantee: granteeOf(grant, ownerId), permission: grant.permission }));
  return { owner: owner?.displayName ?? ownerId, grants: shown, canned: cannedOf(shown) };
}

function granteeOf({ grantee }: Grant, ownerId: string | null): Grantee {
  switch (grantee.kind) {
    case 'group':
      if (grantee.uri === everybody) return { kind: 'everybody' };
      if (grantee.uri === anyAccount) return { kind: 'any-account' };
      return { kind: 'other', name: grantee.uri };
    case 'user':
      if (grantee.id === ownerId) return { kind: 'owner' };
      return { kind: 'other', name: grantee.displayName ?? grantee.id };
    case 'email':
      return { kind: 'other', name: grantee.address };
    default:
      return grantee satisfies never;
  }
}

/** The canned ACLs that their grants reveal. Those with grants to other accounts cannot be recognized. */
const known: Readonly<Record<string, CannedAcl>> = {
  '': 'private',
  'everybody READ': 'public-read',
  'everybody READ,everybody WRITE': 'public-read-write',
  'any-account READ': 'authenticated-read',
};

function cannedOf(grants: Acl['grants']): CannedAcl | null {
  const ofOwner = grants.filter(({ grantee }) => grantee.kind === 'owner');
  if (ofOwner.length !== 1 || ofOwner[0]?.permission !== 'FULL_CONTROL') return null;
  const others = grants
    .filter(({ grantee }) => grantee.kind !== 'owner')
    .map(({ grantee, permission }) => `${grantee.kind} ${permission}`)
    .toSorted();
  return known[others.join(',')] ?? null;
}
