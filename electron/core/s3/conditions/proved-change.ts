import { failure, toAppError } from '../../../../shared/errors.ts';
import type { CannedAcl } from '../../../../shared/models/properties.ts';
import type { ObjectRef } from '../model/object-types.ts';
import type { ObjectAcl, ObjectRetention, ObjectTag, PropertyOperations } from '../model/property-types.ts';
import type { RequestOptions } from '../model/request-types.ts';

/** How a change was verified. `unread` means that the access key may not read what it wrote. */
export type ChangeProof = 'read-back' | 'unread';

type TagClient = Pick<PropertyOperations, 'getObjectTags' | 'putObjectTags'>;

/**
 * Replaces an object's tags and reads them back. Ceph RGW responds with 204 to deleting the tags of a versioned object but keeps
 * them, so an empty set is written then. Throws AppFailure with reason `change-not-stored` if other tags are read back.
 */
export async function setTags(
  client: TagClient,
  ref: ObjectRef,
  tags: readonly ObjectTag[],
  options?: RequestOptions,
): Promise<ChangeProof> {
  const areStored = async (): Promise<boolean | 'unread'> =>
    await readBack(
      async () => await client.getObjectTags(ref, options),
      (stored) => sameTags(stored, tags),
    );
  let stored: boolean | 'unread' = false;
  try {
    await client.putObjectTags({ ...ref, tags }, options);
    stored = await areStored();
  } catch (thrown) {
    // The access key may be allowed to write tags but not to delete them.
    if (tags.length > 0 || toAppError(thrown).code !== 'access-denied') throw thrown;
  }
  if (stored === false && tags.length === 0) {
    await client.putObjectTags({ ...ref, tags, asEmptySet: true }, options);
    stored = await areStored();
  }
  return proofOf(stored);
}

export function sameTags(left: readonly ObjectTag[], right: readonly ObjectTag[]): boolean {
  const byKey = new Map(right.map(({ key, value }) => [key, value]));
  return left.length === right.length && left.every(({ key, value }) => byKey.get(key) === value);
}

/** The grants to groups in each canned ACL: https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html */
const publicGrants: Readonly<Record<CannedAcl, readonly string[]>> = {
  private: [],
  'public-read': ['AllUsers READ'],
  'public-read-write': ['AllUsers READ', 'AllUsers WRITE'],
  'authenticated-read': ['AuthenticatedUsers READ'],
  'bucket-owner-read': [],
  'bucket-owner-full-control': [],
};

/** Sets a canned ACL and reads back the grants to groups. Throws like `setTags`. */
export async function setCannedAcl(
  client: Pick<PropertyOperations, 'getObjectAcl' | 'putObjectAcl'>,
  ref: ObjectRef,
  canned: CannedAcl,
  options?: RequestOptions,
): Promise<ChangeProof> {
  await client.putObjectAcl({ ...ref, canned }, options);
  const stored = await readBack(
    async () => await client.getObjectAcl(ref, options),
    (acl) => publicGrantsOf(acl).join() === publicGrants[canned].join(),
  );
  return proofOf(stored);
}

function publicGrantsOf({ grants }: ObjectAcl): readonly string[] {
  const found = grants.flatMap(({ grantee, permission }) => {
    const group =
      grantee.kind === 'group' ? /\/(AllUsers|AuthenticatedUsers)$/.exec(grantee.uri)?.[1] : undefined;
    return group === undefined ? [] : [`${group} ${permission}`];
  });
  return [...new Set(found)].toSorted();
}

/** Sets or removes a retention and reads it back. Throws like `setTags`. */
export async function setRetention(
  client: Pick<PropertyOperations, 'getObjectRetention' | 'putObjectRetention'>,
  input: ObjectRef & { readonly retention: ObjectRetention | null; readonly bypassGovernance: boolean },
  options?: RequestOptions,
): Promise<ChangeProof> {
  const { retention, bypassGovernance: _bypass, ...ref } = input;
  await client.putObjectRetention(input, options);
  const stored = await readBack(
    async () => await client.getObjectRetention(ref, options),
    (found) =>
      found === null || retention === null
        ? found === retention
        : found.mode === retention.mode && secondOf(found) === secondOf(retention),
  );
  return proofOf(stored);
}

/** Returns the end of a retention in whole seconds, as services store it. */
function secondOf({ until }: ObjectRetention): number {
  return Math.floor(Date.parse(until) / 1000);
}

/** Sets or removes a legal hold and reads it back. Throws like `setTags`. */
export async function setLegalHold(
  client: Pick<PropertyOperations, 'getObjectLegalHold' | 'putObjectLegalHold'>,
  { on, ...ref }: ObjectRef & { readonly on: boolean },
  options?: RequestOptions,
): Promise<ChangeProof> {
  await client.putObjectLegalHold({ ...ref, on }, options);
  const stored = await readBack(
    async () => await client.getObjectLegalHold(ref, options),
    (found) => found === on,
  );
  return proofOf(stored);
}

async function readBack<T>(
  read: () => Promise<T>,
  isStored: (found: T) => boolean,
): Promise<boolean | 'unread'> {
  try {
    return isStored(await read());
  } catch (thrown) {
    const { code } = toAppError(thrown);
    if (code === 'access-denied' || code === 'unsupported') return 'unread';
    throw thrown;
  }
}

function proofOf(stored: boolean | 'unread'): ChangeProof {
  if (stored === 'unread') return 'unread';
  if (stored) return 'read-back';
  throw failure('conflict', 'The service answered with success, but a later read returned another value.', {
    reason: 'change-not-stored',
    retry: 'backoff',
  });
}
