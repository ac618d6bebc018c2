import { toAppError } from '../../../shared/errors.ts';
import { aclOf } from '../properties/acl.ts';
import type { Item } from '../transfers/transfer-job.ts';
import { sourceRef, type CopyContext } from './copy-context.ts';

/** Headers by which a copy gets the permissions of its source. */
export type AclHeaders = Readonly<Record<string, string>>;

/**
 * Copies come without the permissions of their source (API_CopyObject, x-amz-acl): they are read and named, where there
 * are such things. Those that no ready-made set names are left behind, which the log says. Between connections none are
 * taken: another service's "everybody" is for its owner to say.
 */
export async function aclToCopy(context: CopyContext, item: Item): Promise<AclHeaders> {
  if (context.isRelay) return {};
  context.absent.acls ??= haveNoAcls(context, item);
  if (await context.absent.acls) return {};
  const acl = aclOf(await context.client.getObjectAcl(sourceRef(context, item), { signal: context.signal }));
  if (acl.canned === null) leftBehind(context, item);
  return acl.canned === null || acl.canned === 'private' ? {} : { 'x-amz-acl': acl.canned };
}

/** Sends with these permissions; without them where the service takes none, or not from this key. */
export async function withAcl<T>(
  context: CopyContext,
  item: Item,
  acl: AclHeaders,
  send: (acl: AclHeaders) => Promise<T>,
): Promise<T> {
  if (Object.keys(acl).length === 0) return await send({});
  try {
    return await send(acl);
  } catch (thrown) {
    const { code } = toAppError(thrown);
    if (code !== 'unsupported' && code !== 'access-denied' && code !== 'invalid-argument') throw thrown;
    const sent = await send({});
    leftBehind(context, item);
    return sent;
  }
}

function leftBehind({ log }: CopyContext, item: Item): void {
  const note = `permissions (ACL) not copied: ${item.key}`;
  log({ request: 'get-acl', partNumber: null, status: null, requestId: null, error: null, note });
}

/** Once for a run: buckets without ACLs, services without them, and keys that may not read them. */
async function haveNoAcls(context: CopyContext, item: Item): Promise<boolean> {
  const { client, target, to, signal } = context;
  try {
    await client.getObjectAcl(sourceRef(context, item), { signal });
  } catch (thrown) {
    const { code } = toAppError(thrown);
    if (code === 'unsupported' || code === 'access-denied' || code === 'invalid-argument') return true;
    // It is found out by the next one.
    context.absent.acls = null;
    throw thrown;
  }
  try {
    const controls = await target.getBucketDocument(
      { bucket: to.bucket, query: 'ownershipControls', operation: 'BucketOwnershipControls' },
      { signal },
    );
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/about-object-ownership.html
    return controls.includes('BucketOwnerEnforced');
  } catch {
    signal.throwIfAborted();
    // No such document, or nobody may read it: then the objects tell.
    return false;
  }
}
