import type { StandingObject } from '../../../../shared/models/stalled.ts';
import { etagIn } from '../../s3/model/etag.ts';
import { bareEtag, sameEtag } from '../../s3/model/multipart-etag.ts';
import type { HeadSeen, Intent, Sent } from './outcome.ts';

/** Step 2: size and ETag are E. */
export function provedByEtag(intent: Intent, object: HeadSeen): 'completed' | 'wanted-bytes' | null {
  if (object.kind !== 'present' || intent.expectedEtag === null) return null;
  if (object.sizeBytes !== intent.totalSizeBytes || !sameEtag(object.etag, intent.expectedEtag)) return null;
  const { before } = intent;
  if (before.kind === 'absent') return 'completed';
  if (before.kind === 'unreadable') return 'wanted-bytes';
  return sameEtag(before.etag, intent.expectedEtag) ? 'wanted-bytes' : 'completed';
}

/**
 * What the object at the key proves while the service still lists the parts (Swift does after a Complete too), or nobody
 * knows whether they are. An object that was there before proves nothing, and neither does one after a Complete that the
 * service itself called failed: it is sent again.
 */
export function provedThoughListed(
  intent: Intent,
  sent: Sent,
  object: HeadSeen,
): 'completed' | 'wanted-bytes' | 'probably-completed' | null {
  const mayBeApplied = sent.doubtAtMs !== null || sent.goneAnswers > 0;
  if (!mayBeApplied || sent.refusal === 'condition') return null;
  const change = changeOf(intent.before, object);
  const proved = provedByEtag(intent, object);
  if (proved !== null) return change === 'unchanged' ? null : proved;
  // Step 4. An ETag that counts other parts is that of another upload.
  if (object.kind !== 'present' || change !== 'changed') return null;
  if (intent.expectedEtag !== null && etagIn(object.etag) !== null && !object.etagIsNotMd5) return null;
  const counted = /-(\d+)$/.exec(bareEtag(object.etag ?? ''))?.[1];
  const countsOthers = counted !== undefined && Number(counted) !== intent.partCount;
  return object.sizeBytes === intent.totalSizeBytes && !countsOthers ? 'probably-completed' : null;
}

export function changeOf(before: HeadSeen, now: HeadSeen): 'changed' | 'unchanged' | 'unknown' {
  if (before.kind === 'unreadable' || now.kind === 'unreadable') return 'unknown';
  return isSameObject(before, now) ? 'unchanged' : 'changed';
}

/** Whether a user who was shown `agreed` has agreed to the Complete of an intent. */
export function isAgreed(agreed: StandingObject, intent: Intent): boolean {
  const { before } = intent;
  switch (before.kind) {
    case 'absent':
      return true;
    case 'present':
      // Of the very object that the upload makes nothing is lost: somebody else may have completed it.
      return isSameObject(agreed, before) || provedByEtag(intent, before) !== null;
    case 'unreadable':
      // A key that was free is kept so by the condition; nobody can see what else it holds.
      return agreed.kind !== 'present';
    default:
      return before satisfies never;
  }
}

/** Whether a look at a key saw what an earlier one saw, down to its time and version. */
function isSameObject(before: StandingObject, now: StandingObject): boolean {
  if (before.kind !== 'present' || now.kind !== 'present') return before.kind === now.kind;
  return (
    before.etag === now.etag &&
    before.sizeBytes === now.sizeBytes &&
    before.lastModified === now.lastModified &&
    before.versionId === now.versionId
  );
}
