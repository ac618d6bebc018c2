import type { MapFilter } from '../../../../shared/models/map.ts';
import type { Holding, SmallestSize } from '../../../../shared/models/prices.ts';
import { classIn, monthIn } from '../../walks/map/cell-code.ts';
import { monthName } from './map-facts.ts';
import type { MapSums } from './map-sums.ts';

/**
 * Returns the contents of a folder and below, by class and month as billing distinguishes them. The smallest billed size applies
 * to all objects of one folder, type, class and month together, since no sums exist per object. So the result is never too high,
 * and at most too low if the sizes of such objects differ much.
 */
export function mapHoldings(
  sums: MapSums,
  folder: string,
  filter: MapFilter,
  smallest: readonly SmallestSize[],
): Holding[] {
  const { cube } = sums;
  const number = cube.find(folder);
  if (number === -1) return [];
  const isBelow = cube.below(number);
  const test = sums.testOf(filter);
  const smallestOf = new Map(smallest.map(({ storageClass, bytes }) => [storageClass, bytes]));
  const smallestOfClass = cube.classes.map((name) => smallestOf.get(name) ?? 0);
  const found = new Map<number, { objects: number; sizeBytes: number; billedBytes: number }>();
  cube.eachCell((at, code, objects, sizeBytes) => {
    if (isBelow[at] !== 1 || (test !== null && !test(code))) return;
    const kind = (classIn(code) << 16) | monthIn(code);
    let sum = found.get(kind);
    if (sum === undefined) {
      sum = { objects: 0, sizeBytes: 0, billedBytes: 0 };
      found.set(kind, sum);
    }
    sum.objects += objects;
    sum.sizeBytes += sizeBytes;
    sum.billedBytes += Math.max(sizeBytes, objects * (smallestOfClass[classIn(code)] ?? 0));
  });
  return [...found].map(([kind, sum]) => ({
    storageClass: cube.classes[kind >>> 16] ?? '',
    month: monthName(kind & 0xffff),
    ...sum,
  }));
}
