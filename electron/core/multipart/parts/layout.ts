import type { PartLimits } from '../../s3/model/part-limits.ts';
import { maxPartBytes, maxPartCount } from '../../../../shared/models/stalled.ts';
import type { LayoutSource, PlanRefusal } from '../../../../shared/models/resume-plan.ts';
import type { ListedPart } from '../../s3/model/multipart-types.ts';
import { repeatedSizes, sharedPartSize, sizesBetween, usualSize } from './part-list.ts';

/** A planned part: its range in the file, and the stored part with the same number. */
export interface Slot {
  readonly partNumber: number;
  readonly offset: number;
  readonly sizeBytes: number;
  readonly listed: ListedPart | null;
}

/** A range of the file to compare with a stored part. */
export interface Comparison {
  readonly offset: number;
  readonly part: ListedPart;
}

/** A division of the file into parts 1 to N that cover it exactly. */
export interface Layout {
  readonly source: LayoutSource;
  readonly partSizeBytes: number;
  readonly slots: readonly Slot[];
  /** Stored parts with numbers above N, which are left out of the object. */
  readonly surplus: readonly ListedPart[];
  /** The stored part that starts inside the file and ends after it. It is replaced by a shorter part. */
  readonly straddling: ListedPart | null;
  /** Comparisons with stored parts that cannot be kept. They only show whether this is the right file. */
  readonly evidence: readonly Comparison[];
}

export interface LayoutRules {
  /** True if the service requires the same size for all parts but the last, as R2 does (opendal#2904). */
  readonly equalPartSizes: boolean;
  /** The minimum size of all parts but the last, usually 5 MiB. */
  readonly minPartBytes: number;
  /** The part limits learned from the service. A layout without stored parts stays within them. */
  readonly limits: Pick<PartLimits, 'fitting'>;
}

export type LayoutGuess =
  | { readonly kind: 'refused'; readonly refusal: PlanRefusal; readonly partSizeBytes: number }
  /** The possible layouts, preferred ones first. If there are several, comparing hashes decides. */
  | { readonly kind: 'layouts'; readonly layouts: readonly Layout[] }
  /**
   * After a gap between unequal parts, the positions of parts are unknown. These positions must be compared with the file first.
   */
  | { readonly kind: 'probe'; readonly probes: readonly Comparison[] };

/**
 * Guesses the position of each part in a file of this size. `sorted` comes from sortParts. `matched` are the probes whose hash
 * matched; null before the probes were hashed.
 */
export function guessLayout(
  sorted: readonly ListedPart[],
  fileSizeBytes: number,
  rules: LayoutRules,
  matched: readonly Comparison[] | null,
): LayoutGuess {
  if (sorted.length === 0) return guessOf([chosenLayout(fileSizeBytes, rules)]);
  const { minPartBytes } = rules;
  const input: LayoutInput = { sorted, fileSizeBytes, minPartBytes };
  const shared = sharedPartSize(sorted);
  if (shared !== null && shared >= minPartBytes)
    return guessOf([uniformLayout(input, shared, 'shared-size')]);
  const only = sorted[0];
  if (sorted.length === 1 && only !== undefined) return guessFromOnePart(only, input);
  if (rules.equalPartSizes)
    return guessOf([uniformLayout(input, Math.max(usualSize(sorted), minPartBytes), 'by-hash')]);
  const probes = probesBehindGap(input);
  if (probes.length > 0 && matched === null) return { kind: 'probe', probes };
  const sizes = repeatedSizes(sorted, minPartBytes);
  return guessOf([
    cumulativeLayout(input, matched ?? []),
    ...sizes.map((size) => uniformLayout(input, size, 'by-hash')),
  ]);
}

/** Returns the layouts for a file that is shorter than the stored parts. The part across the end of the file is sent again. */
export function layoutsOfShorterFile(
  sorted: readonly ListedPart[],
  fileSizeBytes: number,
  rules: LayoutRules,
): readonly Layout[] {
  const input: LayoutInput = { sorted, fileSizeBytes, minPartBytes: rules.minPartBytes };
  const shared = sharedPartSize(sorted);
  if (shared !== null && shared >= rules.minPartBytes) {
    const layout = uniformLayout(input, shared, 'shared-size', true);
    return 'slots' in layout ? [layout] : [];
  }
  const { slots, end, tooShort } = keepablePrefix(input);
  const straddling = sorted[slots.length];
  if (!tooShort || straddling === undefined || rules.equalPartSizes) return [];
  const { partNumber } = straddling;
  const rest: Slot = { partNumber, offset: end, sizeBytes: fileSizeBytes - end, listed: straddling };
  const surplus = sorted.slice(slots.length + 1);
  const found = { slots: [...slots, rest], surplus, straddling, evidence: [] };
  return [{ source: 'cumulative', partSizeBytes: usualSize(sorted), ...found }];
}

/** The stored parts of an upload, and the file that may be its source. */
interface LayoutInput extends Pick<LayoutRules, 'minPartBytes'> {
  readonly sorted: readonly ListedPart[];
  readonly fileSizeBytes: number;
}

type Candidate = Layout | { readonly refusal: PlanRefusal; readonly partSizeBytes: number };

function guessOf(candidates: readonly Candidate[]): LayoutGuess {
  const layouts = candidates.filter((candidate): candidate is Layout => 'slots' in candidate);
  if (layouts.length > 0) return { kind: 'layouts', layouts };
  const refused = candidates.find((candidate) => 'refusal' in candidate);
  return {
    kind: 'refused',
    refusal: refused !== undefined && 'refusal' in refused ? refused.refusal : 'too-short',
    partSizeBytes: refused?.partSizeBytes ?? 0,
  };
}

/** Divides the file into equal parts of the given size; the last part has the rest. */
function uniformLayout(
  { sorted, fileSizeBytes }: LayoutInput,
  sizeBytes: number,
  source: LayoutSource,
  mayStraddle = false,
): Candidate {
  if (sizeBytes > maxPartBytes) return { refusal: 'part-too-large', partSizeBytes: sizeBytes };
  const count = Math.max(1, Math.ceil(fileSizeBytes / sizeBytes));
  if (count > maxPartCount) return { refusal: 'too-many-parts', partSizeBytes: sizeBytes };
  const byNumber = new Map(sorted.map((part) => [part.partNumber, part]));
  const slots: Slot[] = [];
  let straddling: ListedPart | null = null;
  for (let number = 1; number <= count; number += 1) {
    const offset = (number - 1) * sizeBytes;
    const slotBytes = Math.min(sizeBytes, fileSizeBytes - offset);
    const listed = byNumber.get(number) ?? null;
    // The last part was stored longer than the rest of the file, so the file is too short.
    if (listed !== null && number === count && offset + listed.sizeBytes > fileSizeBytes) {
      if (!mayStraddle) return { refusal: 'too-short', partSizeBytes: sizeBytes };
      straddling = listed;
    }
    slots.push({ partNumber: number, offset, sizeBytes: slotBytes, listed });
  }
  const surplus = sorted.filter((part) => part.partNumber > count);
  return { source, partSizeBytes: sizeBytes, slots, surplus, straddling, evidence: [] };
}

/** Returns the layouts for a single stored part, which may be one of several equal parts or the last part. */
function guessFromOnePart(part: ListedPart, input: LayoutInput): LayoutGuess {
  const { fileSizeBytes, minPartBytes } = input;
  const candidates: Candidate[] = [];
  if (part.partNumber === 1 && part.sizeBytes === fileSizeBytes)
    return guessOf([uniformLayout(input, Math.max(1, part.sizeBytes), 'by-hash')]);
  if (part.sizeBytes >= minPartBytes) candidates.push(uniformLayout(input, part.sizeBytes, 'by-hash'));
  const before = fileSizeBytes - part.sizeBytes;
  const share = before / (part.partNumber - 1);
  if (part.partNumber > 1 && Number.isInteger(share) && share >= part.sizeBytes && share >= minPartBytes)
    candidates.push(uniformLayout(input, share, 'by-hash'));
  for (const size of commonPartSizes)
    if (size > part.sizeBytes && part.partNumber > 1 && size * (part.partNumber - 1) === before)
      candidates.push(uniformLayout(input, size, 'by-hash'));
  if (candidates.length === 0) candidates.push(cumulativeLayout(input, []));
  return guessOf(uniqueBySize(candidates));
}

/** The part sizes that clients use by default, from 5 MiB (s3fs, boto) to 64 MiB. */
const commonPartSizes: readonly number[] = [5, 8, 10, 15, 16, 20, 25, 32, 50, 64].map(
  (mib) => mib * 1024 * 1024,
);

function uniqueBySize(candidates: readonly Candidate[]): readonly Candidate[] {
  const seen = new Set<number>();
  return candidates.filter((candidate) => {
    if (seen.has(candidate.partSizeBytes)) return false;
    seen.add(candidate.partSizeBytes);
    return true;
  });
}

/** Returns the stored parts from number 1 on that can be kept, up to the first that is missing, too small, or beyond the file. */
function keepablePrefix({ sorted, fileSizeBytes, minPartBytes }: LayoutInput): {
  readonly slots: readonly Slot[];
  readonly end: number;
  readonly tooShort: boolean;
} {
  const slots: Slot[] = [];
  let offset = 0;
  for (const part of sorted) {
    if (part.partNumber !== slots.length + 1) break;
    const end = offset + part.sizeBytes;
    if (end > fileSizeBytes) return { slots, end: offset, tooShort: true };
    if (part.sizeBytes < minPartBytes && end < fileSizeBytes) break;
    slots.push({ partNumber: part.partNumber, offset, sizeBytes: part.sizeBytes, listed: part });
    offset = end;
    if (end === fileSizeBytes) break;
  }
  return { slots, end: offset, tooShort: false };
}

/** Returns true if a stored part can be at this position of the file. Only a part at the end of the file may be small. */
function canLieAt(part: ListedPart, offset: number, { fileSizeBytes, minPartBytes }: LayoutInput): boolean {
  const end = offset + part.sizeBytes;
  return end === fileSizeBytes || (end < fileSizeBytes && part.sizeBytes >= minPartBytes);
}

/** Returns possible positions of the parts after the first gap: multiples of the sizes that occur, and the end of the file. */
function probesBehindGap(input: LayoutInput): readonly Comparison[] {
  const { sorted, fileSizeBytes, minPartBytes } = input;
  const { slots, end } = keepablePrefix(input);
  const sizes = [...new Set(sorted.map((part) => part.sizeBytes))].slice(0, 6);
  const behind = sorted.filter(
    (part) =>
      part.partNumber > slots.length + 1 && (part.sizeBytes >= minPartBytes || part === sorted.at(-1)),
  );
  const probes: Comparison[] = [];
  for (const part of behind.slice(0, 64)) {
    const offsets = new Set(sizes.map((size) => end + (part.partNumber - slots.length - 1) * size));
    if (part === sorted.at(-1)) offsets.add(fileSizeBytes - part.sizeBytes);
    for (const offset of offsets)
      if (offset >= end && canLieAt(part, offset, input)) probes.push({ offset, part });
  }
  return probes;
}

/**
 * Positions the parts one after the other up to the first gap. After the gap, only parts whose hash matched are kept, and the
 * rest is divided into new parts.
 */
function cumulativeLayout(input: LayoutInput, matched: readonly Comparison[]): Candidate {
  const { sorted, fileSizeBytes, minPartBytes } = input;
  const usual = Math.max(usualSize(sorted), minPartBytes);
  const prefix = keepablePrefix(input);
  if (prefix.tooShort) return { refusal: 'too-short', partSizeBytes: usual };
  const slots: Slot[] = [...prefix.slots];
  const byNumber = new Map(sorted.map((part) => [part.partNumber, part]));
  let end = prefix.end;
  const anchors = matched.toSorted((left, right) => left.part.partNumber - right.part.partNumber);
  for (const { part, offset } of anchors) {
    const fill = sizesBetween(offset - end, part.partNumber - slots.length - 1, usual, minPartBytes);
    if (fill === null) continue;
    for (const sizeBytes of fill) {
      const partNumber = slots.length + 1;
      slots.push({ partNumber, offset: end, sizeBytes, listed: byNumber.get(partNumber) ?? null });
      end += sizeBytes;
    }
    slots.push({ partNumber: part.partNumber, offset, sizeBytes: part.sizeBytes, listed: part });
    end += part.sizeBytes;
  }
  const remainingParts = maxPartCount - slots.length;
  const rest = fileSizeBytes - end;
  if (rest > 0 && remainingParts === 0) return { refusal: 'too-many-parts', partSizeBytes: usual };
  const size = usual * remainingParts >= rest ? usual : roundUpToMib(Math.ceil(rest / remainingParts));
  if (size > maxPartBytes) return { refusal: 'part-too-large', partSizeBytes: size };
  while (end < fileSizeBytes || slots.length === 0) {
    const partNumber = slots.length + 1;
    const sizeBytes = Math.min(size, fileSizeBytes - end);
    slots.push({ partNumber, offset: end, sizeBytes, listed: byNumber.get(partNumber) ?? null });
    end += sizeBytes;
  }
  return {
    source: 'cumulative',
    partSizeBytes: size,
    slots,
    surplus: sorted.filter((part) => part.partNumber > slots.length),
    straddling: null,
    evidence: evidenceOf(input, prefix.slots.length),
  };
}

/** Returns comparisons for consecutive parts that are too small to keep. They only show whether this is the right file. */
function evidenceOf({ sorted, fileSizeBytes }: LayoutInput, keptCount: number): readonly Comparison[] {
  const evidence: Comparison[] = [];
  let offset = 0;
  for (const [index, part] of sorted.entries()) {
    if (part.partNumber !== index + 1 || offset + part.sizeBytes > fileSizeBytes) break;
    if (index >= keptCount) evidence.push({ offset, part });
    offset += part.sizeBytes;
    if (evidence.length >= 100) break;
  }
  return evidence;
}

const mib = 1024 * 1024;

function roundUpToMib(bytes: number): number {
  return Math.ceil(bytes / mib) * mib;
}

/**
 * Returns the layout for a file without usable stored parts: parts of 8 MiB, or larger ones if there would be more than 10,000.
 */
function chosenLayout(fileSizeBytes: number, { limits, minPartBytes }: LayoutRules): Candidate {
  const usual = Math.max(8 * mib, roundUpToMib(Math.ceil(fileSizeBytes / maxPartCount)));
  // If no size is within the learned limits, the usual size is tried, and the service reports the error.
  const size = limits.fitting(fileSizeBytes, usual, minPartBytes) ?? usual;
  return uniformLayout({ sorted: [], fileSizeBytes, minPartBytes }, size, 'chosen');
}
