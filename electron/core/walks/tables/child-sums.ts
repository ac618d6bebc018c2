import { compareKeys } from '../../../../shared/keys/paths.ts';
import type { WalkChildren } from '../../../../shared/models/walks.ts';
import type { ChildSum } from '../pages/page-messages.ts';

export interface ChildSort {
  readonly by: 'prefix' | 'size' | 'keys';
  readonly descending: boolean;
}

interface Sum {
  keys: number;
  sizeBytes: number;
}

/** The maximum number of sums to hold in memory. Walks with more direct subfolders store them in the table. */
const maxHeld = 2000;

/** Holds the sums of a walk's direct subfolders in memory, while they are few. */
export class ChildSums {
  readonly #sums = new Map<string, Sum>();

  add(children: readonly ChildSum[]): void {
    for (const [prefix, keys, sizeBytes] of children) {
      const sum = this.#sums.get(prefix);
      if (sum === undefined) this.#sums.set(prefix, { keys, sizeBytes });
      else {
        sum.keys += keys;
        sum.sizeBytes += sizeBytes;
      }
    }
  }

  /** True if there are too many sums for memory. The caller must then `take` them and store them in the table. */
  get isFull(): boolean {
    return this.#sums.size > maxHeld;
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
  read(offset: number, limit: number, { by, descending }: ChildSort): WalkChildren {
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
