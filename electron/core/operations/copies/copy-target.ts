import { failure, toAppError } from '../../../../shared/errors.ts';
import { newerSide } from '../../../../shared/newer-side.ts';
import type { ConflictPolicy, Side } from '../../../../shared/models/transfers.ts';
import type { ObjectHead, ByteRange } from '../../s3/model/object-types.ts';
import { askUser, freeName, saveItem, settled } from '../../transfers/items/item-context.ts';
import type { CopyItem } from '../../transfers/items/transfer-item.ts';
import { isUnchanged } from '../../s3/model/object-proof.ts';
import { targetRef, type CopyContext, type Replaced } from './copy-context.ts';
import { abandonParts } from './copy-leftovers.ts';
import { headObject, compareBytes, sameDescription, seenOf, seenListed } from '../objects/look-at-object.ts';
import type { ListedObject } from '../../s3/model/listing-types.ts';
import { logged } from '../../jobs/log-request.ts';
import { sameEtag } from '../../s3/model/etag.ts';
import type { ObservedObject } from '../../transfers/items/operation-record.ts';
import { ListedLooks } from '../objects/listed-looks.ts';

/** The decision whether a copy is written to its target, and what it may replace. */
export type TargetDecision =
  | { readonly kind: 'write'; readonly item: CopyItem; readonly replaces: Replaced }
  /** The target already has the wanted object. `isOurs` is true if this job wrote it. */
  | { readonly kind: 'there'; readonly target: ObjectHead; readonly isOurs: boolean }
  | { readonly kind: 'settled'; readonly item: CopyItem };

export function copyPolicyOf(context: CopyContext, item: CopyItem): ConflictPolicy {
  return item.decision ?? context.job.onConflict;
}

/**
 * Checks the target before a copy. Replaces an object only if the user chose to, or if this job wrote it. Throws
 * `AppError('conflict')` if no free name is found, or if the target is also a source of this job.
 */
export async function decideCopyTarget(
  context: CopyContext,
  item: CopyItem,
  source: ObjectHead,
): Promise<TargetDecision> {
  const listedLook = await context.shared?.targets.look(item.targetKey);
  if (listedLook?.kind === 'absent') return { kind: 'write', item, replaces: null };
  const look = await headCopyTarget(context, item);
  if (look.kind === 'absent') return { kind: 'write', item, replaces: null };
  if (look.kind === 'hidden') return decideHidden(context, item, look.thrown);
  const target = look.head;
  const { copy } = item;
  // Source and target may be the same object under two names of the bucket or service. A move would then delete the object.
  if (copy === null && item.key === item.targetKey && isUnchanged(seenOf(source), seenOf(target))) {
    if (context.job.kind === 'copy' && copyPolicyOf(context, item) === 'rename')
      return { kind: 'write', item: await renameTarget(context, item), replaces: null };
    return { kind: 'settled', item: settled(item, { state: 'skipped', note: 'same' }) };
  }
  if (compareBytes(source, target) === 'equal' && sameDescription(source, target))
    return { kind: 'there', target, isOurs: copy?.targetWasFree ?? false };
  // The target is a copy that this item wrote, but the source has changed since.
  const earlier = copy?.target ?? null;
  if (earlier !== null && isUnchanged(earlier, seenOf(target)))
    return { kind: 'write', item, replaces: target };
  return await decideByPolicy(context, item, source, target);
}

/**
 * Checks the target with HEAD. `hidden` means that reading it is not permitted. Without permission to list, services respond with
 * this for missing keys too.
 */
export async function headCopyTarget(
  context: CopyContext,
  item: CopyItem,
): Promise<
  | { readonly kind: 'absent' }
  | { readonly kind: 'hidden'; readonly thrown: unknown }
  | { readonly kind: 'present'; readonly head: ObjectHead }
> {
  try {
    const head = await headObject(context.target, targetRef(context, item), context.signal, context.log);
    return head === null ? { kind: 'absent' } : { kind: 'present', head };
  } catch (thrown) {
    if (toAppError(thrown).code !== 'access-denied') throw thrown;
    return { kind: 'hidden', thrown };
  }
}

/** If If-None-Match fails this often for an unreadable target, the target counts as taken. */
const maxConditionRefusals = 2;

/**
 * Decides about a target that may be written but not read. If-None-Match protects an existing object, unless the user chose to
 * overwrite. Throws the refusal to read the target if it proves to exist.
 */
function decideHidden(context: CopyContext, item: CopyItem, refusal: unknown): TargetDecision {
  const policy = copyPolicyOf(context, item);
  if (policy === 'overwrite') {
    if (isOtherSource(context, item.targetKey)) throw sourceInTheWay();
    return { kind: 'write', item, replaces: 'any' };
  }
  if (item.restarts < maxConditionRefusals) return { kind: 'write', item, replaces: null };
  if (policy !== 'skip') throw refusal;
  const note = item.undo === null ? item.note : 'changed-since';
  return { kind: 'settled', item: settled(item, { state: 'skipped', note }) };
}

async function decideByPolicy(
  context: CopyContext,
  item: CopyItem,
  source: ObjectHead,
  target: ObjectHead,
): Promise<TargetDecision> {
  const policy = copyPolicyOf(context, item);
  switch (policy) {
    case 'newer': {
      const isNewer = newerSide(sideOf(source), sideOf(target)) === 'source';
      const decision = isNewer ? 'overwrite' : 'skip';
      return await decideByPolicy(context, { ...item, decision }, source, target);
    }
    case 'skip':
      // In an undo, another object now has the original key.
      return {
        kind: 'settled',
        item: settled(item, { state: 'skipped', note: item.undo === null ? item.note : 'changed-since' }),
      };
    case 'rename':
      return { kind: 'write', item: await renameTarget(context, item), replaces: null };
    case 'overwrite':
    case 'ask':
      if (isOtherSource(context, item.targetKey)) throw sourceInTheWay();
      return policy === 'overwrite'
        ? { kind: 'write', item, replaces: target }
        : { kind: 'settled', item: askUser(item, sideOf(source), sideOf(target)) };
    default:
      return policy satisfies never;
  }
}

async function renameTarget(context: CopyContext, item: CopyItem): Promise<CopyItem> {
  // Without permission to list, HEAD is also denied for free names. If-None-Match protects an object that has the name after all.
  const isFree = async (name: string) =>
    !isOtherSource(context, name) &&
    (await headCopyTarget(context, { ...item, targetKey: name })).kind !== 'present';
  const targetKey = await freeName(item.targetKey, isFree);
  // A multipart upload belongs to one key, so it cannot continue under the new name.
  const free = await abandonParts(context, item);
  return saveItem(context, { ...free, targetKey, copy: null, begun: null, note: 'renamed' });
}

/** Returns true if the key is also a source of this job. Such an object is never overwritten, whatever the user chose. */
function isOtherSource(context: CopyContext, key: string): boolean {
  const { job, to, items } = context;
  if (context.isRelay || job.bucket !== to.bucket) return false;
  return items.ofFold(job.id, key) !== null;
}

function sourceInTheWay(): Error {
  return failure('conflict', 'Another object of this job has the same target key.', {
    reason: 'source-in-the-way',
    retry: 'after-fix',
  });
}

function sideOf(head: ObjectHead): Side {
  return { sizeBytes: head.sizeBytes, modifiedAt: head.lastModified, etag: head.etag };
}

/** A target as far as it can be seen. `hidden` means that neither HEAD, GET nor a listing is permitted. */
type ObservedTarget =
  | { readonly kind: 'present'; readonly head: ObjectHead }
  | { readonly kind: 'listed'; readonly object: ListedObject }
  | { readonly kind: 'absent' }
  | { readonly kind: 'hidden' };

/** Checks the target with HEAD. If HEAD is not permitted, a GET of one byte or a listing may be. */
export async function lookAtTarget(context: CopyContext, item: CopyItem): Promise<ObservedTarget> {
  const look = await headCopyTarget(context, item);
  if (look.kind !== 'hidden') return look;
  const head = await headByGet(context, item);
  if (head !== null) return { kind: 'present', head };
  const { target, to, shared, signal } = context;
  const looks = shared?.targets ?? new ListedLooks(target, to.bucket, signal);
  const listed = await looks.look(item.targetKey);
  if (listed.kind === 'present') return { kind: 'listed', object: listed.object };
  return listed.kind === 'absent' ? listed : { kind: 'hidden' };
}

/** Returns true if the target still has the copy that was proved. A copy without a time was proved by a response alone. */
export async function hasCopy(context: CopyContext, item: CopyItem, copy: ObservedObject): Promise<boolean> {
  const now = await lookAtTarget(context, item);
  switch (now.kind) {
    case 'present':
      return isSameCopy(copy, seenOf(now.head));
    case 'listed':
      return isSameCopy(copy, seenListed(now.object));
    case 'absent':
      return false;
    case 'hidden':
      // The response to the write proved the copy, and no request could see it then either.
      return isByResponse(copy);
    default:
      return now satisfies never;
  }
}

/** Returns the copy as the response to its write describes it. The response states no time. */
export function seenByResponse(expected: ObservedObject, etag: string | null): ObservedObject {
  return { sizeBytes: expected.sizeBytes, etag, lastModified: null, versionId: null };
}

function isByResponse({ lastModified, etag }: ObservedObject): boolean {
  return lastModified === null && etag !== null;
}

function isSameCopy(copy: ObservedObject, now: ObservedObject): boolean {
  if (isByResponse(copy)) return copy.sizeBytes === now.sizeBytes && sameEtag(copy.etag, now.etag);
  return isUnchanged(copy, now);
}

/** Returns the object's head by a GET of its first byte, or of all of an empty object; null if that is not permitted. */
async function headByGet(context: CopyContext, item: CopyItem): Promise<ObjectHead | null> {
  const { target, signal, log } = context;
  const ref = targetRef(context, item);
  const firstByte = { firstByte: 0, lastByte: 0 };
  const get = async (range: { readonly range?: ByteRange }): Promise<ObjectHead | null> =>
    await logged(log, 'get-object', async () => {
      const {
        body,
        read: _read,
        contentRange: _range,
        sizeBytes,
        ...head
      } = await target.getObject({ ...ref, ...range }, { signal });
      body.destroy();
      return sizeBytes === null ? null : { ...head, sizeBytes };
    });
  try {
    return await get({ range: firstByte });
  } catch (thrown) {
    const { code, reason } = toAppError(thrown);
    if (reason === 'invalid-range') return await get({});
    if (code === 'access-denied' || code === 'not-found' || reason === 'object-archived') return null;
    throw thrown;
  }
}
