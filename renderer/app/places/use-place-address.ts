import { useEffect, useState } from 'react';
import { desktopBridge } from '../../rpc/message-port.ts';
import { useStable } from '../../ui/use-stable.ts';
import { fragmentOf, placeOfFragment } from './place-address.ts';
import type { WindowPlace } from './places.ts';

/**
 * Keeps the current place in the fragment of the browser's address, and opens the place that a bookmark or a reload brings. The
 * fragment never reaches a server. The desktop window has no address.
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
      // Compared as printed: the window writes the fragment of the place that it shows.
      if (named !== null && fragmentOf(named) !== fragmentOf(place)) onGo(named);
    },
  });
  useEffect(() => {
    if (isRestored && first !== null) stable.open(fragmentOf(first));
  }, [isRestored, first, stable]);
  useEffect(() => {
    if (!isBrowser) return undefined;
    const follow = (): void => {
      stable.open(location.hash);
    };
    window.addEventListener('hashchange', follow);
    return () => {
      window.removeEventListener('hashchange', follow);
    };
  }, [isBrowser, stable]);
  const fragment = fragmentOf(place);
  useEffect(() => {
    // The start is shown while the tabs are being restored.
    if (!isBrowser || !isRestored || location.hash === fragment) return;
    history.replaceState(history.state, '', `${location.pathname}${location.search}${fragment}`);
  }, [isBrowser, isRestored, fragment]);
}
