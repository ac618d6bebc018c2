import type { ListedUpload } from '../multipart/list-uploads.ts';
import type { PlannedSource } from '../disk/planned-file.ts';
import type { Hasher } from '../disk/hash-pool.ts';
import {
  guessLayout,
  layoutsOfShorterFile,
  type Comparison,
  type Layout,
  type LayoutRules,
} from '../multipart/parts/layout.ts';
import {
  comparableChecksum,
  compare,
  comparisonsOf,
  judgeParts,
  matchedBytes,
  type HashLookup,
  type Judgement,
  type JudgeOptions,
} from '../multipart/parts/judge.ts';
import type { PlanRefusal } from '../../../shared/models/resume-plan.ts';
import type { SliceHash } from '../disk/hash-messages.ts';

export interface PlannerInput {
  readonly listed: ListedUpload;
  readonly file: PlannedSource;
  readonly fileSizeBytes: number;
  readonly rules: LayoutRules;
  readonly judge: JudgeOptions;
  readonly hasher: Hasher;
  readonly signal: AbortSignal;
  readonly onProgress: (bytesHashed: number, bytesToHash: number) => void;
}

export type ResumePlanResult =
  | { readonly kind: 'refused'; readonly refusal: PlanRefusal; readonly partSizeBytes: number }
  | { readonly kind: 'judged'; readonly layout: Layout; readonly judgement: Judgement };

/**
 * Plans how to resume an upload from a file: finds the position of each part in the file, hashes it, and compares. Sends nothing.
 */
export async function planUpload(input: PlannerInput): Promise<ResumePlanResult> {
  const cache = new SliceCache(input);
  const { parts } = input.listed;
  let guess = guessLayout(parts, input.fileSizeBytes, input.rules, null);
  if (guess.kind === 'probe') {
    await cache.hashAll(guess.probes);
    const matched = guess.probes.filter((probe) => cache.isSame(probe));
    guess = guessLayout(parts, input.fileSizeBytes, input.rules, matched);
  }
  if (guess.kind === 'refused') return await planShorterFile(guess, cache, input);
  const candidates = guess.kind === 'layouts' ? guess.layouts : [];
  const layout = candidates.length > 1 ? await bestOf(candidates, cache, input.judge) : candidates[0];
  if (layout === undefined) return { kind: 'refused', refusal: 'too-short', partSizeBytes: 0 };
  await cache.hashAll(comparisonsOf(layout, input.judge));
  return { kind: 'judged', layout, judgement: judgeParts(layout, cache.lookup, input.judge) };
}

/**
 * Plans again for a file that is shorter than the stored parts. The parts inside it may still prove that it is the beginning of
 * the uploaded data.
 */
async function planShorterFile(
  refused: ResumePlanResult & { kind: 'refused' },
  cache: SliceCache,
  input: PlannerInput,
): Promise<ResumePlanResult> {
  if (refused.refusal !== 'too-short') return refused;
  const [layout] = layoutsOfShorterFile(input.listed.parts, input.fileSizeBytes, input.rules);
  if (layout === undefined) return refused;
  await cache.hashAll(comparisonsOf(layout, input.judge));
  const judgement = judgeParts(layout, cache.lookup, input.judge);
  return judgement.beyond.length > 0 ? { kind: 'judged', layout, judgement } : refused;
}

const probesPerCandidate = 4;

/** Returns the layout with the most matching bytes in some samples of the file; among equals, the first. */
async function bestOf(
  candidates: readonly Layout[],
  cache: SliceCache,
  options: JudgeOptions,
): Promise<Layout | undefined> {
  for (const candidate of candidates) {
    const allComparisons = comparisonsOf(candidate, options);
    const step = Math.max(1, Math.floor(allComparisons.length / probesPerCandidate));
    await cache.hashAll(
      allComparisons.filter((_, index) => index % step === 0).slice(0, probesPerCandidate + 1),
    );
  }
  let best = candidates[0];
  let maxBytes = -1;
  for (const candidate of candidates) {
    const bytes = matchedBytes(candidate, cache.lookup, options);
    if (bytes > maxBytes) {
      best = candidate;
      maxBytes = bytes;
    }
  }
  return best;
}

/** Hashes parts of the file, each only once. */
class SliceCache {
  readonly #input: PlannerInput;
  readonly #hashes = new Map<string, SliceHash>();
  #bytesHashed = 0;
  #bytesToHash = 0;

  constructor(input: PlannerInput) {
    this.#input = input;
  }

  readonly lookup: HashLookup = (offset, sizeBytes) => this.#hashes.get(`${offset} ${sizeBytes}`);

  isSame(comparison: Comparison): boolean {
    const hash = this.lookup(comparison.offset, comparison.part.sizeBytes);
    return hash !== undefined && compare(comparison.part, hash, this.#input.judge) === 'same';
  }

  async hashAll(comparisons: readonly Comparison[]): Promise<void> {
    const uncachedByRange = new Map<string, Comparison>();
    for (const comparison of comparisons) {
      const { offset, part } = comparison;
      if (this.lookup(offset, part.sizeBytes) === undefined)
        uncachedByRange.set(`${offset} ${part.sizeBytes}`, comparison);
    }
    const uncached = [...uncachedByRange.values()];
    this.#bytesToHash += uncached.reduce((sum, { part }) => sum + part.sizeBytes, 0);
    this.#input.onProgress(this.#bytesHashed, this.#bytesToHash);
    await Promise.all(
      uncached.map(async ({ offset, part }) => {
        const request = {
          ...this.#input.file,
          offset,
          sizeBytes: part.sizeBytes,
          algorithm: comparableChecksum(part),
        };
        const hash = await this.#input.hasher.hash(request, this.#input.signal, (bytes) => {
          this.#bytesHashed += bytes;
          this.#input.onProgress(this.#bytesHashed, this.#bytesToHash);
        });
        this.#hashes.set(`${offset} ${part.sizeBytes}`, hash);
      }),
    );
  }
}
