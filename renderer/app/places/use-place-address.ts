import { useEffect, useState } from 'react';
import { desktopBridge } from '../../rpc/message-port.ts';
import { useStable } from '../../ui/use-stable.ts';
import { type WindowPlace, folderPlace } from './places.ts';

/**
 * The start of a fragment that names a location. A fragment with a sign-in code never starts like this (see `codeOfFragment`).
 */
const start = '#/';

/**
 * Returns the fragment for a location: `#/connection/bucket/folder/`. Returns '' for locations that cannot be reopened from an
 * address, and for names that cannot be encoded as UTF-8.
 */
export function fragmentOf(place: WindowPlace): string {
  if (place.kind === 'connection') return printed([place.connectionId]);
  if (place.kind !== 'folder') return '';
  return printed([place.connectionId, place.bucket, ...(place.folder + place.startsWith).split('/')]);
}

function printed(segments: readonly string[]): string {
  if (!segments.every((segment) => segment.isWellFormed())) return '';
  return start + segments.map(encodeURIComponent).join('/');
}

/** Returns the location that a fragment names, or null. */
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

/**
 * Keeps the current location in the fragment of the browser's address. After a reload, or from a browser bookmark, opens the
 * location in the fragment. A fragment never reaches a server. The desktop window shows no address.
 */
export function usePlaceAddress(
  place: WindowPlace,
  isRestored: boolean,
  onGo: (place: WindowPlace) => void,
): void {
  const isBrowser = desktopBridge() === null;
  const [first] = useState(() => (isBrowser ? placeOfFragment(location.hash) : null));
  const stable = useStable({
    open: (fragment: string) => {
      const named = placeOfFragment(fragment);
      // Ignores the fragment that this hook has written for the visible location.
      if (named !== null && fragmentOf(named) !== fragmentOf(place)) onGo(named);
    },
  });
  useEffect(() => {
    if (isRestored && first !== null) stable.open(fragmentOf(first));
  }, [isRestored, first, stable]);
  useEffect(() => {
    if (!isBrowser) return undefined;
    const follow = (): void => stable.open(location.hash);
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [isBrowser, stable]);
  const fragment = fragmentOf(place);
  useEffect(() => {
    // Until the tabs are restored the start page is shown, which would erase the fragment.
    if (!isBrowser || !isRestored || location.hash === fragment) return;
    history.replaceState(history.state, '', `${location.pathname}${location.search}${fragment}`);
  }, [isBrowser, isRestored, fragment]);
}
