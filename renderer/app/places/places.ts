import { z } from 'zod/mini';
import { assertNever } from '../../../shared/assert-never.ts';
import { lastSegment, parentFolder } from '../../../shared/keys/paths.ts';
import type { Place } from '../../../shared/models/objects.ts';
import type { Destination } from '../../features/connections/index.ts';
import { emptySearchForm, searchFormSchema } from '../../features/search/index.ts';
import { dropPlace, localDropPlace } from '../../ui/drop/drop-place.ts';

const folderPlaceSchema = z.object({
  kind: z.literal('folder'),
  connectionId: z.string(),
  bucket: z.string(),
  /** '' or ending in `/`. */
  folder: z.string(),
  startsWith: z.string(),
});

/** A folder on this computer. The window does not know file paths, so the core gives it a handle for each folder on the way. */
export const localPlaceSchema = z.object({
  kind: z.literal('local'),
  /** The folders from a top-level folder down to this folder. Empty for the list of top-level folders. */
  trail: z.array(z.object({ handle: z.string(), name: z.string() })).check(z.maxLength(200)),
});

/** A place that a pane can show. */
export const windowPlaceSchema = z.discriminatedUnion('kind', [
  /** Shows the welcome page, since nothing is open yet. */
  z.object({ kind: z.literal('start') }),
  z.object({ kind: z.literal('connection'), connectionId: z.string() }),
  folderPlaceSchema,
  localPlaceSchema,
  /** The stalled uploads in a connection, in one bucket, or below one folder. */
  z.object({
    kind: z.literal('uploads'),
    connectionId: z.string(),
    bucket: z.nullable(z.string()),
    prefix: z.string(),
  }),
  /** A search below a prefix. Each search has a separate page with a form and results. */
  z.object({
    kind: z.literal('search'),
    /** Distinguishes searches in the same folder. */
    id: z.string(),
    connectionId: z.string(),
    bucket: z.string(),
    prefix: z.string(),
    form: searchFormSchema,
    /** The id of the walk (the listing) in the core, or null if the search has not started. */
    walkId: z.nullable(z.string()),
  }),
]);

export type WindowPlace = Readonly<z.infer<typeof windowPlaceSchema>>;
export type FolderWindowPlace = Extract<WindowPlace, { kind: 'folder' }>;
export type LocalWindowPlace = Extract<WindowPlace, { kind: 'local' }>;
export type SearchWindowPlace = Extract<WindowPlace, { kind: 'search' }>;

export const startPlace: WindowPlace = { kind: 'start' };
export const computerPlace: LocalWindowPlace = { kind: 'local', trail: [] };

/** Returns the connection of a location, or null. */
export function connectionOf(place: WindowPlace): string | null {
  return place.kind === 'start' || place.kind === 'local' ? null : place.connectionId;
}

/** Returns the bucket of a location, or null if it is not in a bucket. */
export function bucketOf(place: WindowPlace): Place | null {
  if (!('bucket' in place) || place.bucket === null) return null;
  const { connectionId, bucket } = place;
  return { connectionId, bucket };
}

type BucketWindowPlace = Extract<WindowPlace, { readonly bucket: string | null }>;

/** Returns the folder or prefix of a location in a bucket, without the start of names that is being typed. */
function prefixIn(place: BucketWindowPlace): string {
  return place.kind === 'folder' ? place.folder : place.prefix;
}

/** Returns the bucket and folder whose rows a location shows, or null. Search results are the rows of the searched folder. */
export function rowsPlace(place: WindowPlace): (Place & { readonly folder: string }) | null {
  if (place.kind !== 'folder' && place.kind !== 'search') return null;
  const { connectionId, bucket } = place;
  return { connectionId, bucket, folder: prefixIn(place) };
}

export function folderPlace(connectionId: string, bucket: string, prefix: string): FolderWindowPlace {
  const end = prefix.lastIndexOf('/') + 1;
  return {
    kind: 'folder',
    connectionId,
    bucket,
    folder: prefix.slice(0, end),
    startsWith: prefix.slice(end),
  };
}

export function placeFrom(destination: Destination): WindowPlace {
  const { connectionId } = destination;
  if (destination.bucket === null) return { kind: 'connection', connectionId };
  return folderPlace(connectionId, destination.bucket, destination.prefix);
}

export function isSameWindowPlace(a: WindowPlace, b: WindowPlace): boolean {
  return placeKey(a) === placeKey(b);
}

/** Returns a text that is equal only for equal locations. */
export function placeKey(place: WindowPlace): string {
  switch (place.kind) {
    case 'start':
      return JSON.stringify([place.kind]);
    case 'local':
      return JSON.stringify([place.kind, ...place.trail.map(({ handle }) => handle)]);
    case 'connection':
      return JSON.stringify([place.kind, place.connectionId]);
    case 'uploads':
      return JSON.stringify([place.kind, place.connectionId, place.bucket, place.prefix]);
    case 'search':
      return JSON.stringify([place.kind, place.id, place.walkId, place.prefix]);
    case 'folder':
      return JSON.stringify([place.kind, place.connectionId, place.bucket, place.folder, place.startsWith]);
    default:
      return assertNever(place);
  }
}

/** Returns the location one level up: the parent folder, then the connection's buckets. Null at the top. */
export function placeAbove(place: WindowPlace): WindowPlace | null {
  switch (place.kind) {
    case 'start':
    case 'connection':
      return null;
    case 'local':
      return place.trail.length === 0 ? null : { ...place, trail: place.trail.slice(0, -1) };
    case 'uploads':
      return place.bucket === null
        ? { kind: 'connection', connectionId: place.connectionId }
        : folderPlace(place.connectionId, place.bucket, place.prefix);
    case 'search':
      return folderPlace(place.connectionId, place.bucket, place.prefix);
    case 'folder': {
      if (place.startsWith !== '') return { ...place, startsWith: '' };
      const above = parentFolder(place.folder);
      return above === null
        ? { kind: 'connection', connectionId: place.connectionId }
        : { ...place, folder: above };
    }
    default:
      return assertNever(place);
  }
}

/**
 * Returns the location in which a new second pane starts. This is the same location, or the one above for uploads and searches,
 * since such a page can be open only once per tab.
 */
export function placeBeside(place: WindowPlace): WindowPlace {
  return place.kind === 'uploads' || place.kind === 'search' ? (placeAbove(place) ?? startPlace) : place;
}

/** Returns the name of a folder's tab: the folder's last segment, or the bucket. */
export function folderTitle(place: FolderWindowPlace): string {
  return place.folder === '' ? place.bucket : lastSegment(place.folder);
}

/** Returns the names of a location in a bucket or connection and of its ancestors, innermost first. */
export function namesAbove(
  place: BucketWindowPlace,
  connectionName: (connectionId: string) => string,
): readonly string[] {
  const connection = connectionName(place.connectionId);
  if (place.bucket === null) return [connection];
  return [...prefixIn(place).split('/').slice(0, -1).toReversed(), place.bucket, connection];
}

/** Returns the page of stalled uploads for the current location, or null if no connection is open. */
export function uploadsPlace(place: WindowPlace, connectionId: string | null): WindowPlace | null {
  if (place.kind === 'uploads') return place;
  const shownId = connectionOf(place) ?? connectionId;
  if (shownId === null) return null;
  const at = rowsPlace(place);
  return { kind: 'uploads', connectionId: shownId, bucket: at?.bucket ?? null, prefix: at?.folder ?? '' };
}

/** Returns a new search page for the current location, or the current search. Null if no bucket is open. */
export function searchPlace(place: WindowPlace, id: string): SearchWindowPlace | null {
  if (place.kind === 'search') return place;
  if (!('bucket' in place) || place.bucket === null) return null;
  const { connectionId, bucket } = place;
  return {
    kind: 'search',
    id,
    connectionId,
    bucket,
    prefix: prefixIn(place),
    form: emptySearchForm,
    walkId: null,
  };
}

/** Returns attributes that mark an element as a drop target for a location. Empty if rows cannot be dropped there. */
export function placeMark(place: WindowPlace): object {
  if (place.kind === 'folder') return dropPlace(place);
  const folder = place.kind === 'local' ? place.trail.at(-1) : undefined;
  return folder === undefined ? {} : localDropPlace(folder);
}

/** The folders opened last, the newest first. */
export const recentPlacesSchema = z.array(folderPlaceSchema).check(z.maxLength(100));

const maxRecent = 30;

/** Returns the list with this location first. Lists only folders; a prefix that is being typed counts as its folder. */
export function withRecent(
  recent: readonly FolderWindowPlace[],
  place: WindowPlace,
): readonly FolderWindowPlace[] {
  if (place.kind !== 'folder') return recent;
  const folder: FolderWindowPlace = { ...place, startsWith: '' };
  const [first] = recent;
  if (first !== undefined && isSameWindowPlace(first, folder)) return recent;
  return [folder, ...recent.filter((earlier) => !isSameWindowPlace(earlier, folder))].slice(0, maxRecent);
}
