import type { TFunction } from 'i18next';
import type { Place } from '../../../shared/models/objects.ts';
import type { DownloadItem } from '../../../shared/models/transfers.ts';
import { type FolderRow, rowsToPrice } from '../../features/objects/index.ts';
import { itemOf, type Chosen, type OperationPlace } from '../../features/operations/index.ts';
import type { ChosenResults } from '../../features/search/index.ts';
import { beginPriced } from '../../features/transfers/index.ts';
import type { ChosenToPrice, FoundToPrice } from '../../rpc/use-prices.ts';

/** Returns the search results whose download is to be priced. */
function foundToPrice(
  { connectionId, bucket }: Place,
  { walkId, entries }: ChosenResults,
): ChosenToPrice | FoundToPrice {
  if (entries === null) return { connectionId, walkId };
  const objects = entries.map(({ sizeBytes, storageClass, lastModified }) => ({
    sizeBytes,
    storageClass,
    modifiedMs: lastModified === null ? Number.NaN : Date.parse(lastModified),
  }));
  return { connectionId, bucket, prefixes: [], objects };
}

/** Starts the download of search results, after a question if it is expensive. */
export function beginPricedResults(
  place: Place,
  chosen: ChosenResults,
  begin: () => void,
  t: TFunction,
): void {
  beginPriced(place, () => foundToPrice(place, chosen), begin, t);
}

/** Starts the download of a folder's rows, after a question if it is expensive. */
export function beginPricedRows(
  place: OperationPlace,
  rows: readonly Chosen[],
  begin: () => void,
  t: TFunction,
): void {
  const of = rowsToPrice(place, rows);
  beginPriced(place, of === null ? null : () => of, begin, t);
}

/** Converts rows to the items that the core downloads. */
export function downloadItemsOf(rows: readonly Pick<FolderRow, 'kind' | 'key'>[]): DownloadItem[] {
  return rows.map((row) => itemOf(row));
}

/** Returns the core's handles for these local files. Rows without a handle are left out. */
export function handlesOf(rows: readonly FolderRow[]): readonly string[] {
  return rows.flatMap(({ handle }) => handle ?? []);
}
