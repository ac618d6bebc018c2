import { asLooked, asSeen, type Requirement } from '../s3/conditional.ts';
import type { ObjectHead, ObjectRef, S3Client } from '../s3/types.ts';
import { saveItem, type ItemContext } from '../transfers/item-context.ts';
import type { Item } from '../transfers/transfer-job.ts';
import { lookAt } from './look.ts';
import type { Many } from './many.ts';
import { seenOf } from './compare.ts';
import type { OperationDeps } from './operation-deps.ts';

/** What the copy of one object has at hand: `client` reads the source, `target` writes. */
export interface CopyContext extends ItemContext {
  readonly operations: OperationDeps;
  readonly target: S3Client;
  readonly to: { readonly connectionId: string; readonly bucket: string };
  /** The two are different connections: the bytes go through this computer. */
  readonly isRelay: boolean;
  /** What the services have turned out not to have, for the rest of this run. */
  readonly absent: Absent;
  /** What many objects do together; null where there are few. */
  readonly many: Many | null;
}

export interface Absent {
  tags: boolean;
  /** CopyObject of what is encrypted with a key: Ceph copies it in parts alone (ceph#63794). */
  keyedCopies: boolean;
  /** Whether no object has permissions of its own; null: not known yet. */
  acls: Promise<boolean> | null;
}

/** Puts an item on disk before what it says is done, together with others where there are many. */
export async function saveSoon(context: CopyContext, item: Item): Promise<Item> {
  if (context.many === null) return saveItem(context, item);
  const { items, job, signal } = context;
  await context.many.commits.write(() => items.put(job.id, item), signal);
  // Whoever stopped the job meanwhile finds it as it is; the request must not go out any more.
  signal.throwIfAborted();
  return item;
}

export function sourceRef(context: CopyContext, item: Item): ObjectRef {
  const ref = { bucket: context.job.bucket, key: item.key };
  return item.versionId === null ? ref : { ...ref, versionId: item.versionId };
}

export function targetRef(context: CopyContext, item: Item): { bucket: string; key: string } {
  return { bucket: context.to.bucket, key: item.local };
}

/** The source of a copy has to be what was seen. The one who writes makes sure of it. */
export function sourceUnchanged(context: CopyContext, item: Item, source: ObjectHead): Requirement {
  const { client, target, signal, log } = context;
  const ref = sourceRef(context, item);
  return {
    client: target,
    ref,
    operation: 'copy-source',
    expected: asSeen(seenOf(source)),
    look: () => lookAt(client, ref, signal, log),
  };
}

/** The target has to be free, or what was seen there. */
export function targetUnchanged(
  context: CopyContext,
  item: Item,
  operation: 'put' | 'copy',
  seen: ObjectHead | null,
): Requirement {
  const { target, signal, log } = context;
  const ref = targetRef(context, item);
  return {
    client: target,
    ref,
    operation,
    expected: asLooked(seen),
    look: () => lookAt(target, ref, signal, log),
  };
}
