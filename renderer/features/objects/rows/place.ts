/** The folder a page shows. */
export interface FolderPlace {
  readonly connectionId: string;
  readonly bucket: string;
  /** '' for the bucket's top level, otherwise it ends in `/`. */
  readonly folder: string;
  /** A prefix that names have to start with; '' for all. */
  readonly startsWith: string;
}

export function prefixOf(place: FolderPlace): string {
  return place.folder + place.startsWith;
}

/** Two lists may show the same folder side by side; each has separate rows, filter and selection. */
export type ListNumber = 1 | 2;

/** Returns a unique id of a place. NUL is a safe separator: bucket names have none, and the prefix is last. */
export function placeId(place: FolderPlace, list: ListNumber = 1): string {
  return [place.connectionId, place.bucket, String(list), prefixOf(place)].join('\0');
}

/** Returns the prefix of the ids of all places in a bucket. */
export function bucketId(connectionId: string, bucket: string): string {
  return [connectionId, bucket, ''].join('\0');
}

/** Returns the listing that a place's id identifies; null if it is not a bucket's. */
export function listingOf(
  id: string,
): { readonly connectionId: string; readonly bucket: string; readonly prefix: string } | null {
  const [connectionId, bucket, list, prefix, ...others] = id.split('\0');
  if (connectionId === undefined || bucket === undefined || prefix === undefined) return null;
  return (list === '1' || list === '2') && others.length === 0 ? { connectionId, bucket, prefix } : null;
}
