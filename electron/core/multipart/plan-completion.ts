import { checksumAlgorithmOf, type PartChecksums } from '../disk/checksums.ts';
import { compareEtags, etagIn, strongEtag, expectedEtag, md5InEtag } from '../s3/model/etag.ts';
import type { CompletedPart, ListedPart } from '../s3/model/multipart-types.ts';
import { checkWithoutFile } from './parts/part-list.ts';
import type { ListedUpload } from './list-uploads.ts';
import { wholeChecksums, type PartRecord } from './parts/part-store.ts';
import type { UploadEvent } from './upload-transition.ts';
import type { UploadJob } from './upload-job.ts';
import type { CompleteCondition, HeadResult, Intent } from './outcome/outcome.ts';

/** The object at the key just before the Complete request, and the condition that the request carries. */
type Target = Pick<Intent, 'before' | 'condition'>;

/** Returns the strictest condition that the Complete request can carry; `none` if no condition is possible. */
export function completeConditionFor(job: UploadJob, before: HeadResult): CompleteCondition {
  if (!job.withConditions) return 'none';
  switch (before.kind) {
    case 'absent':
      return 'free';
    case 'present':
      return strongEtag(before.etag) === null ? 'none' : 'as-seen';
    case 'unreadable':
      return job.agreed?.kind === 'unreadable' ? 'none' : 'free';
    default:
      return before satisfies never;
  }
}

/** Returns the intent to complete exactly the parts that the user confirmed, or why it is not possible. */
export function prepareWithoutFile(
  job: UploadJob,
  listed: ListedUpload,
  target: Target,
  minPartBytes: number,
): UploadEvent {
  const check = checkWithoutFile(listed.parts, listed.checksumAlgorithm !== null, minPartBytes);
  if (check.fingerprint !== job.acceptedFingerprint) return { kind: 'parts-not-as-planned', partNumbers: [] };
  if (check.problem !== null || (check.gaps.length > 0 && !job.acceptGaps)) {
    const partNumbers = check.problem === null ? check.gaps.map((gap) => gap.from) : check.partNumbers;
    return { kind: 'unable', reason: 'cannot-complete', error: null, partNumbers };
  }
  return {
    kind: 'prepared',
    parts: listed.parts.map(completedPart),
    intent: {
      partCount: check.partCount,
      totalSizeBytes: check.sizeBytes,
      expectedEtag: check.expectedEtag,
      partsVerified: false,
      ...sentChecksums(job, listed, job.wholeChecksums),
      initiatedAt: job.initiatedAt,
      ...target,
    },
  };
}

/**
 * Returns the intent to complete the parts of a file, 1 to N. They must cover the file, and each must still be stored as it was
 * verified or sent.
 */
export function prepareFromFile(
  job: UploadJob,
  records: readonly PartRecord[],
  listed: ListedUpload,
  target: Target,
): UploadEvent {
  const byNumber = new Map(listed.parts.map((part) => [part.partNumber, part]));
  const parts: ListedPart[] = [];
  const wrong: number[] = [];
  for (const record of records) {
    const part = byNumber.get(record.partNumber);
    const isAsKnown =
      part !== undefined &&
      record.state !== 'todo' &&
      part.sizeBytes === record.sizeBytes &&
      compareEtags(part.etag, record.etag) !== 'different';
    // If the list has no ETag for a part, the ETag from its upload response is used.
    if (isAsKnown) parts.push({ ...part, etag: etagIn(part.etag) ?? record.etag ?? part.etag });
    else wrong.push(record.partNumber);
  }
  if (wrong.length > 0) return { kind: 'parts-not-as-planned', partNumbers: wrong };
  const etagsAreMd5 = !job.etagsAreNotMd5 && parts.every((part) => md5InEtag(part.etag) !== null);
  return {
    kind: 'prepared',
    parts: parts.map(completedPart),
    intent: {
      partCount: parts.length,
      totalSizeBytes: parts.reduce((sum, part) => sum + part.sizeBytes, 0),
      expectedEtag: etagsAreMd5 ? expectedEtag(parts.map((part) => md5InEtag(part.etag))) : null,
      ...sentChecksums(job, listed, wholeChecksums(records)),
      partsVerified: records.every((record) => record.state === 'verified' || record.state === 'sent'),
      initiatedAt: job.initiatedAt,
      ...target,
    },
  };
}

/**
 * Returns the expected checksums of all bytes, and if the Complete request carries them: only for an upload whose checksum covers
 * all bytes (FULL_OBJECT), and only the one of its algorithm.
 */
function sentChecksums(
  { sendsWholeChecksum }: UploadJob,
  { checksumAlgorithm, checksumType }: ListedUpload,
  whole: PartChecksums,
): Pick<Intent, 'checksums' | 'sendsChecksums'> {
  const algorithm = checksumType === 'FULL_OBJECT' ? checksumAlgorithmOf(checksumAlgorithm) : null;
  const value = algorithm === null ? undefined : whole[algorithm];
  return algorithm === null || value === undefined
    ? { checksums: whole, sendsChecksums: false }
    : { checksums: { [algorithm]: value }, sendsChecksums: sendsWholeChecksum };
}

/** Returns the part for the Complete request, with the service's ETag and all listed checksums (opendal#4580). */
function completedPart(part: ListedPart): CompletedPart {
  const { partNumber, etag, checksums } = part;
  return { partNumber, etag, ...(Object.keys(checksums).length === 0 ? {} : { checksums }) };
}
