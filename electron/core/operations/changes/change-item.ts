import { failure, toAppError } from '../../../../shared/errors.ts';
import { rewritesObject, type ChangePatch } from '../../../../shared/models/operations.ts';
import { checkNow, isCarried, ofCopySource, sendIf } from '../../s3/conditions/conditional.ts';
import type { ObjectAcl, ObjectTag } from '../../s3/model/property-types.ts';
import type { ObjectAttributes, ObjectHead } from '../../s3/model/types.ts';
import { saveItem, settled } from '../../transfers/items/item-context.ts';
import type { ConfirmComplete } from '../../transfers/items/steps.ts';
import type { Item } from '../../transfers/items/transfer-job.ts';
import { logged } from '../../multipart/look.ts';
import { aclToCopy, noAcl, notedAcl, putGrants, withAcl, type CarriedAcl } from '../copies/acl.ts';
import { tagsOf, sameTags } from '../objects/attributes.ts';
import { changedAttributes, changedTags, isDescribed } from './change-plan.ts';
import { seenOf } from '../objects/compare.ts';
import { isUnchanged } from '../../s3/model/seen.ts';
import { sourceRef, sourceUnchanged, targetRef, type CopyContext } from '../copies/copy-context.ts';
import { startAgain, withoutOldParts } from '../copies/copy-item.ts';
import { finishParts, inParts, removePartsOfGone } from '../copies/copy-parts.ts';
import {
  hasLostKey,
  hasToGoInParts,
  keyOfHead,
  learnKeyedCopies,
  type ObjectKey,
} from '../objects/encryption.ts';
import { lookAt, sourceGone } from '../objects/look.ts';
import { notedEncryption } from '../objects/notes.ts';
import type { Seen } from '../../transfers/items/operation.ts';
import { operationOf } from '../objects/prepare.ts';

/** Changes what describes one object; its bytes stay. `item.local` is its own key. */
export async function changeItem(context: CopyContext, item: Item): Promise<Item> {
  const patch = operationOf(context.job).patch ?? {};
  try {
    return await change(context, item, patch);
  } catch (thrown) {
    await removePartsOfGone(context, item, thrown);
    if (toAppError(thrown).reason !== 'precondition-failed') throw thrown;
    return startAgain(context.items.get(context.job.id, item.seq) ?? item);
  }
}

async function change(context: CopyContext, item: Item, patch: ChangePatch): Promise<Item> {
  if (item.upload !== null) {
    const ran = await finishParts(context, item, onlyOver(item.copy?.source ?? null));
    if (ran.kind === 'not-yet') return ran.item;
  }
  const head = await lookAt(context.client, sourceRef(context, item), context.signal, context.log);
  if (head === null) throw sourceGone(item.key);
  const tags = await wantedTags(context, item, patch);
  let isSame = true;
  let { note } = item;
  // An earlier try may have written the object already.
  const key = item.copy?.encryption ?? keyOfHead(head);
  let described = head;
  if (rewritesObject(patch)) {
    const wanted = changedAttributes(head, patch);
    // An earlier try has noted them before it could lose them.
    let grants: ObjectAcl | null = item.copy?.acl ?? null;
    if (!isDescribed(head, wanted)) {
      isSame = false;
      const acl = grants === null ? await aclToCopy(context, item) : { ...noAcl, grants };
      ({ grants } = acl);
      note = notedAcl(acl, note);
      const rewritten = await rewrite(context, item, { head, key, wanted, tags: tags.after, acl });
      if (rewritten.kind === 'not-yet') return rewritten.item;
      described = rewritten.head;
    }
    note = notedEncryption(note, hasLostKey(key, keyOfHead(described)));
    await putGrants(context, item, grants);
  }
  // A copy onto itself loses the tags on some services: they are looked at again.
  const now = isSame
    ? tags.before
    : await tagsOf(context.client, sourceRef(context, item), context.absent, context.signal);
  if (!sameTags(now, tags.after)) {
    isSame = false;
    await logged(
      context.log,
      'put-tags',
      () =>
        context.client.putObjectTags(
          { ...targetRef(context, item), tags: tags.after },
          { signal: context.signal },
        ),
      () => item.key,
    );
  }
  return settled(item, {
    state: 'done',
    sizeBytes: head.sizeBytes,
    copy: null,
    // After a try whose end was not known the same is what was wanted.
    note: isSame && item.tries === 0 && item.copy === null ? 'same' : note,
  });
}

/** Other bytes that have come to the key since are not replaced by those that were there. */
function onlyOver(source: Seen | null): ConfirmComplete {
  return (before) =>
    before.kind === 'present' && source !== null && isUnchanged(source, before) ? 'as-seen' : 'hold';
}

interface Tags {
  readonly before: readonly ObjectTag[];
  readonly after: readonly ObjectTag[];
}

async function wantedTags(context: CopyContext, item: Item, patch: ChangePatch): Promise<Tags> {
  const before = await tagsOf(context.client, sourceRef(context, item), context.absent, context.signal);
  // An earlier try has noted them before it could lose them.
  const noted = item.copy?.tags ?? null;
  if (noted !== null) return { before, after: noted };
  if (patch.tags === undefined) return { before, after: before };
  if (context.absent.tags)
    throw failure('unsupported', 'This service has no tags.', { reason: 'not-implemented' });
  return { before, after: changedTags(before, patch.tags) };
}

interface Rewriting {
  readonly head: ObjectHead;
  /** What it is encrypted with, and is to stay so. */
  readonly key: ObjectKey | null;
  readonly wanted: ObjectAttributes;
  readonly tags: readonly ObjectTag[];
  readonly acl: CarriedAcl;
}

/** `written`: done and proved, with what stands there now. */
type Rewritten =
  { readonly kind: 'written'; readonly head: ObjectHead } | { readonly kind: 'not-yet'; readonly item: Item };

async function rewrite(
  context: CopyContext,
  item: Item,
  { head, key, wanted, tags, acl }: Rewriting,
): Promise<Rewritten> {
  let isInParts =
    head.sizeBytes > context.operations.largestCopyBytes || hasToGoInParts(context.absent, head);
  let noted = item;
  if (isInParts || tags.length > 0 || acl.grants !== null || acl.isUnread || key !== null) {
    const known = await withoutOldParts(context, item, head);
    noted = saveItem(context, {
      ...known,
      note: notedAcl(acl, known.note),
      sizeBytes: head.sizeBytes,
      copy: {
        stage: 'copying',
        targetWasFree: false,
        source: seenOf(head),
        target: null,
        parts: known.copy?.parts ?? null,
        tags: [...tags],
        ...(acl.grants === null ? {} : { acl: { owner: acl.grants.owner, grants: [...acl.grants.grants] } }),
        ...(key === null ? {} : { encryption: key }),
      },
    });
  }
  if (!isInParts)
    try {
      await withAcl(context, item, acl, async (headers) => {
        const attributes = { ...wanted, headers: { ...wanted.headers, ...headers } };
        await copyOntoItself(context, item, head, attributes);
      });
    } catch (thrown) {
      if (!learnKeyedCopies(context.absent, head, thrown)) throw thrown;
      isInParts = true;
    }
  if (isInParts) {
    const ran = await inParts(context, noted, head, wanted, onlyOver(seenOf(head)), acl);
    if (ran.kind === 'not-yet') return ran;
  }
  const now = await lookAt(context.client, sourceRef(context, item), context.signal, context.log);
  // Its ETag may be another after a copy in parts, or of one; its length may not.
  if (now === null || now.sizeBytes !== head.sizeBytes || !isDescribed(now, wanted)) throw unproved();
  return { kind: 'written', head: now };
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html: only of what was read just now. */
async function copyOntoItself(
  context: CopyContext,
  item: Item,
  head: ObjectHead,
  attributes: ObjectAttributes,
): Promise<void> {
  const required = { ...sourceUnchanged(context, item, head), isProvedByOwner: true };
  // Its own copy changes the source: afterwards there is nothing to compare with.
  if (!isCarried(required)) await checkNow(required);
  await sendIf(required, async (condition) =>
    logged(
      context.log,
      'copy-object',
      () =>
        context.client.copyObject(
          {
            ...targetRef(context, item),
            source: sourceRef(context, item),
            metadataDirective: 'REPLACE',
            attributes,
            ...ofCopySource(condition),
          },
          { signal: context.signal },
        ),
      () => item.key,
    ),
  );
}

function unproved(): Error {
  return failure('conflict', 'The object is not described as it should be after the change.', {
    reason: 'copy-unverified',
    retry: 'backoff',
  });
}
