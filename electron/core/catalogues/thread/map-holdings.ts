import type { MapFilter } from '../../../../shared/models/map.ts';
import type { Holding, SmallestSize } from '../../../../shared/models/prices.ts';
import { classIn, monthIn } from '../../walks/map/cell-code.ts';
import { monthName } from './map-facts.ts';
import type { MapSums } from './map-sums.ts';

/**
 * Returns the objects of a folder and its subfolders, grouped by storage class and month for estimating their price. Sums contain
 * no single sizes, so the minimum billed size is applied to the total of each cell. The result may be too low, but never too
 * high.
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
