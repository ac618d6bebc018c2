import type { ListedObject } from '../../s3/model/listing-types.ts';
import type { ObjectHead, ObjectRef } from '../../s3/model/object-types.ts';
import { sameEtag } from '../../s3/model/etag.ts';
import { describedBytes, proofOfWrite } from '../../s3/model/object-proof.ts';
import { tokenName } from '../../transfers/items/mtime.ts';
import type { ObservedObject } from '../../transfers/items/operation-record.ts';
import { failure } from '../../../../shared/errors.ts';
import type { NewAttempt } from '../../jobs/job.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import { loggedHead } from '../../multipart/outcome/look.ts';

export function seenOf(head: ObjectHead): ObservedObject {
  const { sizeBytes, etag, lastModified, versionId } = head;
  return { sizeBytes, etag, lastModified, versionId };
}

export function seenListed({ sizeBytes, etag, lastModified }: ListedObject): ObservedObject {
  return { sizeBytes, etag, lastModified, versionId: null, isListed: true };
}

/** Returns true if a listing proves that a copy has the content of its source: length and ETag are the same. */
export function isProvedBy(listed: ListedObject, source: ObjectHead): boolean {
  return listed.sizeBytes === source.sizeBytes && sameEtag(listed.etag, source.etag);
}

/** Compares the content of two objects by the ETags and checksums that their services report. */
export function compareBytes(left: ObjectHead, right: ObjectHead): 'equal' | 'different' | 'unknown' {
  const comparisons = { proved: 'equal', damaged: 'different', unproved: 'unknown' } as const;
  return comparisons[proofOfWrite(describedBytes(left), describedBytes(right)).kind];
}

const describingHeaders = [
  'content-type',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'expires',
  'x-amz-website-redirect-location',
] as const;

/** Returns true if both objects have the same descriptive headers and metadata. */
export function sameDescription(left: ObjectHead, right: ObjectHead): boolean {
  for (const name of describingHeaders) if (left.headers[name] !== right.headers[name]) return false;
  return sameMetadata(left.metadata, right.metadata);
}

/** Returns the sorted names of metadata, without the token that is added to copies in parts. */
function namesOf(of: Readonly<Record<string, string>>): string[] {
  return Object.keys(of)
    .filter((name) => name !== tokenName)
    .toSorted();
}

export function sameMetadata(
  left: Readonly<Record<string, string>>,
  right: Readonly<Record<string, string>>,
): boolean {
  const [leftNames, rightNames] = [namesOf(left), namesOf(right)];
  return (
    leftNames.length === rightNames.length &&
    leftNames.every((name, index) => rightNames[index] === name && left[name] === right[name])
  );
}

/** Returns the object at a key, with its metadata; null if there is no object. */
export async function headObject(
  client: S3Client,
  ref: ObjectRef,
  signal: AbortSignal,
  log: (attempt: NewAttempt) => void,
): Promise<ObjectHead | null> {
  return await loggedHead(log, client, ref, signal);
}

export function sourceGone(key: string): Error {
  return failure('not-found', `The key ${JSON.stringify(key)} no longer has an object.`, {
    reason: 'no-such-key',
  });
}
