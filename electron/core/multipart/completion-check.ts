import { maxPartCount, minPartBytes, type CompletionProblem } from '../../../shared/models/stalled.ts';
import type { ListedPart } from '../s3/model/multipart-types.ts';
import { expectedEtag, md5InEtag } from '../s3/model/etag.ts';
import { fingerprintOf, gapsOf, type Range } from './parts/part-list.ts';

/** The problems that are visible in the stored parts alone. */
export type PartsProblem = Extract<
  CompletionProblem,
  'no-parts' | 'part-too-small' | 'too-many-parts' | 'gaps-with-checksums'
>;

export interface CompletionWithoutFile {
  readonly problem: PartsProblem | null;
  /** The numbers of the parts that cause the problem. */
  readonly partNumbers: readonly number[];
  readonly partCount: number;
  readonly sizeBytes: number;
  readonly expectedEtag: string | null;
  readonly gaps: readonly Range[];
  readonly fingerprint: string;
}

/**
 * Checks whether the stored parts can be completed without a local file, and computes the size and ETag of the resulting object.
 * `sorted` comes from sortParts.
 */
export function checkWithoutFile(
  sorted: readonly ListedPart[],
  isChecksummed: boolean,
  smallestBytes = minPartBytes,
): CompletionWithoutFile {
  const small = sorted.filter((part, index) => index < sorted.length - 1 && part.sizeBytes < smallestBytes);
  const gaps = gapsOf(sorted);
  return {
    problem: problemOf(sorted.length, small.length, gaps.length, isChecksummed),
    partNumbers: small.map((part) => part.partNumber).slice(0, 1000),
    partCount: sorted.length,
    sizeBytes: sorted.reduce((sum, part) => sum + part.sizeBytes, 0),
    expectedEtag: expectedEtag(sorted.map((part) => md5InEtag(part.etag))),
    gaps,
    fingerprint: fingerprintOf(sorted),
  };
}

function problemOf(
  partCount: number,
  smallCount: number,
  gapCount: number,
  isChecksummed: boolean,
): PartsProblem | null {
  if (partCount === 0) return 'no-parts';
  if (smallCount > 0) return 'part-too-small';
  if (partCount > maxPartCount) return 'too-many-parts';
  // "When using additional checksums, part numbers must be consecutive": the S3 user guide on checksums.
  if (isChecksummed && gapCount > 0) return 'gaps-with-checksums';
  return null;
}
