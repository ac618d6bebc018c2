import type { Holding, PriceList, SmallestSize } from '../models/prices.ts';
import { figureOf } from './cost.ts';

/** The attributes of an object that its bill depends on. */
export interface BilledObject {
  readonly sizeBytes: number;
  /** Null if the service does not report it. */
  readonly storageClass: string | null;
  /** NaN if the service does not report it. */
  readonly modifiedMs: number;
}

/** Sums objects by class and month, applying the minimum billed size of each class. */
export class HoldingSums {
  readonly #smallest: ReadonlyMap<string, number>;
  readonly #found = new Map<string, { -readonly [Name in keyof Holding]: Holding[Name] }>();

  constructor(smallest: readonly SmallestSize[]) {
    this.#smallest = new Map(smallest.map(({ storageClass, bytes }) => [storageClass, bytes]));
  }

  add({ sizeBytes, storageClass, modifiedMs }: BilledObject): void {
    const name = storageClass ?? 'STANDARD';
    const month = Number.isNaN(modifiedMs) ? '' : new Date(modifiedMs).toISOString().slice(0, 7);
    const key = `${name} ${month}`;
    let sum = this.#found.get(key);
    if (sum === undefined) {
      sum = { storageClass: name, month, objects: 0, sizeBytes: 0, billedBytes: 0 };
      this.#found.set(key, sum);
    }
    sum.objects += 1;
    sum.sizeBytes += sizeBytes;
    sum.billedBytes += Math.max(sizeBytes, this.#smallest.get(name) ?? 0);
  }

  all(): Holding[] {
    return [...this.#found.values()].map((sum) => ({ ...sum }));
  }
}

export function holdingsOf(objects: Iterable<BilledObject>, smallest: readonly SmallestSize[]): Holding[] {
  const sums = new HoldingSums(smallest);
  for (const object of objects) sums.add(object);
  return sums.all();
}

/** Returns these classes with the minimum billed size of another class, to estimate a change of class. */
export function smallestAs(
  list: PriceList,
  storageClass: string,
  presentClasses: readonly string[],
): SmallestSize[] {
  const bytes = figureOf(list, storageClass, 'smallestBytes');
  return presentClasses.map((name) => ({ storageClass: name, bytes }));
}
