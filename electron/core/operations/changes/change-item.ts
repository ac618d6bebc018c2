import { failure, toAppError } from '../../../../shared/errors.ts';
import { rewritesObject } from '../../../../shared/models/operations.ts';
import { checkNow, isCarried, ofCopySource, sendIf } from '../../s3/conditions/conditional.ts';
import { sameTags, setTags } from '../../s3/conditions/proved-change.ts';
import type { ObjectAcl, ObjectTag } from '../../s3/model/property-types.ts';
import type { ObjectAttributes, ObjectHead } from '../../s3/model/object-types.ts';
import { saveItem, settled } from '../../transfers/items/item-context.ts';
import type { ConfirmComplete } from '../../transfers/items/run-upload.ts';
import type { CopyItem } from '../../transfers/items/transfer-item.ts';
import { logged } from '../../jobs/log-request.ts';
import { aclToCopy, noAcl, notedAcl, putGrants, withAcl, type CarriedAcl } from '../copies/copied-acl.ts';
import { tagsOf } from '../objects/copied-attributes.ts';
import { changedAttributes, changedTags, hasAttributes, patchBack } from './change-plan.ts';
import { isUnchanged } from '../../s3/model/object-proof.ts';
import {
  learnNoCopies,
  savedItem,
  sourceRef,
  sourceUnchanged,
  targetRef,
  type CopyContext,
} from '../copies/copy-context.ts';
import { startAgain, withoutOldParts } from '../copies/copy-item.ts';
import { inParts } from '../copies/copy-parts.ts';
import { finishParts } from '../copies/finish-parts.ts';
import { removePartsOfGone } from '../copies/copy-leftovers.ts';
import { headObject, sourceGone, compareBytes, seenOf } from '../objects/look-at-object.ts';
import {
  notedEncryption,
  hasLostKey,
  hasToGoInParts,
  keyOfHead,
  learnKeyedCopies,
  type ObjectKey,
} from '../objects/encryption.ts';
import type { PatchBack, ObservedObject } from '../../transfers/items/operation-record.ts';
import { operationOf } from '../objects/list-operation-items.ts';

/**
 * Changes the metadata and tags of one object, but not its content. `item.targetKey` equals its key. Throws the service's error,
 * and `AppError('internal')` if the job has no operation.
 */
export async function changeItem(context: CopyContext, item: CopyItem): Promise<CopyItem> {
  const patch = item.undo?.patch ?? operationOf(context.job).patch ?? {};
  try {
    return await change(context, item, patch);
  } catch (thrown) {
    await removePartsOfGone(context, item, thrown);
    if (toAppError(thrown).reason !== 'precondition-failed') throw thrown;
    return startAgain(savedItem(context, item));
  }
}

async function change(context: CopyContext, begun: CopyItem, patch: PatchBack): Promise<CopyItem> {
  if (begun.upload !== null) {
    const ran = await finishParts(context, begun, onlyOver(begun.copy?.source ?? null));
    if (ran.kind === 'not-yet') return ran.item;
  }
  const head = await headObject(context.client, sourceRef(context, begun), context.signal, context.log);
  if (head === null) throw sourceGone(begun.key);
  const tags = await planTags(context, begun, patch);
  // An undo changes only objects that are as the operation left them. Once the undo has started, it may have caused the
  // difference itself.
  if (begun.journal === null && !isAsLeft(begun, head, tags.before))
    return settled(begun, { state: 'skipped', note: 'changed-since' });
  const item = saveUndoPatch(context, begun, patch, head, tags.before);
  let isSame = true;
  let { note } = item;
  let isTouched = false;
  // The encryption key of the original object. An earlier attempt may already have rewritten the object.
  const key = item.copy?.encryption ?? keyOfHead(head);
  let described = head;
  if (rewritesObject(patch)) {
    const newAttributes = changedAttributes(head, patch);
    // The grants stored by an earlier attempt. The copy that it started may have lost them on the service.
    let grants: ObjectAcl | null = item.copy?.acl ?? null;
    if (!hasAttributes(head, newAttributes)) {
      isSame = false;
      const acl = grants === null ? await aclToCopy(context, item) : { ...noAcl, grants };
      ({ grants } = acl);
      note = notedAcl(acl, note);
      const rewritten = await rewrite(context, item, { head, key, newAttributes, tags: tags.after, acl });
      if (rewritten.kind === 'not-yet') return rewritten.item;
      described = rewritten.head;
    }
    note = notedEncryption(note, hasLostKey(key, keyOfHead(described)));
    isTouched = grants !== null;
    await putGrants(context, item, grants);
  }
  // Some services lose the tags of an object that is copied onto itself, so the tags are read again.
  const now = isSame
    ? tags.before
    : await tagsOf(context.client, sourceRef(context, item), context.absent, context.signal);
  if (!sameTags(now, tags.after)) {
    isSame = false;
    isTouched = true;
    await logged(
      context.log,
      'put-tags',
      () => setTags(context.client, targetRef(context, item), tags.after, { signal: context.signal }),
      item.key,
    );
  }
  // After a retry, or if a copy was started, an object in the wanted state means that the earlier attempt succeeded.
  const isNothing = isSame && item.tries === 0 && item.copy === null;
  return settled(item, {
    state: 'done',
    sizeBytes: head.sizeBytes,
    copy: null,
    note: isNothing ? 'same' : note,
    journal: isNothing
      ? null
      : await journalOf(context, item, patch, {
          // On some services, new tags and permissions change the object's time, so it is read again.
          head: isTouched ? null : described,
          tags: tags.after,
        }),
  });
}

function isAsLeft({ undo }: CopyItem, head: ObjectHead, tags: readonly ObjectTag[]): boolean {
  if (undo === null) return true;
  const isSameObject = undo.expects !== null && isUnchanged(undo.expects, seenOf(head));
  return isSameObject && (undo.expectsTags === null || sameTags(undo.expectsTags, tags));
}

/** Stores the former metadata before any change, because a retry would find the object already changed. */
function saveUndoPatch(
  context: CopyContext,
  item: CopyItem,
  patch: PatchBack,
  head: ObjectHead,
  tags: readonly ObjectTag[],
): CopyItem {
  if (item.journal !== null) return item;
  const back = patchBack(patch, head, tags);
  return saveItem(context, { ...item, journal: { kind: 'change', back, after: null } });
}

/** Adds the state of the object after the change, by which an undo recognizes it. If `head` is null, reads the object again. */
async function journalOf(
  context: CopyContext,
  item: CopyItem,
  patch: PatchBack,
  { head, tags }: { readonly head: ObjectHead | null; readonly tags: readonly ObjectTag[] },
): Promise<CopyItem['journal']> {
  const { journal } = item;
  if (journal?.kind !== 'change') return null;
  const now =
    head ?? (await headObject(context.client, sourceRef(context, item), context.signal, context.log));
  if (now === null) return null;
  const after = { seen: seenOf(now), tags: patch.tags === undefined ? null : [...tags] };
  return { ...journal, after };
}

/** Returns a check that lets Complete replace only the object that was read, not one that another client wrote later. */
function onlyOver(source: ObservedObject | null): ConfirmComplete {
  return (before) =>
    before.kind === 'present' && source !== null && isUnchanged(source, before) ? 'as-seen' : 'hold';
}

interface Tags {
  readonly before: readonly ObjectTag[];
  readonly after: readonly ObjectTag[];
}

async function planTags(context: CopyContext, item: CopyItem, patch: PatchBack): Promise<Tags> {
  const before = await tagsOf(context.client, sourceRef(context, item), context.absent, context.signal);
  // The tags stored by an earlier attempt. The copy that it started may have lost them on the service.
  const noted = item.copy?.tags ?? null;
  if (noted !== null) return { before, after: noted };
  if (patch.tags === undefined) return { before, after: before };
  if (context.absent.tags)
    throw failure('unsupported', 'This service has no tags.', { reason: 'not-implemented' });
  return { before, after: changedTags(before, patch.tags) };
}

interface Rewriting {
  readonly head: ObjectHead;
  /** The object's encryption key, which must not change. */
  readonly key: ObjectKey | null;
  readonly newAttributes: ObjectAttributes;
  readonly tags: readonly ObjectTag[];
  readonly acl: CarriedAcl;
}

/** The result of rewriting an object. `written` means that the new object is verified. */
type Rewritten =
  | { readonly kind: 'written'; readonly head: ObjectHead }
  | { readonly kind: 'not-yet'; readonly item: CopyItem };

async function rewrite(
  context: CopyContext,
  item: CopyItem,
  { head, key, newAttributes, tags, acl }: Rewriting,
): Promise<Rewritten> {
  // Without CopyObject, the content passes through this computer. Its parts are verified before they replace the object.
  let isInParts =
    context.absent.copies ||
    head.sizeBytes > context.operations.largestCopyBytes ||
    hasToGoInParts(context.absent, head, context.client);
  const saveIntent = async (): Promise<CopyItem> => {
    const known = await withoutOldParts(context, item, head);
    return saveItem(context, {
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
  };
  const isLossy = tags.length > 0 || acl.grants !== null || acl.isUnread || key !== null;
  let noted = isInParts || isLossy ? await saveIntent() : item;
  if (!isInParts)
    try {
      await withAcl(context, item, acl, async (headers) => {
        const attributes = { ...newAttributes, headers: { ...newAttributes.headers, ...headers } };
        await copyOntoItself(context, item, head, attributes);
      });
    } catch (thrown) {
      if (!learnKeyedCopies(context.absent, head, thrown) && !learnNoCopies(context, thrown)) throw thrown;
      isInParts = true;
      noted = await saveIntent();
    }
  if (isInParts) {
    const ran = await inParts(context, noted, head, newAttributes, onlyOver(seenOf(head)), acl);
    if (ran.kind === 'not-yet') return ran;
  }
  const now = await headObject(context.client, sourceRef(context, item), context.signal, context.log);
  // The ETag may differ if the old or the new object was written in parts, but length and MD5 must be equal.
  if (now === null || compareBytes(head, now) === 'different' || !hasAttributes(now, newAttributes))
    throw unproved();
  return { kind: 'written', head: now };
}

/**
 * Copies the object onto itself, only if it is unchanged (https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html).
 */
async function copyOntoItself(
  context: CopyContext,
  item: CopyItem,
  head: ObjectHead,
  attributes: ObjectAttributes,
): Promise<void> {
  const required = { ...sourceUnchanged(context, item, head), isProvedByOwner: true };
  // A copy without a condition may replace another client's object, and a later check would not notice. So check just before it.
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
      item.key,
    ),
  );
}

function unproved(): Error {
  return failure(
    'conflict',
    'The properties of the object differ from the requested ones after the change.',
    { reason: 'copy-unverified', retry: 'backoff' },
  );
}
