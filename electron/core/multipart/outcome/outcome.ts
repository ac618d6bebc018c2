import { z } from 'zod';
import { appErrorSchema } from '../../../../shared/error-schema.ts';
import { checksumsSchema } from '../../disk/stored-checksums.ts';
import type { StandingObject } from '../../../../shared/models/stalled.ts';
import { compareEtags, etagIn, bareEtag, sameEtag } from '../../s3/model/etag.ts';

/**
 * The conditions of a Complete request: the key must be free (If-None-Match), or hold the object that was seen before (If-Match).
 * S3 API, CompleteMultipartUpload.
 */
export const conditions = ['none', 'free', 'as-seen'] as const;

/**
 * The refusals of a Complete request after which it is sent again differently: its condition does not hold, the service does not
 * support the condition, it does not take the checksum, or the content differs from the checksum.
 */
export const refusals = ['taken', 'condition', 'checksum', 'damaged'] as const;

export type CompleteCondition = (typeof conditions)[number];

const headResultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({
    kind: z.literal('present'),
    sizeBytes: z.number(),
    etag: z.string().nullable(),
    lastModified: z.string().nullable(),
    versionId: z.string().nullable(),
    /** True if the object is encrypted with KMS or a customer's key. Its ETag then looks like an MD5 but is not one. */
    etagIsNotMd5: z.boolean(),
  }),
  z.object({ kind: z.literal('unreadable'), error: appErrorSchema }),
]);

/** The state of the key according to HEAD. */
export type HeadResult = Readonly<z.infer<typeof headResultSchema>>;

export const intentSchema = z.object({
  partCount: z.int(),
  totalSizeBytes: z.number(),
  expectedEtag: z.string().nullable(),
  /** True if every part was compared with a local file, or sent by this program with its MD5. */
  partsVerified: z.boolean(),
  /** The checksums of all bytes, combined from those of the parts that were sent. Empty if unknown. */
  checksums: checksumsSchema.default({}),
  /** True if the Complete request carries the checksum, so that the service compares it. */
  sendsChecksums: z.boolean().default(true),
  initiatedAt: z.string().nullable(),
  before: headResultSchema,
  condition: z.enum(conditions).default('none'),
});

/** The planned completion. It is stored before the Complete request is sent. */
export type Intent = Readonly<z.infer<typeof intentSchema>>;

export const sentSchema = z.object({
  /**
   * The response that reported success. Some servers (Ceph) send an empty ETag or none. `isProved` is true if it contained the
   * expected checksum of the whole object.
   */
  answer: z.object({ etag: z.string().nullable(), isProved: z.boolean().default(false) }).nullable(),
  /**
   * The last time at which a Complete request ended with a broken connection, timeout or gateway error, so that it may still be
   * running; null if none did.
   */
  doubtAtMs: z.number().nullable(),
  /** The refusal of the last Complete request; null if it was not refused. */
  refusal: z.enum(refusals).nullable().default(null),
  /** How many Complete requests in a row the service rejected because it did not know the upload. */
  goneAnswers: z.int().default(0),
  /** The number of earlier Complete requests that reported success but made no object. */
  idleAnswers: z.int().default(0),
});

/** The known results of the Complete requests sent so far. */
export type Sent = Readonly<z.infer<typeof sentSchema>>;

export const watchSchema = z.object({
  asks: z.int(),
  /** The number of consecutive checks without a result. */
  unclearAsks: z.int(),
  fingerprint: z.string().nullable(),
  /** The time at which the listed parts last changed. */
  sinceMs: z.number(),
  /** The first time at which the upload was unknown and the key had no object; null if the last check found one of them. */
  missingSinceMs: z.number().nullable(),
  /** The number of checks in which HEAD proved the object but its last byte could not be read. */
  unreadAsks: z.int().default(0),
});

/** The history of checks of an unknown outcome. Stored with the job. */
export type Watch = Readonly<z.infer<typeof watchSchema>>;

/**
 * Compares size and ETag of the object with the expected ones (step 2 of “After an unknown outcome” in docs/cases.md). Returns
 * `wanted-bytes` if the object may have existed before the upload, and null if it does not match.
 */
export function provedByEtag(intent: Intent, object: HeadResult): 'completed' | 'wanted-bytes' | null {
  if (object.kind !== 'present' || intent.expectedEtag === null) return null;
  if (object.sizeBytes !== intent.totalSizeBytes || !sameEtag(object.etag, intent.expectedEtag)) return null;
  const { before } = intent;
  if (before.kind === 'absent') return 'completed';
  if (before.kind === 'unreadable') return 'wanted-bytes';
  return sameEtag(before.etag, intent.expectedEtag) ? 'wanted-bytes' : 'completed';
}

/**
 * Returns what the object at the key proves while the upload's parts are still listed, or cannot be listed. (Swift lists them
 * even after completion.) Returns null if it proves nothing; the Complete request is then sent again.
 */
export function provedThoughListed(
  intent: Intent,
  sent: Sent,
  object: HeadResult,
): 'completed' | 'wanted-bytes' | 'probably-completed' | null {
  const mayBeApplied = sent.doubtAtMs !== null || sent.goneAnswers > 0;
  if (!mayBeApplied || sent.refusal === 'condition') return null;
  const change = changeOf(intent.before, object);
  const proved = provedByEtag(intent, object);
  if (proved !== null) return change === 'unchanged' ? null : proved;
  // Step 4 of docs/cases.md. An ETag that names another number of parts belongs to another upload.
  if (object.kind !== 'present' || change !== 'changed') return null;
  if (intent.expectedEtag !== null && etagIn(object.etag) !== null && !object.etagIsNotMd5) return null;
  const etagPartCount = /-(\d+)$/.exec(bareEtag(object.etag ?? ''))?.[1];
  const hasOtherPartCount = etagPartCount !== undefined && Number(etagPartCount) !== intent.partCount;
  return object.sizeBytes === intent.totalSizeBytes && !hasOtherPartCount ? 'probably-completed' : null;
}

export function changeOf(before: HeadResult, now: HeadResult): 'changed' | 'unchanged' | 'unknown' {
  if (before.kind === 'unreadable' || now.kind === 'unreadable') return 'unknown';
  return isSameObject(before, now) ? 'unchanged' : 'changed';
}

/**
 * Returns true if the user's agreement to replace the object `agreed` also covers the object found before this Complete request.
 */
export function isAgreed(agreed: StandingObject, intent: Intent): boolean {
  const { before } = intent;
  switch (before.kind) {
    case 'absent':
      return true;
    case 'present':
      // Another client may have completed this upload. Replacing its result by the same object loses nothing.
      return isSameObject(agreed, before) || provedByEtag(intent, before) !== null;
    case 'unreadable':
      // A key that HEAD cannot read cannot be compared with the object that the user saw. If the key was free, If-None-Match
      // protects it.
      return agreed.kind !== 'present';
    default:
      return before satisfies never;
  }
}

/** Returns true if both checks of the key found the same object (ETag, size, time and version), or both found no object. */
function isSameObject(before: StandingObject, now: StandingObject): boolean {
  if (before.kind !== 'present' || now.kind !== 'present') return before.kind === now.kind;
  return (
    compareEtags(before.etag, now.etag) !== 'different' &&
    before.sizeBytes === now.sizeBytes &&
    before.lastModified === now.lastModified &&
    before.versionId === now.versionId
  );
}
