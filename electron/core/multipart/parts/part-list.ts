import { createHash } from 'node:crypto';
import {
  type PartRun,
  type PartsSummary,
  type PartState,
  minPartBytes,
  stillWritingMs,
  maxPartBytes,
  maxPartCount,
  type CompletionProblem,
} from '../../../../shared/models/stalled.ts';
import type { ListedPart } from '../../s3/model/multipart-types.ts';
import { expectedEtag, md5InEtag } from '../../s3/model/etag.ts';

/** Sorts parts by number. If a number is listed twice, the later entry is used. */
export function sortParts(parts: readonly ListedPart[]): readonly ListedPart[] {
  const byNumber = new Map<number, ListedPart>();
  for (const part of parts) byNumber.set(part.partNumber, part);
  return [...byNumber.values()].toSorted((left, right) => left.partNumber - right.partNumber);
}

/** Returns the size of all parts but the last, if it is the same; null otherwise, or for fewer than two parts. */
export function sharedPartSize(sorted: readonly ListedPart[]): number | null {
  const first = sorted[0];
  const last = sorted.at(-1);
  if (first === undefined || last === undefined || sorted.length < 2) return null;
  for (let index = 1; index < sorted.length - 1; index += 1)
    if (sorted[index]?.sizeBytes !== first.sizeBytes) return null;
  return last.sizeBytes <= first.sizeBytes ? first.sizeBytes : null;
}

/** Returns the number of parts of each size. */
function countsBySize(parts: readonly ListedPart[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { sizeBytes } of parts) counts.set(sizeBytes, (counts.get(sizeBytes) ?? 0) + 1);
  return counts;
}

/** Returns the most frequent part size; among equally frequent sizes, the larger one. */
export function usualSize(parts: readonly ListedPart[]): number {
  let best = 0;
  let bestCount = 0;
  for (const [size, count] of countsBySize(parts))
    if (count > bestCount || (count === bestCount && size > best)) {
      best = size;
      bestCount = count;
    }
  return best;
}

/** Returns the most frequent sizes that several parts have and that all parts of an upload may have. */
export function repeatedSizes(parts: readonly ListedPart[], smallestBytes: number): readonly number[] {
  return [...countsBySize(parts)]
    .filter(([size, count]) => count > 1 && size >= smallestBytes)
    .toSorted((left, right) => right[1] - left[1])
    .map(([size]) => size)
    .slice(0, 4);
}

/** Divides a number of bytes into `count` parts of valid size; null if that is impossible. */
export function sizesBetween(
  bytes: number,
  count: number,
  usual: number,
  smallestBytes: number,
): readonly number[] | null {
  if (count < 0 || bytes < 0) return null;
  if (count === 0) return bytes === 0 ? [] : null;
  const last = bytes - usual * (count - 1);
  if (last >= smallestBytes && last <= maxPartBytes) return [...Array<number>(count - 1).fill(usual), last];
  const each = Math.floor(bytes / count);
  const rest = bytes - each * (count - 1);
  if (each < smallestBytes || rest > maxPartBytes) return null;
  return [...Array<number>(count - 1).fill(each), rest];
}

/** Summarizes the parts of an upload. `sorted` comes from sortParts. */
export function summarizeParts(sorted: readonly ListedPart[], smallestBytes = minPartBytes): PartsSummary {
  const last = sorted.at(-1);
  let storedBytes = 0;
  let smallCount = 0;
  let lastPartAt: string | null = null;
  for (const part of sorted) {
    storedBytes += part.sizeBytes;
    if (part !== last && part.sizeBytes < smallestBytes) smallCount += 1;
    if (part.lastModified !== null && (lastPartAt === null || part.lastModified > lastPartAt))
      lastPartAt = part.lastModified;
  }
  const partSizeBytes = sharedPartSize(sorted);
  const highestPartNumber = last?.partNumber ?? 0;
  return {
    partCount: sorted.length,
    storedBytes,
    highestPartNumber,
    gapCount: highestPartNumber - sorted.length,
    smallCount,
    partSizeBytes,
    lastPartIsFull: last !== undefined && last.sizeBytes === partSizeBytes,
    lastPartAt,
  };
}

/** Returns true if the last part arrived within 15 minutes. A time in the future (clock skew) also counts as recent. */
export function isBeingWritten(lastPartAt: string | null, nowMs: number): boolean {
  if (lastPartAt === null) return false;
  const atMs = Date.parse(lastPartAt);
  return !Number.isNaN(atMs) && nowMs - atMs < stillWritingMs;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Returns the ranges of missing part numbers below the highest number. */
export function gapsOf(sorted: readonly ListedPart[]): readonly Range[] {
  const gaps: Range[] = [];
  let expected = 1;
  for (const part of sorted) {
    if (part.partNumber > expected) gaps.push({ from: expected, to: part.partNumber - 1 });
    expected = part.partNumber + 1;
  }
  return gaps;
}

/** Joins ascending part numbers into ranges of consecutive numbers. */
export function rangesOf(numbers: readonly number[]): readonly Range[] {
  const runs = new RunBuilder();
  for (const number of numbers) runs.add(number, number, 'present');
  return runs.all().map(({ from, to }) => ({ from, to }));
}

/** Returns runs of present, missing and too small parts, for the bar that shows an upload without a known file. */
export function runsOf(sorted: readonly ListedPart[], smallestBytes = minPartBytes): readonly PartRun[] {
  const last = sorted.at(-1);
  let expected = 1;
  const runs = new RunBuilder();
  for (const part of sorted) {
    if (part.partNumber > expected) runs.add(expected, part.partNumber - 1, 'missing');
    const small = part !== last && part.sizeBytes < smallestBytes;
    runs.add(part.partNumber, part.partNumber, small ? 'too-small' : 'present');
    expected = part.partNumber + 1;
  }
  return runs.all();
}

/** Joins neighbouring parts of the same state into runs. */
export class RunBuilder {
  readonly #runs: { from: number; to: number; state: PartState }[] = [];

  add(from: number, to: number, state: PartState): void {
    const last = this.#runs.at(-1);
    if (last !== undefined && last.state === state && last.to + 1 === from) last.to = to;
    else this.#runs.push({ from, to, state });
  }

  all(): readonly PartRun[] {
    return this.#runs;
  }
}

/** Returns a hash of the numbers, sizes and ETags of these parts, for detecting changes. */
export function fingerprintOf(
  parts: readonly Pick<ListedPart, 'partNumber' | 'sizeBytes' | 'etag'>[],
): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.partNumber} ${part.sizeBytes} ${part.etag}\n`);
  return hash.digest('hex').slice(0, 32);
}

/** The problems that are visible in the stored parts alone. */
type PartsProblem = Extract<
  CompletionProblem,
  'no-parts' | 'part-too-small' | 'too-many-parts' | 'gaps-with-checksums'
>;

interface CompletionWithoutFile {
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
