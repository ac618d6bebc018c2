import type { DuplicateGroup, Duplicates } from '../../../../shared/models/map.ts';
import { grownFloats, grownInts, HashPlaces, mixed } from '../../walks/map/columns.ts';
import { compareKeys } from '../../../../shared/keys/paths.ts';
import type { Block } from '../../walks/map/block.ts';
import type { CatalogueReader } from './catalogue-reader.ts';

/** The maximum number of objects to compare. If there are more, only the larger objects are compared. */
const maxCompared = 4_000_000;
const maxGroups = 30;
const maxKeysOfGroup = 20;

export type FoundDuplicates = Omit<Extract<Duplicates, { kind: 'found' }>, 'takenAt'>;

/**
 * Finds objects with equal size and ETag, in two passes. The first counts objects by size and 64 bits of the ETag. The second
 * reads the keys of the groups that waste the most space. Lets other calls run between blocks.
 */
export async function findDuplicates(
  reader: CatalogueReader,
  prefix: string,
  yieldTurn: () => Promise<void>,
  limit = maxCompared,
): Promise<FoundDuplicates> {
  const blocks = reader.blocksOf(prefix);
  const total = blocks.reduce((sum, { objects }) => sum + objects, 0);
  const minBytes = total <= limit ? 1 : await sizeOfLargest(reader, prefix, limit, yieldTurn);
  const groups = new Groups();
  await eachObject(reader, prefix, yieldTurn, (block, at) => {
    if ((block.sizes[at] ?? 0) >= minBytes) groups.count(block, at);
  });
  const largestGroups = groups.largest(maxGroups);
  const keys = new Map<number, string[]>([...largestGroups].map((group) => [group, []]));
  if (largestGroups.size > 0)
    await eachObject(reader, prefix, yieldTurn, (block, at, keyOf) => {
      const known = keys.get(groups.find(block, at));
      if (known !== undefined && known.length < maxKeysOfGroup) known.push(keyOf());
    });
  const largest = [...keys].map(([group, names]): DuplicateGroup => ({
    sizeBytes: groups.sizeBytes(group),
    copies: groups.copies(group),
    keys: names.toSorted(compareKeys),
  }));
  return { kind: 'found', ...groups.totals(), isExact: minBytes === 1, largest };
}

/** Returns the smallest size for which at most `limit` objects are at least as large. */
async function sizeOfLargest(
  reader: CatalogueReader,
  prefix: string,
  limit: number,
  yieldTurn: () => Promise<void>,
): Promise<number> {
  // Counts objects by powers of two, so the result is a power of two.
  const counts = new Float64Array(64);
  await eachObject(reader, prefix, yieldTurn, (block, at) => {
    const power = Math.ceil(Math.log2(1 + (block.sizes[at] ?? 0)));
    counts[power] = (counts[power] ?? 0) + 1;
  });
  let sum = 0;
  for (let power = 63; power > 0; power -= 1) {
    sum += counts[power] ?? 0;
    if (sum > limit) return 2 ** power;
  }
  return 1;
}

/** Visits all objects that have content and an ETag. Empty objects are equal but not duplicates. */
async function eachObject(
  reader: CatalogueReader,
  prefix: string,
  yieldTurn: () => Promise<void>,
  visit: (block: Block, at: number, keyOf: () => string) => void,
): Promise<void> {
  for (const facts of reader.blocksOf(prefix)) {
    const block = reader.block(facts);
    const isInside = facts.firstKey.startsWith(prefix) && facts.lastKey.startsWith(prefix);
    let keys: readonly string[] | null = isInside ? null : block.keys();
    for (let at = 0; at < block.count; at += 1) {
      if ((block.sizes[at] ?? 0) === 0) continue;
      if (block.etagBits[at * 2] === 0 && block.etagBits[at * 2 + 1] === 0) continue;
      if (!isInside && keys?.[at]?.startsWith(prefix) !== true) continue;
      visit(block, at, () => (keys ??= block.keys())[at] ?? '');
    }
    await yieldTurn();
  }
}

/** Counts objects by size and 64 bits of the ETag. */
class Groups {
  readonly #places = new HashPlaces();
  #count = 0;
  #highs: Uint32Array<ArrayBuffer> = new Uint32Array(1024);
  #lows: Uint32Array<ArrayBuffer> = new Uint32Array(1024);
  #sizes: Float64Array<ArrayBuffer> = new Float64Array(1024);
  #copies: Uint32Array<ArrayBuffer> = new Uint32Array(1024);

  find(block: Block, at: number): number {
    const high = block.etagBits[at * 2] ?? 0;
    const low = block.etagBits[at * 2 + 1] ?? 0;
    const size = block.sizes[at] ?? 0;
    return this.#places.find(
      mixed(high, low),
      (place) => this.#highs[place] === high && this.#lows[place] === low && this.#sizes[place] === size,
    );
  }

  count(block: Block, at: number): void {
    let place = this.find(block, at);
    if (place === -1) {
      place = this.#count;
      this.#count += 1;
      this.#highs = grownInts(this.#highs, this.#count);
      this.#lows = grownInts(this.#lows, this.#count);
      this.#copies = grownInts(this.#copies, this.#count);
      this.#sizes = grownFloats(this.#sizes, this.#count);
      this.#highs[place] = block.etagBits[at * 2] ?? 0;
      this.#lows[place] = block.etagBits[at * 2 + 1] ?? 0;
      this.#sizes[place] = block.sizes[at] ?? 0;
      this.#places.add(place, (row) => mixed(this.#highs[row] ?? 0, this.#lows[row] ?? 0));
    }
    this.#copies[place] = (this.#copies[place] ?? 0) + 1;
  }

  sizeBytes(place: number): number {
    return this.#sizes[place] ?? 0;
  }
  copies(place: number): number {
    return this.#copies[place] ?? 0;
  }

  totals(): { groups: number; extraCopies: number; extraBytes: number } {
    const totals = { groups: 0, extraCopies: 0, extraBytes: 0 };
    for (let place = 0; place < this.#count; place += 1) {
      const extra = this.copies(place) - 1;
      if (extra === 0) continue;
      totals.groups += 1;
      totals.extraCopies += extra;
      totals.extraBytes += extra * this.sizeBytes(place);
    }
    return totals;
  }

  /** Returns the groups whose additional copies take the most space. */
  largest(maxCount: number): ReadonlySet<number> {
    const wasted = (place: number): number => (this.copies(place) - 1) * this.sizeBytes(place);
    const several: number[] = [];
    for (let place = 0; place < this.#count; place += 1) if (this.copies(place) > 1) several.push(place);
    return new Set(several.toSorted((left, right) => wasted(right) - wasted(left)).slice(0, maxCount));
  }
}
