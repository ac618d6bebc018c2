/** The folder a page shows. */
export interface FolderPlace {
  readonly connectionId: string;
  readonly bucket: string;
  /** The folder: '' for the bucket's top level, otherwise with a trailing `/`. */
  readonly folder: string;
  /** A prefix that limits the listed names, or '' for all names. */
  readonly startsWith: string;
}

export function prefixOf(place: FolderPlace): string {
  return place.folder + place.startsWith;
}

/** The number of a list. Two lists may show the same folder side by side; each has its own rows, filter and selection. */
export type ListNumber = 1 | 2;

/** Returns a unique id for a location. NUL is a safe separator, since bucket names have none and the prefix is last. */
export function placeId(place: FolderPlace, list: ListNumber = 1): string {
  return [place.connectionId, place.bucket, String(list), prefixOf(place)].join('\0');
}

/** Returns the prefix that the ids of all locations in a bucket share. */
export function bucketId(connectionId: string, bucket: string): string {
  return [connectionId, bucket, ''].join('\0');
}

/** Returns the bucket and prefix that a location's id identifies, or null if it is not in a bucket. */
export function listingOf(
  id: string,
): { readonly connectionId: string; readonly bucket: string; readonly prefix: string } | null {
  const [connectionId, bucket, list, prefix, ...others] = id.split('\0');
  if (connectionId === undefined || bucket === undefined || prefix === undefined) return null;
  return (list === '1' || list === '2') && others.length === 0 ? { connectionId, bucket, prefix } : null;
}
