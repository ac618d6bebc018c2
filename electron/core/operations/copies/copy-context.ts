import { toAppError, type AppFailure } from '../../../../shared/errors.ts';
import type { ListedLooks } from '../objects/listed-looks.ts';
import type { GroupCommit, Coalescer } from '../../flow/coalescer.ts';
import type { Absent, OperationDeps } from '../objects/operation-deps.ts';
import { anything, expectHead, expectObject, type Requirement } from '../../s3/conditions/conditional.ts';
import { sameEtag } from '../../s3/model/etag.ts';
import type { ObjectHead, ObjectRef } from '../../s3/model/object-types.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import { saveItem, type ItemContext } from '../../transfers/items/item-context.ts';
import { itemOfWork, type CopyItem } from '../../transfers/items/transfer-item.ts';
import { headObject, seenOf } from '../objects/look-at-object.ts';

export interface Removal {
  readonly context: CopyContext;
  readonly item: CopyItem;
}

export type Removed =
  | { readonly kind: 'gone'; readonly item: CopyItem }
  /** This source must be checked and deleted by a separate request. */
  | { readonly kind: 'alone'; readonly item: CopyItem }
  | { readonly kind: 'refused'; readonly failure: AppFailure };

/** Requests and writes that the items of one run share: storing items, checking keys, and deleting sources. */
export interface SharedWork {
  readonly commits: GroupCommit;
  readonly targets: ListedLooks;
  readonly removals: Coalescer<Removal, Removed>;
}

/** The context in which one object is copied. `client` reads the source, `target` writes the copy. */
export interface CopyContext extends ItemContext {
  readonly operations: OperationDeps;
  readonly target: S3Client;
  readonly to: { readonly connectionId: string; readonly bucket: string };
  /** True if source and target are on different connections, so that the content passes through this computer. */
  readonly isRelay: boolean;
  /** The features that the services lack, as far as this run found out. */
  readonly absent: Absent;
  /** The work shared with other items; null in a job with few objects. */
  readonly shared: SharedWork | null;
}

/**
 * The object that a copy may replace. Null requires a free key. `any` means that the user chose to overwrite an object that may
 * not be readable.
 */
export type Replaced = ObjectHead | 'any' | null;

/** Stores an item before its action starts. In a large job, several items are stored together. */
export async function saveSoon(context: CopyContext, item: CopyItem): Promise<CopyItem> {
  if (context.shared === null) return saveItem(context, item);
  const { items, job, signal } = context;
  await context.shared.commits.write(() => items.put(job.id, item), signal);
  // If the job was stopped meanwhile, the stored item is correct, but its request must not be sent.
  signal.throwIfAborted();
  return item;
}

/** Returns the stored item; `item` itself if none is stored. Throws `AppError('internal')` if the stored item is no copy. */
export function savedItem({ items, job }: CopyContext, item: CopyItem): CopyItem {
  const saved = items.get(job.id, item.seq);
  return saved === null ? item : itemOfWork(saved, 'copy');
}

/**
 * Records that the target is a damaged copy made by this item, so that the next attempt may replace it. Throws the service's
 * error.
 */
export async function noteDamaged(context: CopyContext, item: CopyItem, etag: string): Promise<void> {
  const now = await headObject(context.target, targetRef(context, item), context.signal, context.log).catch(
    (thrown: unknown) => {
      // A target that may not be read cannot be recognized by the next attempt either.
      if (toAppError(thrown).code === 'access-denied') return null;
      throw thrown;
    },
  );
  const saved = savedItem(context, item);
  if (now === null || saved.copy === null || !sameEtag(now.etag, etag)) return;
  saveItem(context, { ...saved, copy: { ...saved.copy, target: seenOf(now) } });
}

/** Returns true if the content passes through this computer: between two connections, or if the service has no copy requests. */
export function isRelayed({ isRelay, absent }: CopyContext): boolean {
  return isRelay || absent.copies;
}

/**
 * Records that a service has no copy requests if it responded with 501 or 405. Returns false for other errors, and for those of the
 * ACL, because the object can be copied without it.
 */
export function learnNoCopies(context: CopyContext, thrown: unknown): boolean {
  const { s3, reason } = toAppError(thrown);
  const isMissing = (s3?.status === 501 || s3?.status === 405) && s3.code !== 'AccessControlListNotSupported';
  if (context.isRelay || !isMissing || reason === 'acl-not-carried') return false;
  context.absent.copies = true;
  return true;
}

export function sourceRef(context: CopyContext, item: CopyItem): ObjectRef {
  const ref = { bucket: context.job.bucket, key: item.key };
  return item.versionId === null ? ref : { ...ref, versionId: item.versionId };
}

export function targetRef(context: CopyContext, item: CopyItem): { bucket: string; key: string } {
  return { bucket: context.to.bucket, key: item.targetKey };
}

/** Returns the condition that the source is unchanged, for the request that writes the copy. */
export function sourceUnchanged(context: CopyContext, item: CopyItem, source: ObjectHead): Requirement {
  const { client, target, signal, log } = context;
  const ref = sourceRef(context, item);
  return {
    client: target,
    ref,
    operation: 'copy-source',
    expected: expectObject(seenOf(source)),
    look: () => headObject(client, ref, signal, log),
  };
}

/** Returns the condition that the target is free or unchanged. With `any`, the condition always holds. */
export function targetUnchanged(
  context: CopyContext,
  item: CopyItem,
  operation: 'put' | 'copy',
  replaced: Replaced,
): Requirement {
  const { target, signal, log } = context;
  const ref = targetRef(context, item);
  return {
    client: target,
    ref,
    operation,
    expected: replaced === 'any' ? anything : expectHead(replaced),
    look: () => headObject(target, ref, signal, log),
  };
}
