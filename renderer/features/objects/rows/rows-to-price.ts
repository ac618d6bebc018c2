import type { BilledObject } from '../../../../shared/pricing/holdings.ts';
import type { ChosenToPrice } from '../../../rpc/use-prices.ts';
import type { FolderPlace } from './place.ts';
import type { Chosen } from '../../operations/index.ts';

/**
 * Returns the objects and folders whose download is to be priced: these rows, or the whole folder without rows. Returns null if
 * the storage class of an object is unknown.
 */
export function rowsToPrice(
  { connectionId, bucket, folder }: Pick<FolderPlace, 'connectionId' | 'bucket' | 'folder'>,
  rows: readonly Chosen[],
): ChosenToPrice | null {
  const objects: BilledObject[] = [];
  for (const { kind, sizeBytes, storageClass, modifiedMs } of rows) {
    if (kind !== 'object') continue;
    if (storageClass === undefined) return null;
    objects.push({ sizeBytes, storageClass, modifiedMs: modifiedMs ?? Number.NaN });
  }
  const folders = rows.filter(({ kind }) => kind === 'folder').map(({ key }) => key);
  return {
    connectionId,
    bucket,
    prefixes: rows.length === 0 ? [folder] : folders,
    objects,
  };
}
