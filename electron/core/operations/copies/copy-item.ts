import { type Attempted, copyWhole, type Wrote } from './copy-whole.ts';
import { proofOfCopy, proofOfHidden, unverified, type CopyProof } from './copy-proof.ts';
import { verdictOn, type CopyItem } from '../../transfers/items/transfer-item.ts';
import { failure, toAppError } from '../../../../shared/errors.ts';
import type { ObjectHead } from '../../s3/model/object-types.ts';
import { settled } from '../../transfers/items/item-context.ts';
import type { ConfirmComplete } from '../../transfers/items/run-upload.ts';
import type { ObservedObject } from '../../transfers/items/operation-record.ts';
import { copyInParts } from './copy-parts.ts';
import { finishParts } from './finish-parts.ts';
import { abandonParts, removePartsOfGone } from './copy-leftovers.ts';
import { isUnchanged } from '../../s3/model/object-proof.ts';
import {
  isRelayed,
  learnNoCopies,
  saveSoon,
  savedItem,
  sourceRef,
  targetRef,
  type CopyContext,
  type Replaced,
} from './copy-context.ts';
import {
  lookAtTarget,
  seenByResponse,
  headCopyTarget,
  decideCopyTarget,
  copyPolicyOf,
} from './copy-target.ts';
import { logged } from '../../jobs/log-request.ts';
import { aclToCopy, bringGrants, notedAcl } from './copied-acl.ts';
import { sameTags, setTags } from '../../s3/conditions/proved-change.ts';
import { tagsOf } from '../objects/copied-attributes.ts';
import {
  headObject,
  sourceGone,
  compareBytes,
  isProvedBy,
  seenListed,
  seenOf,
} from '../objects/look-at-object.ts';
import {
  notedEncryption,
  hasLostKey,
  hasToGoInParts,
  keyOfHead,
  learnKeyedCopies,
} from '../objects/encryption.ts';

const maxRestarts = 3;

/** Copies one object and verifies the copy. Returns the item's new state, which the caller stores. */
export async function copyItem(context: CopyContext, item: CopyItem): Promise<CopyItem> {
  try {
    return await copyOnce(context, item);
  } catch (thrown) {
    await removePartsOfGone(context, item, thrown);
    if (toAppError(thrown).reason !== 'precondition-failed') throw thrown;
    return startAgain(savedItem(context, item));
  }
}

/** Resets an item whose source or target changed. Throws `AppError('conflict')` after `maxRestarts` restarts. */
export function startAgain(item: CopyItem): CopyItem {
  if (item.restarts >= maxRestarts)
    throw failure('conflict', 'The object changed repeatedly while it was copied.', {
      reason: 'object-changed',
      retry: 'after-fix',
    });
  const copy = item.copy === null ? null : { ...item.copy, stage: 'copying' as const };
  return { ...item, copy, state: 'todo', dueMs: 0, restarts: item.restarts + 1 };
}

async function copyOnce(context: CopyContext, item: CopyItem): Promise<CopyItem> {
  const source = await headObject(context.client, sourceRef(context, item), context.signal, context.log);
  // If a Complete request may have been sent, its outcome is verified first, even if the source is gone.
  if (item.upload !== null && item.upload.completion !== null)
    return await verifyWritten(context, source, await finishParts(context, item, ownerOf(context, item)));
  if (source === null) {
    if (item.undo !== null) return await skipAsChanged(context, item);
    throw sourceGone(item.key);
  }
  if (!(await isAsLeft(context, item, source))) return await skipAsChanged(context, item);
  const known = await withoutOldParts(context, item, source);
  const decided = await decideCopyTarget(context, known, source);
  switch (decided.kind) {
    case 'settled':
      if (decided.item.state !== 'asking') await abandonParts(context, decided.item);
      return decided.item;
    case 'there':
      return await finishExistingTarget(context, known, source, decided.target, decided.isOurs);
    case 'write':
      return await write(context, decided.item, source, decided.replaces);
    default:
      return decided satisfies never;
  }
}

/** Returns true if the object to undo is as the operation left it. An object with a version must still be the current one. */
async function isAsLeft(
  context: CopyContext,
  { undo, key, versionId }: CopyItem,
  source: ObjectHead,
): Promise<boolean> {
  if (undo === null || undo.expects === null) return true;
  const ref = { bucket: context.job.bucket, key };
  const now =
    versionId === null ? source : await headObject(context.client, ref, context.signal, context.log);
  return now !== null && isUnchanged(undo.expects, seenOf(now));
}

/** Marks the item as skipped, because the object changed after the operation that is undone. */
async function skipAsChanged(context: CopyContext, item: CopyItem): Promise<CopyItem> {
  const free = await abandonParts(context, item);
  return settled(free, { state: 'skipped', note: 'changed-since', copy: null });
}

/** Aborts a multipart copy whose source has changed since, because its parts are useless. Returns the item without it. */
export async function withoutOldParts(
  context: CopyContext,
  item: CopyItem,
  source: ObjectHead,
): Promise<CopyItem> {
  const { copy } = item;
  if (copy === null || copy.parts === null || isUnchanged(copy.source, seenOf(source))) return item;
  return await abandonParts(context, item);
}

/** Returns which objects Complete may replace: any if the user chose to overwrite, otherwise only an earlier copy by this job. */
function ownerOf(context: CopyContext, item: CopyItem): ConfirmComplete {
  const earlier = item.copy?.target ?? null;
  return (before) => {
    if (copyPolicyOf(context, item) === 'overwrite') return 'any';
    if (before.kind !== 'present') return 'as-seen';
    return earlier !== null && isUnchanged(earlier, before) ? 'as-seen' : 'hold';
  };
}

async function write(
  context: CopyContext,
  item: CopyItem,
  source: ObjectHead,
  replaces: Replaced,
): Promise<CopyItem> {
  // Only the first attempt knows whether the target was free. A later attempt may find a copy by this job, or an object that
  // another client wrote meanwhile, and that the user allowed replacing.
  const isFreeNow = replaces === null || isOwnCopy(item, replaces);
  const targetWasFree = isFreeNow && (item.copy?.targetWasFree ?? replaces === null);
  const acl = await aclToCopy(context, item);
  const key = keyOfHead(source);
  const intent = await saveSoon(context, {
    ...item,
    note: notedAcl(acl, item.note),
    sizeBytes: source.sizeBytes,
    copy: {
      stage: 'copying',
      targetWasFree,
      source: seenOf(source),
      target: item.copy?.target ?? null,
      parts: item.copy?.parts ?? null,
      tags: null,
      ...(key === null ? {} : { encryption: key }),
    },
  });
  const inParts = async (): Promise<CopyItem> =>
    await verifyWritten(
      context,
      source,
      await copyInParts(context, intent, source, ownerOf(context, intent), acl),
    );
  if (isInParts(context, intent, source)) return await inParts();
  let wrote: Wrote;
  // Read before the request, because another item may learn meanwhile that the service has no copy requests.
  const wasRelayed = isRelayed(context);
  try {
    wrote = await copyWhole(context, intent, source, replaces, acl);
  } catch (thrown) {
    if (wasRelayed) throw thrown;
    if (learnKeyedCopies(context.absent, source, thrown)) return await inParts();
    if (!learnNoCopies(context, thrown)) throw thrown;
    if (isInParts(context, intent, source)) return await inParts();
    wrote = await copyWhole(context, intent, source, replaces, acl);
  }
  // A listing shows neither how a copy is encrypted nor its version, which an undo would delete.
  const isListingEnough = key === null && replaces === null;
  const listedLook = isListingEnough ? await context.shared?.targets.look(intent.targetKey) : undefined;
  if (listedLook?.kind === 'present' && isProvedBy(listedLook.object, source))
    return finishedCopy(context, intent, seenListed(listedLook.object), 'proved');
  // The listing does not prove the copy, so HEAD checks the key.
  return await verifyWritten(context, source, { kind: 'written', item: intent, ...wrote });
}

/** Returns true if the object to replace is the copy that an earlier attempt of this item wrote. */
function isOwnCopy({ copy }: CopyItem, replaces: ObjectHead | 'any'): boolean {
  const earlier = copy?.target ?? null;
  return earlier !== null && replaces !== 'any' && isUnchanged(earlier, seenOf(replaces));
}

async function verifyWritten(
  context: CopyContext,
  source: ObjectHead | null,
  attempted: Attempted,
): Promise<CopyItem> {
  if (attempted.kind === 'not-yet') return attempted.item;
  const now = attempted.item;
  // Sets tags before the check, because new tags and ACLs change the object's time on some services.
  await bringTags(context, now, source);
  if (source !== null && isInParts(context, now, source)) await bringGrants(context, now);
  const expected = now.copy?.source ?? null;
  const look =
    context.job.kind === 'copy'
      ? await headCopyTarget(context, now)
      : // A move deletes its source, so it checks a target that refuses HEAD by other requests.
        await lookAtTarget(context, now);
  if (expected === null || look.kind === 'absent') throw unverified();
  if (look.kind === 'hidden' || look.kind === 'listed') {
    const listed = look.kind === 'listed' ? look.object : null;
    const target = listed === null ? seenByResponse(expected, attempted.etag) : seenListed(listed);
    return finishedCopy(context, now, target, proofOfHidden(context, source, expected, attempted, listed));
  }
  const target = look.head;
  const proof = await proofOfCopy(context, now, { source, expected, target, wrote: attempted });
  return finishedCopy(context, notedKey(now, source, target), seenOf(target), proof);
}

/** Adds a note if the copy is not encrypted with the key of its source, because the user did not choose that. */
function notedKey(item: CopyItem, source: ObjectHead | null, target: ObjectHead): CopyItem {
  const key = item.copy?.encryption ?? (source === null ? null : keyOfHead(source));
  return { ...item, note: notedEncryption(item.note, hasLostKey(key, keyOfHead(target))) };
}

/** Sets the source's tags on a copy that was written in parts, because Ceph loses the tags given to CreateMultipartUpload. */
async function bringTags(context: CopyContext, item: CopyItem, source: ObjectHead | null): Promise<void> {
  if (item.copy === null || source === null || !isInParts(context, item, source)) return;
  const { client, target, absent, signal } = context;
  const tags = await tagsOf(client, sourceRef(context, item), absent, signal);
  const ref = targetRef(context, item);
  if (tags.length === 0 || sameTags(tags, await tagsOf(target, ref, absent, signal))) return;
  await logged(context.log, 'put-tags', () => setTags(target, ref, tags, { signal }), item.targetKey);
}

function isInParts(context: CopyContext, item: CopyItem, source: ObjectHead): boolean {
  const { operations, absent } = context;
  // A copy that was started in parts continues in parts.
  if ((item.copy?.parts ?? null) !== null) return true;
  if (isRelayed(context)) return source.sizeBytes >= operations.partsFromBytes;
  return source.sizeBytes > operations.largestCopyBytes || hasToGoInParts(absent, source, context.target);
}

async function finishExistingTarget(
  context: CopyContext,
  item: CopyItem,
  source: ObjectHead,
  target: ObjectHead,
  isOurs: boolean,
): Promise<CopyItem> {
  const noted: CopyItem = isOurs || item.copy !== null ? item : { ...item, note: 'same' };
  const key = keyOfHead(source);
  const copy = {
    stage: 'copying' as const,
    targetWasFree: isOurs,
    source: seenOf(source),
    target: null,
    parts: item.copy?.parts ?? null,
    tags: null,
    ...(key === null ? {} : { encryption: key }),
  };
  const found: CopyItem = { ...noted, sizeBytes: source.sizeBytes, copy };
  // Another client may have written the target while the parts were copied, so the parts are useless.
  await abandonParts(context, found);
  if (!isOurs && item.copy === null) {
    // If the source is kept, nothing is lost when the target is encrypted differently.
    const foundSource = context.job.kind === 'copy' ? found : notedKey(found, source, target);
    return finishedCopy(context, foundSource, seenOf(target), 'proved');
  }
  // An earlier attempt wrote the copy but may have ended before setting tags and permissions.
  if (isOurs) await bringTags(context, found, source);
  await bringGrants(context, found);
  const now = await headObject(context.target, targetRef(context, item), context.signal, context.log);
  if (now === null || compareBytes(source, now) !== 'equal') throw unverified();
  return finishedCopy(context, notedKey(found, source, now), seenOf(now), 'proved');
}

/** Returns the item of a finished copy. A move deletes its source only after all objects are copied. */
function finishedCopy(
  context: CopyContext,
  copy: CopyItem,
  target: ObservedObject,
  proof: CopyProof,
): CopyItem {
  const { verified, note } =
    proof === 'by-service' ? { verified: null, note: copy.note } : verdictOn(copy.note, proof === 'proved');
  const item = { ...copy, note };
  if (context.job.kind === 'copy' || item.copy === null)
    return settled(item, { state: 'done', verified, copy: null, journal: journalOf(item, target) });
  if (item.undo?.keepsSource === true)
    return settled(item, { state: 'done', verified, copy: null, note: 'replaced' });
  return settled(item, {
    state: 'held',
    verified,
    copy: { ...item.copy, stage: 'copied', target, parts: null },
  });
}

/** Returns the record for an undo; null if an identical object existed before, because an undo must keep it. */
function journalOf({ copy, note }: CopyItem, target: ObservedObject): CopyItem['journal'] {
  if (copy === null || note === 'same') return null;
  const { targetWasFree, source } = copy;
  return { kind: 'copy', targetWasFree, source, target };
}
