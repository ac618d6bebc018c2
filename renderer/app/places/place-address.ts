import { folderPlace, type WindowPlace } from './places.ts';

/** How a place begins in the fragment of the window's address. A code for a session never does (`codeOfFragment`). */
const start = '#/';

/**
 * Returns the fragment that names a place: `#/connection/bucket/folder/`. '' for places that an address cannot bring back, and for
 * names that have no UTF-8 form.
 */
export function fragmentOf(place: WindowPlace): string {
  switch (place.kind) {
    case 'connection':
      return printed([place.connectionId]);
    case 'folder':
      return printed([place.connectionId, place.bucket, ...(place.folder + place.startsWith).split('/')]);
    case 'start':
    case 'local':
    case 'uploads':
    case 'search':
      return '';
    default:
      return place satisfies never;
  }
}

function printed(segments: readonly string[]): string {
  if (!segments.every((segment) => segment.isWellFormed())) return '';
  return start + segments.map(encodeURIComponent).join('/');
}

/** Returns the place that a fragment names; null if it names none. */
export function placeOfFragment(fragment: string): WindowPlace | null {
  if (!fragment.startsWith(start)) return null;
  const segments = fragment.slice(start.length).split('/').map(decoded);
  const [connectionId = null, bucket, ...prefix] = segments;
  if (connectionId === null || connectionId === '' || segments.includes(null)) return null;
  if (bucket === undefined || bucket === null || bucket === '')
    return segments.length === 1 ? { kind: 'connection', connectionId } : null;
  return folderPlace(connectionId, bucket, prefix.join('/'));
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
