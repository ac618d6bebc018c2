import { assertNever } from '../../../shared/assert-never.ts';
import type { WalkStatus } from '../../../shared/models/walks.ts';
import type { Column, ColumnOrder } from '../../ui/columns.ts';
import type { BucketItem } from '../../../shared/models/objects.ts';

export type BucketColumn = 'name' | 'objects' | 'size' | 'region' | 'created';
export type BucketSort = { readonly by: BucketColumn; readonly descending: boolean };

/** What a count of a whole bucket has found. */
export interface BucketTotals {
  readonly keys: number;
  readonly sizeBytes: number;
}

/** The columns of a connection's buckets. Where the window is narrow, the one of the highest rank is left out first. */
export const bucketColumns: readonly Column<BucketColumn>[] = [
  { id: 'name', widthPx: 160, share: 1, isFixed: true },
  { id: 'objects', widthPx: 96, align: 'end', firstDescending: true, rank: 3 },
  { id: 'size', widthPx: 96, align: 'end', firstDescending: true, rank: 2 },
  { id: 'region', widthPx: 132, rank: 4 },
  { id: 'created', widthPx: 176, firstDescending: true, rank: 1 },
];

/** The columns that have something to say: the service lists regions, or a bucket was counted. */
export function knownColumns(
  buckets: readonly BucketItem[],
  totals: ReadonlyMap<string, BucketTotals>,
): readonly Column<BucketColumn>[] {
  return bucketColumns.filter(
    ({ id }) =>
      id === 'name' || id === 'created' || buckets.some((bucket) => valueOf(bucket, id, totals) !== null),
  );
}

/** The order that was kept; by name where none was, or none that there is. */
export function keptBucketSort(order: ColumnOrder | null): BucketSort {
  const column = bucketColumns.find(({ id }) => id === order?.by);
  return order === null || column === undefined
    ? { by: 'name', descending: false }
    : { by: column.id, descending: order.descending };
}

/** Names by code point, as the services order them. */
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
      return totals.get(name)?.keys ?? null;
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

/** Buckets whose names hold the text, in the wished order; those of which it is not known come last either way. */
export function shownBuckets(
  buckets: readonly BucketItem[],
  text: string,
  sort: BucketSort,
  totals: ReadonlyMap<string, BucketTotals>,
): readonly BucketItem[] {
  const wanted = text.trim().toLocaleLowerCase();
  const fitting = buckets.filter((bucket) => bucket.name.toLocaleLowerCase().includes(wanted));
  const sign = sort.descending ? -1 : 1;
  return fitting.toSorted((a, b) => {
    const [left, right] = [valueOf(a, sort.by, totals), valueOf(b, sort.by, totals)];
    if (left === null || right === null)
      return Number(left === null) - Number(right === null) || byName(a, b);
    return left < right ? -sign : left > right ? sign : byName(a, b);
  });
}

/** The totals of the buckets that walks have counted from end to end; of several the newest. */
export function bucketTotals(
  walks: readonly WalkStatus[],
  connectionId: string,
): ReadonlyMap<string, BucketTotals> {
  const whole = walks.filter(
    (walk) =>
      walk.connectionId === connectionId &&
      walk.prefix === '' &&
      walk.query === null &&
      walk.state === 'done',
  );
  return new Map(whole.map(({ bucket, keys, sizeBytes }) => [bucket, { keys, sizeBytes }]));
}
