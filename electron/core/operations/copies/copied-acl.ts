import { AppFailure, toAppError, type AppError } from '../../../../shared/errors.ts';
import { aclOf } from '../../s3/model/shown-acl.ts';
import type { Grant, ObjectAcl } from '../../s3/model/property-types.ts';
import type { Owner } from '../../s3/model/listing-types.ts';
import type { CopyItem } from '../../transfers/items/transfer-item.ts';
import { logged } from '../../jobs/log-request.ts';
import { sourceRef, targetRef, type CopyContext } from './copy-context.ts';
import { notedAclUnread } from '../objects/notes.ts';

/** The permissions that a copy takes over from its source. */
export interface CarriedAcl {
  /** Canned ACLs, sent with the request that writes the copy. */
  readonly headers: Readonly<Record<string, string>>;
  /** Other ACLs, set once the copy exists. */
  readonly grants: ObjectAcl | null;
  /** The access key may not read the source's ACL. The copy gets none, and its item has a note. */
  readonly isUnread: boolean;
}

export const noAcl: CarriedAcl = { headers: {}, grants: null, isUnread: false };

/**
 * Reads the source's ACL, if supported and permitted: a copy does not inherit it (API_CopyObject, x-amz-acl). Copies
 * between connections get none, since accounts and groups differ between services.
 */
export async function aclToCopy(context: CopyContext, item: CopyItem): Promise<CarriedAcl> {
  if (context.isRelay) return noAcl;
  context.absent.acls ??= haveNoAcls(context, item);
  if (await context.absent.acls) return noAcl;
  const acl = await readAcl(context, item);
  if (acl === null) return { ...noAcl, isUnread: true };
  const { canned } = aclOf(acl);
  if (canned === null) return { ...noAcl, grants: acl };
  return canned === 'private' ? noAcl : { ...noAcl, headers: { 'x-amz-acl': canned } };
}

/** Reads the source's ACL; null if the access key may not. Reads it per object, because each can have a different one. */
async function readAcl(context: CopyContext, item: CopyItem): Promise<ObjectAcl | null> {
  try {
    return await context.client.getObjectAcl(sourceRef(context, item), { signal: context.signal });
  } catch (thrown) {
    if (toAppError(thrown).code !== 'access-denied') throw thrown;
    return null;
  }
}

/** Adds the note that the source's ACL could not be read, if so; else returns the note unchanged. */
export function notedAcl({ isUnread }: CarriedAcl, note: CopyItem['note']): CopyItem['note'] {
  return isUnread ? notedAclUnread(note) : note;
}

/**
 * Sends the request with the canned ACL. If the service refuses that, a copy is sent again without it, because its source
 * stays.
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
    leftBehind(context, item);
    return sent;
  }
}

/** Sets these grants on the copy at the target, unless it has them (API_PutObjectAcl). */
export async function putGrants(context: CopyContext, item: CopyItem, acl: ObjectAcl | null): Promise<void> {
  if (acl === null) return;
  const ref = targetRef(context, item);
  const { target, signal } = context;
  try {
    const now = await target.getObjectAcl(ref, { signal });
    const wanted = ownedBy(acl, now.owner);
    if (sameGrants(wanted, now)) return;
    await logged(
      context.log,
      'put-acl',
      () => target.putObjectGrants({ ...ref, acl: wanted }, { signal }),
      () => item.targetKey,
    );
  } catch (thrown) {
    throwUnlessLeft(context, thrown);
    leftBehind(context, item);
  }
}

/** Sets the grants on a copy written in an earlier run, or by CompleteMultipartUpload. */
export async function bringGrants(context: CopyContext, item: CopyItem): Promise<void> {
  await putGrants(context, item, (await aclToCopy(context, item)).grants);
}

/** Replaces the source's owner in the grants by the copy's owner, which may be another account. */
export function ownedBy(acl: ObjectAcl, owner: Owner | null): ObjectAcl {
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
 * Throws `acl-not-carried` if the source is deleted or overwritten: its ACL would be lost without the user's consent.
 * Rethrows errors other than a refusal.
 */
function throwUnlessLeft({ job }: CopyContext, thrown: unknown): void {
  const error = toAppError(thrown);
  if (!isRefused(error)) throw thrown;
  if (job.kind !== 'copy')
    throw new AppFailure({ ...error, reason: 'acl-not-carried', retry: 'after-fix' }, { cause: thrown });
}

function leftBehind({ log }: CopyContext, item: CopyItem): void {
  const note = `permissions (ACL) not copied: ${item.key}`;
  log({ request: 'put-acl', partNumber: null, status: null, requestId: null, error: null, note });
}

/** Returns true if the service has no ACLs or the target bucket disables them. The caller asks once per run. */
async function haveNoAcls(context: CopyContext, item: CopyItem): Promise<boolean> {
  const { client, target, to, signal } = context;
  try {
    await client.getObjectAcl(sourceRef(context, item), { signal });
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code !== 'access-denied') {
      if (isRefused(error)) return true;
      // Not known yet; the next object tries again.
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
    // The document is missing or unreadable: the ACL of each object is read instead.
    return false;
  }
}
