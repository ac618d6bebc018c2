import type { TFunction } from 'i18next';
import type { ObjectRef } from '../../../shared/models/objects.ts';
import type { DownloadItem } from '../../../shared/models/transfers.ts';
import { type FolderRow, rowsToPrice } from '../../features/objects/index.ts';
import type { Chosen } from '../../features/operations/index.ts';
import type { questionOf } from '../../features/prices/may-download.tsx';
import type { ChosenResults } from '../../features/search/index.ts';
import { rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import type { ChosenToPrice, FoundToPrice } from '../../rpc/use-prices.ts';

interface Place {
  readonly connectionId: string;
  readonly bucket: string;
  readonly folder: string;
}

type BucketPlace = Omit<Place, 'folder'>;

/** Returns the search results whose download is to be priced. */
function foundToPrice(
  { connectionId, bucket }: Omit<Place, 'folder'>,
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

/** Returns the object or version whose download is to be priced. Asks the service for its size and storage class. */
async function objectToPrice(ref: ObjectRef): Promise<ChosenToPrice> {
  const { sizeBytes, storageClass, lastModified } = await rpc.objects.details(ref);
  const modifiedMs = lastModified === null ? Number.NaN : Date.parse(lastModified);
  const { connectionId, bucket } = ref;
  return { connectionId, bucket, prefixes: [], objects: [{ sizeBytes, storageClass, modifiedMs }] };
}

type LookUp = Parameters<typeof questionOf>[1];

/**
 * Starts a download, after a question if it costs more than the settings permit. `lookUp` returns what is downloaded. With null
 * this is unknown, so no question is asked. Shows errors as notices.
 */
function beginPriced(place: BucketPlace, lookUp: LookUp | null, begin: () => void, t: TFunction): void {
  if (lookUp === null) {
    begin();
    return;
  }
  sayingFailure(async () => {
    if (await isAgreed(place, lookUp, t)) begin();
  });
}

/** Starts the download of one object or version, after a question if it is expensive. */
export function beginPricedObject(ref: ObjectRef, begin: () => void, t: TFunction): void {
  beginPriced(ref, async () => await objectToPrice(ref), begin, t);
}

/** Starts the download of search results, after a question if it is expensive. */
export function beginPricedResults(
  place: Omit<Place, 'folder'>,
  chosen: ChosenResults,
  begin: () => void,
  t: TFunction,
): void {
  beginPriced(place, () => foundToPrice(place, chosen), begin, t);
}

/** Starts the download of a folder's rows, after a question if it is expensive. */
export function beginPricedRows(
  place: Place,
  rows: readonly Chosen[],
  begin: () => void,
  t: TFunction,
): void {
  const of = rowsToPrice(place, rows);
  beginPriced(place, of === null ? null : () => of, begin, t);
}

/** Returns true if the download may start, because the user agreed, no question is needed, or the price lookup failed. */
async function isAgreed(place: BucketPlace, lookUp: LookUp, t: TFunction): Promise<boolean> {
  const { mayDownload, questionOf } = await import('../../features/prices/may-download.tsx');
  let question: Awaited<ReturnType<typeof questionOf>>;
  try {
    question = await questionOf(place, lookUp, t);
  } catch {
    return true;
  }
  return question === null || (await mayDownload(question, t));
}

/** Converts rows to the items that the core downloads. */
export function downloadItemsOf(rows: readonly Pick<FolderRow, 'kind' | 'key'>[]): DownloadItem[] {
  return rows.map(({ kind, key }) =>
    kind === 'folder' ? { kind: 'prefix', prefix: key } : { kind: 'key', key },
  );
}

/** Returns the core's handles for these local files. Rows without a handle are left out. */
export function handlesOf(rows: readonly FolderRow[]): readonly string[] {
  return rows.flatMap(({ handle }) => handle ?? []);
}
