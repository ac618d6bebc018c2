import { compareKeys } from '../../../shared/keys/paths.ts';
import type { WalkChildren, WalkChildSort, WalkStatus } from '../../../shared/models/walks.ts';
import { noForeign, withForeign } from '../s3/listing/prefixes.ts';
import type { ChildSum, PageSum } from './pages/page-messages.ts';

interface Sum {
  keys: number;
  sizeBytes: number;
}

type WalkCounts = Pick<WalkStatus, 'keys' | 'sizeBytes' | 'matches' | 'matchedBytes'>;

/** The sums of a walk so far: all keys, the matches, and each storage class. */
export class WalkSums {
  keys = 0;
  matches = 0;
  matchedBytes = 0;
  #sizeBytes = 0;
  #foreign = noForeign;
  readonly #classes = new Map<string, Sum>();

  add({ keys, sizeBytes, matches, matchedBytes }: WalkCounts): void {
    this.keys += keys;
    this.#sizeBytes += sizeBytes;
    this.matches += matches;
    this.matchedBytes += matchedBytes;
  }

  addPage(page: PageSum): void {
    this.add(page);
    this.#foreign = withForeign(this.#foreign, page.foreign);
    for (const [storageClass, keys, sizeBytes] of page.byStorageClass)
      addSum(this.#classes, storageClass, { keys, sizeBytes });
  }

  clear(): void {
    this.keys = 0;
    this.#sizeBytes = 0;
    this.matches = 0;
    this.matchedBytes = 0;
    this.#foreign = noForeign;
    this.#classes.clear();
  }

  status(): WalkCounts & Pick<WalkStatus, 'byStorageClass' | 'foreign'> {
    return {
      keys: this.keys,
      sizeBytes: this.#sizeBytes,
      byStorageClass: [...this.#classes].map(([storageClass, sum]) => ({ storageClass, ...sum })),
      matches: this.matches,
      matchedBytes: this.matchedBytes,
      foreign: this.#foreign,
    };
  }
}

function addSum(sums: Map<string, Sum>, name: string, { keys, sizeBytes }: Sum): void {
  const sum = sums.get(name);
  if (sum === undefined) sums.set(name, { keys, sizeBytes });
  else {
    sum.keys += keys;
    sum.sizeBytes += sizeBytes;
  }
}

/** The maximum number of sums to hold in memory. Walks with more direct subfolders store them in the table. */
const maxSumsInMemory = 2000;

/** Holds the sums of a walk's direct subfolders in memory, while they are few. */
export class ChildSums {
  readonly #sums = new Map<string, Sum>();

  add(children: readonly ChildSum[]): void {
    for (const [prefix, keys, sizeBytes] of children) addSum(this.#sums, prefix, { keys, sizeBytes });
  }

  /** True if there are too many sums for memory. The caller must then `take` them and store them in the table. */
  get isFull(): boolean {
    return this.#sums.size > maxSumsInMemory;
  }

  /** Removes and returns all sums. The caller must store them elsewhere. */
  take(): readonly ChildSum[] {
    const sums = [...this.#sums].map(([prefix, { keys, sizeBytes }]): ChildSum => [prefix, keys, sizeBytes]);
    this.#sums.clear();
    return sums;
  }

  clear(): void {
    this.#sums.clear();
  }

  /** Returns a range of the sums, sorted as the table sorts them: equal sums are ordered by prefix. */
  read(offset: number, limit: number, { by, descending }: WalkChildSort): WalkChildren {
    const all = [...this.#sums].map(([prefix, sum]) => ({ prefix, ...sum }));
    all.sort((left, right) => {
      const difference =
        by === 'keys' ? left.keys - right.keys : by === 'size' ? left.sizeBytes - right.sizeBytes : 0;
      const order = difference === 0 ? compareKeys(left.prefix, right.prefix) : difference;
      return descending ? -order : order;
    });
    return { children: all.slice(offset, offset + limit), total: all.length };
  }
}
