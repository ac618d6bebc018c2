import { AppFailure, toAppError, type AppError } from '../../../../shared/errors.ts';
import { aclOf, type Grant, type ObjectAcl } from '../../s3/model/property-types.ts';
import type { Owner } from '../../s3/model/listing-types.ts';
import type { CopyItem } from '../../transfers/items/transfer-item.ts';
import { logged, noteAttempt } from '../../jobs/log-request.ts';
import { sourceRef, targetRef, type CopyContext } from './copy-context.ts';
import { notedAclUnread } from '../objects/encryption.ts';

/** The permissions to give a copy, as read from its source. */
export interface CarriedAcl {
  /** Headers for a canned ACL, sent with the request that writes the copy. Empty if the ACL is not canned. */
  readonly headers: Readonly<Record<string, string>>;
  /** An ACL that is not canned, to set once the copy exists; null if there is none. */
  readonly grants: ObjectAcl | null;
  /** True if reading the source's ACL is not permitted. The copy then gets no ACL, and its item gets a note. */
  readonly isUnread: boolean;
}

export const noAcl: CarriedAcl = { headers: {}, grants: null, isUnread: false };

/**
 * Reads the source's ACL, because a copy does not inherit it (API_CopyObject, x-amz-acl). Returns no ACL if the service has none,
 * and for copies between connections, because each service has its own accounts.
 */
export async function aclToCopy(context: CopyContext, item: CopyItem): Promise<CarriedAcl> {
  if (context.isRelay) return noAcl;
  if (await lacksAcls(context, item)) return noAcl;
  const acl = await readAcl(context, item);
  if (acl === null) return { ...noAcl, isUnread: true };
  const { canned } = aclOf(acl);
  if (canned === null) return { ...noAcl, grants: acl };
  return canned === 'private' ? noAcl : { ...noAcl, headers: { 'x-amz-acl': canned } };
}

/** Reads the ACL of the source, which may differ for each object; null if reading it is not permitted. */
async function readAcl(context: CopyContext, item: CopyItem): Promise<ObjectAcl | null> {
  try {
    return await context.client.getObjectAcl(sourceRef(context, item), { signal: context.signal });
  } catch (thrown) {
    if (toAppError(thrown).code !== 'access-denied') throw thrown;
    return null;
  }
}

/** Returns the note, extended if the source's ACL could not be read. */
export function notedAcl({ isUnread }: CarriedAcl, note: CopyItem['note']): CopyItem['note'] {
  return isUnread ? notedAclUnread(note) : note;
}

/**
 * Sends the request with the headers of the canned ACL. If they are refused and the source is kept, sends it again without them.
 */
export async function withAcl<T>(
  context: CopyContext,
  item: CopyItem,
  { headers }: CarriedAcl,
  send: (headers: CarriedAcl['headers']) => Promise<T>,
): Promise<T> {
  if (Object.keys(headers).length === 0) return await send({});
  try {
    return await send(headers);
  } catch (thrown) {
    throwUnlessLeft(context, thrown);
    const sent = await send({});
    logAclNotCopied(context, item);
    return sent;
  }
}

/** Sets this ACL on the copy, unless the copy already has it (API_PutObjectAcl). */
export async function putGrants(context: CopyContext, item: CopyItem, acl: ObjectAcl | null): Promise<void> {
  if (acl === null) return;
  const ref = targetRef(context, item);
  const { target, signal } = context;
  try {
    const now = await target.getObjectAcl(ref, { signal });
    const targetAcl = ownedBy(acl, now.owner);
    if (sameGrants(targetAcl, now)) return;
    await logged(
      context.log,
      'put-acl',
      () => target.putObjectGrants({ ...ref, acl: targetAcl }, { signal }),
      item.targetKey,
    );
  } catch (thrown) {
    throwUnlessLeft(context, thrown);
    logAclNotCopied(context, item);
  }
}

/** Copies the source's ACL to a copy that CompleteMultipartUpload or an earlier run wrote. */
export async function bringGrants(context: CopyContext, item: CopyItem): Promise<void> {
  await putGrants(context, item, (await aclToCopy(context, item)).grants);
}

/** Returns the ACL with the source's owner replaced by the copy's owner, which may be another account. */
function ownedBy(acl: ObjectAcl, owner: Owner | null): ObjectAcl {
  const before = acl.owner?.id ?? null;
  const after = owner?.id ?? null;
  if (after === null || before === null || before === after)
    return { owner: owner ?? acl.owner, grants: acl.grants };
  const grants = acl.grants.map((grant): Grant =>
    grant.grantee.kind === 'user' && grant.grantee.id === before
      ? { ...grant, grantee: { kind: 'user', id: after, displayName: owner?.displayName ?? null } }
      : grant,
  );
  return { owner, grants };
}

export function sameGrants(left: ObjectAcl, right: ObjectAcl): boolean {
  return grantsText(left) === grantsText(right);
}

function grantsText({ grants }: ObjectAcl): string {
  const texts = grants.map(({ grantee, permission }) => JSON.stringify([granteeText(grantee), permission]));
  return [...new Set(texts)].toSorted().join('\n');
}

function granteeText(grantee: Grant['grantee']): string {
  switch (grantee.kind) {
    case 'user':
      return `user ${grantee.id}`;
    case 'group':
      return `group ${grantee.uri}`;
    case 'email':
      return `email ${grantee.address}`;
    default:
      return grantee satisfies never;
  }
}

function isRefused({ code }: AppError): boolean {
  return code === 'unsupported' || code === 'access-denied' || code === 'invalid-argument';
}

/**
 * Returns normally if the ACL was refused and the source is kept. Throws `acl-not-carried` if the source will be deleted or
 * overwritten, because its ACL would be lost. Rethrows errors that are not refusals.
 */
function throwUnlessLeft({ job }: CopyContext, thrown: unknown): void {
  const error = toAppError(thrown);
  if (!isRefused(error)) throw thrown;
  if (job.kind !== 'copy')
    throw new AppFailure({ ...error, reason: 'acl-not-carried', retry: 'after-fix' }, { cause: thrown });
}

function logAclNotCopied({ log }: CopyContext, item: CopyItem): void {
  log(noteAttempt('put-acl', `permissions (ACL) not copied: ${item.key}`));
}

/** Returns the result of `haveNoAcls`, which all items share. If the object of another item is gone, asks with this item's. */
async function lacksAcls(context: CopyContext, item: CopyItem): Promise<boolean> {
  for (;;) {
    const pending = context.absent.acls;
    if (pending === null) return await (context.absent.acls = haveNoAcls(context, item));
    try {
      return await pending;
    } catch (thrown) {
      if (toAppError(thrown).code !== 'not-found') throw thrown;
    }
  }
}

/** Returns true if the service has no ACLs, or if the target bucket disables them. Requested once per run. */
async function haveNoAcls(context: CopyContext, item: CopyItem): Promise<boolean> {
  const { client, target, to, signal } = context;
  try {
    await client.getObjectAcl(sourceRef(context, item), { signal });
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code !== 'access-denied') {
      if (isRefused(error)) return true;
      // The answer is still unknown, so the next object asks again.
      context.absent.acls = null;
      throw thrown;
    }
  }
  try {
    const { text } = await target.getBucketDocument(
      { bucket: to.bucket, query: 'ownershipControls', operation: 'BucketOwnershipControls' },
      { signal },
    );
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/about-object-ownership.html
    return text.includes('BucketOwnerEnforced');
  } catch {
    signal.throwIfAborted();
    // The policy is missing or cannot be read, so the ACL of each object is read.
    return false;
  }
}
