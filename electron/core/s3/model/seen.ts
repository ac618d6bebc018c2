import { compareEtags, strongEtag } from './etag.ts';

/** The state of an object at some time, from HEAD or a listing. */
export interface SeenObject {
  readonly sizeBytes: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** The version id; null if none was named. */
  readonly versionId: string | null;
  /** True for a listed object. Listings contain no version id, but more precise times than headers. */
  readonly isListed?: boolean | undefined;
}

/** Returns true if the object is still the same, so no other object was written. */
export function isUnchanged(before: SeenObject, now: SeenObject): boolean {
  if (before.sizeBytes !== now.sizeBytes) return false;
  const isByList = (before.isListed ?? false) || (now.isListed ?? false);
  if (!isByList && before.versionId !== now.versionId) return false;
  if (!isSameTime(before.lastModified, now.lastModified)) return false;
  return compareEtags(before.etag, now.etag) !== 'different';
}

/** The object that a GET must return. Properties that are null are unknown. */
export interface WantedObject {
  readonly sizeBytes: number | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/**
 * Returns true if the response to a GET is for the wanted object. Equal strong ETags are enough. Otherwise length and time must
 * match too, as far as they are known.
 */
export function isAnswerOf(wanted: WantedObject, answer: WantedObject): boolean {
  if (compareEtags(wanted.etag, answer.etag) === 'different') return false;
  const isProved = strongEtag(wanted.etag) !== null && strongEtag(answer.etag) !== null;
  if (isProved) return true;
  if (wanted.sizeBytes !== null && answer.sizeBytes !== null && wanted.sizeBytes !== answer.sizeBytes)
    return false;
  if (wanted.lastModified === null || answer.lastModified === null) return true;
  return isSameTime(wanted.lastModified, answer.lastModified);
}

/**
 * Returns true if two times are equal at their lower precision. Headers have whole seconds (RFC 9110, 5.6.7), many listings
 * milliseconds.
 */
function isSameTime(left: string | null, right: string | null): boolean {
  if (left === right) return true;
  if (left === null || right === null) return false;
  const [leftMs, rightMs] = [Date.parse(left), Date.parse(right)];
  const isWhole = leftMs % 1000 === 0 || rightMs % 1000 === 0;
  return isWhole && Math.floor(leftMs / 1000) === Math.floor(rightMs / 1000);
}
