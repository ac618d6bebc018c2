import type { FolderRest } from '../../../../shared/models/objects.ts';
import { rpc } from '../../../rpc/client.ts';
import { placeId, prefixOf, type FolderPlace, type ListNumber } from '../rows/place.ts';
import { folderRowsOfPage, type RowsPage } from '../rows/row.ts';

/** The source of a list's rows: a folder in a bucket, or on this computer. */
export interface FolderSource {
  /** The id of the folder in the list that shows it. */
  readonly id: string;
  /** The prefix of every key. */
  readonly folder: string;
  readonly page: (pageToken: string | null, signal: AbortSignal) => Promise<RowsPage>;
  /** Loads everything after a page token, in pieces. Null if one page is the whole list. */
  readonly rest: ((pageToken: string, signal: AbortSignal) => Promise<AsyncIterable<FolderRest>>) | null;
}

/** A folder of a bucket. */
export function bucketSource(place: FolderPlace, list: ListNumber): FolderSource {
  const { connectionId, bucket, folder } = place;
  const prefix = prefixOf(place);
  return {
    id: placeId(place, list),
    folder,
    page: async (pageToken, signal) => {
      const input = { connectionId, bucket, prefix, delimiter: '/' as const, pageToken };
      // Measures the age of the rows from the request, since the service does not say when it read them.
      const askedAtMs = Date.now();
      return folderRowsOfPage(await rpc.objects.list(input, { signal }), askedAtMs);
    },
    rest: async (pageToken, signal) =>
      await rpc.objects.rest({ connectionId, bucket, prefix, pageToken }, { signal }),
  };
}
