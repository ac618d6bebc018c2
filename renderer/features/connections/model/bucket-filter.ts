import { assertNever } from '../../../../shared/assert-never.ts';
import type { WalkStatus } from '../../../../shared/models/walks.ts';
import type { Column, ColumnOrder } from '../../../ui/table/columns.ts';
import type { BucketItem } from '../../../../shared/models/objects.ts';

export type BucketColumn = 'name' | 'objects' | 'size' | 'region' | 'created';
export type BucketSort = { readonly by: BucketColumn; readonly descending: boolean };

/** The result of counting a whole bucket. */
export interface BucketTotals {
  readonly objects: number;
  readonly sizeBytes: number;
  /** The time of the count; ISO 8601. */
  readonly takenAt: string;
}

/** The columns for a connection's buckets. In a narrow window, the column with the highest rank is hidden first. */
export const bucketColumns: readonly Column<BucketColumn>[] = [
  { id: 'name', widthPx: 160, share: 1, isFixed: true },
  { id: 'objects', widthPx: 96, align: 'end', firstDescending: true, rank: 3 },
  { id: 'size', widthPx: 96, align: 'end', firstDescending: true, rank: 2 },
  { id: 'region', widthPx: 132, rank: 4 },
  { id: 'created', widthPx: 176, firstDescending: true, rank: 1 },
];

/** Returns the columns that have values. Regions depend on the service, and totals on a count of a bucket. */
export function knownColumns(
  buckets: readonly BucketItem[],
  totals: ReadonlyMap<string, BucketTotals>,
): readonly Column<BucketColumn>[] {
  return bucketColumns.filter(
    ({ id }) =>
      id === 'name' || id === 'created' || buckets.some((bucket) => valueOf(bucket, id, totals) !== null),
  );
}

/** Returns the stored order, or the order by name if the stored order is missing or unknown. */
export function toBucketSort(order: ColumnOrder | null): BucketSort {
  const column = bucketColumns.find(({ id }) => id === order?.by);
  return order === null || column === undefined
    ? { by: 'name', descending: false }
    : { by: column.id, descending: order.descending };
}

/** Compares names by code point, which is the order of the services. */
function byName(a: BucketItem, b: BucketItem): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function valueOf(
  { name, region, createdAt }: BucketItem,
  by: BucketColumn,
  totals: ReadonlyMap<string, BucketTotals>,
): number | string | null {
  switch (by) {
    case 'name':
      return name;
    case 'objects':
      return totals.get(name)?.objects ?? null;
    case 'size':
      return totals.get(name)?.sizeBytes ?? null;
    case 'region':
      return region;
    case 'created':
      return createdAt === null ? null : Date.parse(createdAt);
    default:
      return assertNever(by);
  }
}

/** Returns buckets whose names contain the text, in the given order. Unknown values come last in both directions. */
export function shownBuckets(
  buckets: readonly BucketItem[],
  text: string,
  sort: BucketSort,
  totals: ReadonlyMap<string, BucketTotals>,
): readonly BucketItem[] {
  const filterText = text.trim().toLocaleLowerCase();
  const fitting = buckets.filter((bucket) => bucket.name.toLocaleLowerCase().includes(filterText));
  const sign = sort.descending ? -1 : 1;
  return fitting.toSorted((a, b) => {
    const [left, right] = [valueOf(a, sort.by, totals), valueOf(b, sort.by, totals)];
    if (left === null || right === null)
      return Number(left === null) - Number(right === null) || byName(a, b);
    return left < right ? -sign : left > right ? sign : byName(a, b);
  });
}

/**
 * Returns the totals of completely counted buckets by name. Listings since the start and maps provide counts; the newest count
 * wins.
 */
export function bucketTotals(
  walks: readonly WalkStatus[],
  counted: readonly (BucketTotals & { readonly bucket: string })[],
  connectionId: string,
): ReadonlyMap<string, BucketTotals> {
  const known = new Map<string, BucketTotals>();
  const learn = (bucket: string, totals: BucketTotals): void => {
    const before = known.get(bucket);
    if (before === undefined || before.takenAt <= totals.takenAt) known.set(bucket, totals);
  };
  for (const { bucket, objects, sizeBytes, takenAt } of counted)
    learn(bucket, { objects, sizeBytes, takenAt });
  for (const walk of walks) {
    const isWhole = walk.prefix === '' && walk.query === null && walk.state === 'done';
    if (walk.connectionId !== connectionId || !isWhole) continue;
    const { keys: objects, sizeBytes, startedAt, takenAt } = walk;
    learn(walk.bucket, { objects, sizeBytes, takenAt: takenAt ?? startedAt });
  }
  return known;
}
