import type { PartState } from '../../../../shared/models/stalled.ts';
import type { PlanRefusal } from '../../../../shared/models/resume-plan.ts';
import type { ListedPart } from '../../s3/model/multipart-types.ts';
import { expectedEtag, md5InEtag } from '../../s3/model/etag.ts';
import type { Comparison, Layout, Slot } from './layout.ts';
import { RunBuilder } from './part-list.ts';
import type { ChecksumAlgorithm } from '../../disk/checksums.ts';
import type { SliceHash } from '../../disk/hash-messages.ts';

export type HashLookup = (offset: number, sizeBytes: number) => SliceHash | undefined;

export type SlotState = Exclude<PartState, 'present'>;

export interface JudgedSlot extends Slot {
  readonly state: SlotState;
  /** The MD5 of the part's range in the file; null if it was not hashed. */
  readonly md5: string | null;
}

export interface Judgement {
  readonly slots: readonly JudgedSlot[];
  readonly refusal: PlanRefusal | null;
  readonly counts: Readonly<Record<SlotState, number>>;
  readonly bytesToSend: number;
  readonly bytesUnverifiable: number;
  /** The numbers of stored parts after the end of the file. Set only if the file is proved to be the beginning of longer data. */
  readonly beyond: readonly number[];
  /** The ETag that the object would have; null unless all parts of the file were hashed. */
  readonly expectedEtag: string | null;
}

export interface JudgeOptions {
  /** True if the user said that the ETags of this upload are not MD5s, even if they look like MD5s. */
  readonly etagsAreNotMd5: boolean;
  /** The minimum size of all parts but the last, usually 5 MiB. */
  readonly minPartBytes: number;
}

const checksumNames: readonly ChecksumAlgorithm[] = ['crc64nvme', 'sha256', 'sha1', 'crc32c', 'crc32'];

/** Returns the checksum of a stored part with which the file can be compared; null if it has none. */
export function comparableChecksum(part: ListedPart): ChecksumAlgorithm | null {
  return checksumNames.find((name) => part.checksums[name] !== undefined) ?? null;
}

/**
 * Returns the ranges of the file to hash for a layout: those of all stored parts with the right size, and those that are compared
 * only to check that this is the uploaded file.
 */
export function comparisonsOf(layout: Layout, options: JudgeOptions): readonly Comparison[] {
  const found: Comparison[] = [];
  for (const slot of layout.slots)
    if (
      slot.listed !== null &&
      slot.listed.sizeBytes === slot.sizeBytes &&
      isComparable(slot.listed, options)
    )
      found.push({ offset: slot.offset, part: slot.listed });
  for (const comparison of layout.evidence)
    if (isComparable(comparison.part, options)) found.push(comparison);
  return found;
}

/** Returns true if the part has an MD5 or a checksum with which the file can be compared. */
export function isComparable(part: ListedPart, options: JudgeOptions): boolean {
  return (!options.etagsAreNotMd5 && md5InEtag(part.etag) !== null) || comparableChecksum(part) !== null;
}

/**
 * Compares a part of the file with a stored part. Returns `unknown` if the stored part has neither an MD5 nor a known checksum.
 */
export function compare(
  part: ListedPart,
  hash: SliceHash,
  options: JudgeOptions,
): 'same' | 'differs' | 'unknown' {
  const md5 = options.etagsAreNotMd5 ? null : md5InEtag(part.etag);
  if (md5 !== null && md5 === hash.md5) return 'same';
  const name = comparableChecksum(part);
  // If the ETag is not an MD5, or only looks like one (encryption with KMS), the checksum decides.
  if (name !== null && hash.checksums[name] !== undefined)
    return hash.checksums[name] === part.checksums[name] ? 'same' : 'differs';
  return md5 === null ? 'unknown' : 'differs';
}

/** Returns how many bytes of the file match stored parts of this layout. */
export function matchedBytes(layout: Layout, hashes: HashLookup, options: JudgeOptions): number {
  let bytes = 0;
  for (const { part, offset } of comparisonsOf(layout, options)) {
    const hash = hashes(offset, part.sizeBytes);
    if (hash !== undefined && compare(part, hash, options) === 'same') bytes += part.sizeBytes;
  }
  return bytes;
}

/**
 * Classifies each part as verified, different, missing or unverifiable, and decides if the file can be the uploaded
 * one.
 */
export function judgeParts(layout: Layout, hashes: HashLookup, options: JudgeOptions): Judgement {
  const counts: Record<SlotState, number> = {
    missing: 0,
    'too-small': 0,
    verified: 0,
    differs: 0,
    unverifiable: 0,
  };
  let bytesToSend = 0;
  let bytesUnverifiable = 0;
  const slots: JudgedSlot[] = [];
  for (const slot of layout.slots) {
    const hash = hashes(slot.offset, slot.sizeBytes);
    const state = stateOf(slot, slot === layout.slots.at(-1), hash, options);
    counts[state] += 1;
    if (state === 'unverifiable') bytesUnverifiable += slot.sizeBytes;
    else if (state !== 'verified') bytesToSend += slot.sizeBytes;
    slots.push({ ...slot, state, md5: hash?.md5 ?? null });
  }
  return {
    slots,
    counts,
    bytesToSend,
    bytesUnverifiable,
    refusal: refusalOf(layout, counts, hashes, options),
    beyond: isBeginning(layout, counts) ? partsBeyond(layout) : [],
    expectedEtag: expectedEtag(slots.map((slot) => slot.md5)),
  };
}

function stateOf(slot: Slot, isLast: boolean, hash: SliceHash | undefined, options: JudgeOptions): SlotState {
  const { listed } = slot;
  if (listed === null) return 'missing';
  if (listed.sizeBytes !== slot.sizeBytes)
    return listed.sizeBytes < options.minPartBytes && !isLast ? 'too-small' : 'differs';
  if (!isComparable(listed, options) || hash === undefined) return 'unverifiable';
  const verdict = compare(listed, hash, options);
  if (verdict === 'same') return 'verified';
  return verdict === 'differs' ? 'differs' : 'unverifiable';
}

function refusalOf(
  layout: Layout,
  counts: Readonly<Record<SlotState, number>>,
  hashes: HashLookup,
  options: JudgeOptions,
): PlanRefusal | null {
  let same = 0;
  let different = 0;
  for (const { part, offset } of comparisonsOf(layout, options)) {
    const hash = hashes(offset, part.sizeBytes);
    if (hash === undefined) continue;
    const verdict = compare(part, hash, options);
    if (verdict === 'same') same += 1;
    if (verdict === 'differs') different += 1;
  }
  // A file that is too short is refused, unless all its bytes match the stored parts.
  if (partsBeyond(layout).length > 0 && counts.verified < layout.slots.length) return 'too-short';
  if (same === 0 && different > 0) return 'all-differ';
  return null;
}

/**
 * Returns the numbers of stored parts that end after the end of the file, so they belong to longer data. Empty for unequal parts
 * with a gap, because their positions are unknown.
 */
export function partsBeyond({ source, surplus, straddling }: Layout): readonly number[] {
  if (source === 'cumulative' && straddling === null) return [];
  return [...(straddling === null ? [] : [straddling]), ...surplus].map((part) => part.partNumber);
}

/** Returns true if the file matches all stored parts except one that ends after the end of the file, which cannot be compared. */
function isBeginning({ straddling }: Layout, counts: Readonly<Record<SlotState, number>>): boolean {
  return counts.verified > 0 && counts.differs === (straddling === null ? 0 : 1);
}

/** Joins neighbouring parts of the same state into runs, for the bar that shows the parts of a plan. */
export function stripOf(
  slots: readonly Pick<JudgedSlot, 'partNumber' | 'state'>[],
): ReturnType<RunBuilder['all']> {
  const runs = new RunBuilder();
  for (const slot of slots) runs.add(slot.partNumber, slot.partNumber, slot.state);
  return runs.all();
}
