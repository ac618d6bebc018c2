import { toAppError } from '../../../../shared/errors.ts';
import type { ListedObject } from '../../s3/model/listing-types.ts';
import { logged } from '../../jobs/log-request.ts';
import { sameEtag } from '../../s3/model/etag.ts';
import type { ByteRange, ObjectHead } from '../../s3/model/object-types.ts';
import { isUnchanged } from '../../s3/model/seen.ts';
import type { Seen } from '../../transfers/items/operation-record.ts';
import type { CopyItem } from '../../transfers/items/transfer-item.ts';
import { seenListed, seenOf } from '../objects/compare-objects.ts';
import { ListedLooks } from '../objects/listed-looks.ts';
import { targetRef, type CopyContext } from './copy-context.ts';
import { headCopyTarget } from './copy-target.ts';

/** A target as far as it can be seen. `hidden` means that neither HEAD, GET nor a listing is permitted. */
export type SeenTarget =
  | { readonly kind: 'present'; readonly head: ObjectHead }
  | { readonly kind: 'listed'; readonly object: ListedObject }
  | { readonly kind: 'absent' }
  | { readonly kind: 'hidden' };

/** Checks the target with HEAD. If HEAD is not permitted, a GET of one byte or a listing may be. */
export async function lookAtTarget(context: CopyContext, item: CopyItem): Promise<SeenTarget> {
  const look = await headCopyTarget(context, item);
  if (look.kind !== 'hidden') return look;
  const head = await headByGet(context, item);
  if (head !== null) return { kind: 'present', head };
  const { target, to, shared, signal } = context;
  const looks = shared?.targets ?? new ListedLooks(target, to.bucket, signal);
  const listed = await looks.look(item.targetKey);
  switch (listed.kind) {
    case 'present':
      return { kind: 'listed', object: listed.object };
    case 'absent':
      return listed;
    case 'unknown':
      return { kind: 'hidden' };
    default:
      return listed satisfies never;
  }
}

/** Returns true if the target still has the copy that was proved. A copy without a time was proved by a response alone. */
export async function hasCopy(context: CopyContext, item: CopyItem, copy: Seen): Promise<boolean> {
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
export function seenByResponse(expected: Seen, etag: string | null): Seen {
  return { sizeBytes: expected.sizeBytes, etag, lastModified: null, versionId: null };
}

function isByResponse({ lastModified, etag }: Seen): boolean {
  return lastModified === null && etag !== null;
}

function isSameCopy(copy: Seen, now: Seen): boolean {
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
