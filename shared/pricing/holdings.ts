import type { Holding, PriceList, SmallestSize } from '../models/prices.ts';
import { figureOf } from './cost.ts';

/** The attributes of an object that its bill depends on. */
export interface BilledObject {
  readonly sizeBytes: number;
  /** null: not reported. */
  readonly storageClass: string | null;
  /** NaN: not reported. */
  readonly modifiedMs: number;
}

/** Sums objects by class and month, applying the minimum billed size of each class. */
export function holdingsOf(objects: Iterable<BilledObject>, smallest: readonly SmallestSize[]): Holding[] {
  const smallestOf = new Map(smallest.map(({ storageClass, bytes }) => [storageClass, bytes]));
  const found = new Map<string, { -readonly [Name in keyof Holding]: Holding[Name] }>();
  for (const { sizeBytes, storageClass, modifiedMs } of objects) {
    const name = storageClass ?? 'STANDARD';
    const month = Number.isNaN(modifiedMs) ? '' : new Date(modifiedMs).toISOString().slice(0, 7);
    const key = `${name} ${month}`;
    let sum = found.get(key);
    if (sum === undefined) {
      sum = { storageClass: name, month, objects: 0, sizeBytes: 0, billedBytes: 0 };
      found.set(key, sum);
    }
    sum.objects += 1;
    sum.sizeBytes += sizeBytes;
    sum.billedBytes += Math.max(sizeBytes, smallestOf.get(name) ?? 0);
  }
  return [...found.values()];
}

/** Returns these classes with the minimum billed size of another class, to estimate a change of class. */
export function smallestAs(
  list: PriceList,
  storageClass: string,
  classesThere: readonly string[],
): SmallestSize[] {
  const bytes = figureOf(list, storageClass, 'smallestBytes');
  return classesThere.map((name) => ({ storageClass: name, bytes }));
}
