import type { MapFacts, MapFilter, MapSum } from '../../../../shared/models/map.ts';
import type { ObjectEntry } from '../../../../shared/models/objects.ts';
import { monthIn, classIn, type KeyRow } from '../../walks/map/key-row.ts';
import type { CellTest } from '../../walks/map/folder-sums.ts';
import { maxLargest, maxOldest, Tops } from './tops.ts';
import { isoOf, type Grouping, type MapSums } from './map-sums.ts';
import type { CatalogueReader } from './catalogue-reader.ts';
import type { Holding, SmallestSize } from '../../../../shared/models/prices.ts';

/** The maximum number of rows in the list of the largest objects, and in that of the oldest. */
const shownRows = 100;
const noFilter: MapFilter = { kinds: null, storageClasses: null, ages: null };

/** Returns the totals over a folder and all folders below it. */
export function mapFacts(sums: MapSums, folder: string, filter: MapFilter): MapFacts {
  const { folderSums } = sums;
  const folderNumber = folderSums.find(folder);
  const isBelow =
    folderNumber === -1 ? new Uint8Array(folderSums.folderCount) : folderSums.below(folderNumber);
  const rolled = sums.rolled(filter);
  const test = sums.testOf(filter);
  const sumGroups = (grouping: Grouping, narrowed: MapFilter): MapSum[] => {
    const passes = sums.testOf(narrowed);
    const found = grouping.names.map((name) => ({ name, objects: 0, sizeBytes: 0 }));
    folderSums.eachPart((at, code, objects, sizeBytes) => {
      if (isBelow[at] !== 1 || (passes !== null && !passes(code))) return;
      const sum = found[grouping.ofCode(code)];
      if (sum === undefined) return;
      sum.objects += objects;
      sum.sizeBytes += sizeBytes;
    });
    return found.filter(({ objects }) => objects > 0);
  };
  const entries = (rows: readonly KeyRow[]): ObjectEntry[] =>
    rows
      .filter((row) => row.key.startsWith(folder) && (test === null || test(sums.codeOf(row))))
      .slice(0, shownRows)
      .map(entryOfRow);
  const { largest, oldest } = sums.tops.stored();
  const objects = rolled.objects[folderNumber] ?? 0;
  const placeholders = isBelow.reduce(
    (sum, flag, at) => sum + (flag === 1 && folderSums.hasMarker(at) ? 1 : 0),
    0,
  );
  /** Returns the length of a bucket-wide list if it may miss objects of this folder; null if it misses none. */
  const limitOf = (rows: readonly KeyRow[], maxRows: number, shown: readonly ObjectEntry[]): number | null =>
    rows.length < maxRows || shown.length >= Math.min(shownRows, objects - placeholders) ? null : maxRows;
  const largestInFolder = entries(largest);
  const oldestInFolder = entries(oldest);
  return {
    revision: folderSums.revision,
    objects,
    sizeBytes: rolled.sizeBytes[folderNumber] ?? 0,
    folders: Math.max(
      0,
      isBelow.reduce((sum, flag) => sum + flag, -1),
    ),
    // Each legend ignores the filter set by its entries, so that the other entries stay visible.
    byKind: sumGroups(sums.byKind, { ...filter, kinds: null }).toSorted(largerFirst),
    byStorageClass: sumGroups(sums.byClass(), { ...filter, storageClasses: null }).toSorted(largerFirst),
    byAge: sumGroups(sums.byAge, { ...filter, ages: null }),
    bySize: sumGroups(sums.bySize, filter),
    byOwner: sumGroups(sums.byOwner(), filter).toSorted(largerFirst),
    byMonth: monthsOf(sums, isBelow, test),
    largest: largestInFolder,
    oldest: oldestInFolder,
    largestOf: limitOf(largest, maxLargest, largestInFolder),
    oldestOf: limitOf(oldest, maxOldest, oldestInFolder),
    emptyFolders: emptyFolders(sums, isBelow),
  };
}

function entryOfRow({ key, sizeBytes, modifiedS, storageClass }: KeyRow): ObjectEntry {
  return { key, sizeBytes, lastModified: isoOf(modifiedS), etag: null, storageClass };
}

const largerFirst = (left: MapSum, right: MapSum): number => right.sizeBytes - left.sizeBytes;

function monthsOf({ folderSums }: MapSums, isBelow: Uint8Array, test: CellTest | null): MapSum[] {
  const found = new Map<number, { objects: number; sizeBytes: number }>();
  folderSums.eachPart((at, code, objects, sizeBytes) => {
    if (isBelow[at] !== 1 || (test !== null && !test(code))) return;
    const month = monthIn(code);
    const sum = found.get(month) ?? { objects: 0, sizeBytes: 0 };
    sum.objects += objects;
    sum.sizeBytes += sizeBytes;
    found.set(month, sum);
  });
  return [...found]
    .toSorted(([left], [right]) => left - right)
    .map(([month, sum]) => ({ name: monthName(month), ...sum }));
}

/** Returns a name such as `2026-01`; '' if the month is unknown. */
function monthName(month: number): string {
  if (month === 0) return '';
  const year = 1970 + Math.floor((month - 1) / 12);
  return `${String(year)}-${String(((month - 1) % 12) + 1).padStart(2, '0')}`;
}

function emptyFolders(sums: MapSums, isBelow: Uint8Array): MapFacts['emptyFolders'] {
  const { folderSums } = sums;
  const { objects } = sums.rolled(noFilter);
  const examples: string[] = [];
  let total = 0;
  for (let folder = 0; folder < folderSums.folderCount; folder += 1) {
    if (isBelow[folder] !== 1 || !folderSums.hasMarker(folder) || objects[folder] !== 1) continue;
    total += 1;
    if (examples.length < shownRows) examples.push(folderSums.pathOf(folder));
  }
  return { total, examples };
}

/** The maximum number of objects to read, which takes about a second. */
const maxReadObjects = 2_000_000;

/** Returns the largest and the oldest objects of a folder by reading all its rows; null if the folder has too many rows. */
export async function folderTops(
  reader: CatalogueReader,
  sums: MapSums,
  folder: string,
  filter: MapFilter,
  yieldTurn: () => Promise<void>,
): Promise<Pick<MapFacts, 'largest' | 'oldest'> | null> {
  const blocks = reader.blocksOf(folder);
  if (blocks.reduce((sum, { objects }) => sum + objects, 0) > maxReadObjects) return null;
  const test = sums.testOf(filter);
  const tops = new Tops(
    undefined,
    { largest: shownRows, oldest: shownRows },
    (row) => row.key.startsWith(folder) && (test === null || test(sums.codeOf(row))),
  );
  for (const facts of blocks) {
    tops.add(reader.block(facts));
    await yieldTurn();
  }
  const { largest, oldest } = tops.stored();
  return { largest: largest.map(entryOfRow), oldest: oldest.map(entryOfRow) };
}

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
  const { folderSums } = sums;
  const folderNumber = folderSums.find(folder);
  if (folderNumber === -1) return [];
  const isBelow = folderSums.below(folderNumber);
  const test = sums.testOf(filter);
  const smallestOf = new Map(smallest.map(({ storageClass, bytes }) => [storageClass, bytes]));
  const smallestOfClass = folderSums.classes.map((name) => smallestOf.get(name) ?? 0);
  const found = new Map<number, { objects: number; sizeBytes: number; billedBytes: number }>();
  folderSums.eachCell((at, code, objects, sizeBytes) => {
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
    storageClass: folderSums.classes[kind >>> 16] ?? '',
    month: monthName(kind & 0xffff),
    ...sum,
  }));
}
