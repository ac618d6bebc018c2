import { compareKeys } from '../../../../shared/keys/order.ts';
import type { WalkChildren } from '../../../../shared/models/walks.ts';
import type { ChildSum } from '../pages/page-messages.ts';
import type { ChildSort } from './table-messages.ts';

interface Sum {
  keys: number;
  sizeBytes: number;
}

/** Maximum number of sums in memory. The few walks with more direct subfolders store them in the table. */
const maxHeld = 2000;

/** Holds the sums of a walk's direct subfolders while they are few and need no table. */
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

  /** True if there are too many sums to keep here, so the caller must `take` them. */
  get isFull(): boolean {
    return this.#sums.size > maxHeld;
  }

  /** Removes and returns all sums, which the caller then stores elsewhere. */
  take(): readonly ChildSum[] {
    const sums = [...this.#sums].map(([prefix, { keys, sizeBytes }]): ChildSum => [prefix, keys, sizeBytes]);
    this.#sums.clear();
    return sums;
  }

  clear(): void {
    this.#sums.clear();
  }

  /** Returns a range of the sums, in the same order as the table: equal ones by name. */
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
