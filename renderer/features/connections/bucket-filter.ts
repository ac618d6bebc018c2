import type { BucketItem } from '../../../shared/models/objects.ts';

export type BucketSort = { readonly by: 'name' | 'created'; readonly descending: boolean };

/** Names by code point, as the services order them. */
function byName(a: BucketItem, b: BucketItem): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** Buckets whose names hold the text, in the wished order; those without a date come last either way. */
export function shownBuckets(
  buckets: readonly BucketItem[],
  text: string,
  sort: BucketSort,
): readonly BucketItem[] {
  const wanted = text.trim().toLocaleLowerCase();
  const fitting = buckets.filter((bucket) => bucket.name.toLocaleLowerCase().includes(wanted));
  const sign = sort.descending ? -1 : 1;
  return fitting.toSorted((a, b) => {
    if (sort.by === 'name') return sign * byName(a, b);
    if (a.createdAt === null || b.createdAt === null) {
      return Number(a.createdAt === null) - Number(b.createdAt === null) || byName(a, b);
    }
    return sign * (Date.parse(a.createdAt) - Date.parse(b.createdAt)) || byName(a, b);
  });
}
