import type { LinkedPlace } from '../../features/s3-links/index.ts';
import { rpc } from '../../rpc/client.ts';
import { useStable } from '../../ui/use-stable.ts';
import { findPlace } from '../path/open-address.ts';
import type { NavigationAction } from '../places/navigation.ts';
import type { WindowPlace } from '../places/places.ts';

interface LinkNeeds {
  readonly place: WindowPlace;
  readonly go: (place: WindowPlace) => void;
  readonly dispatch: (action: NavigationAction) => void;
}

/** Returns a function that opens the location in a link. It uses a new tab, unless the window shows its start page. */
export function useOpenLinked({ place, go, dispatch }: LinkNeeds): (linked: LinkedPlace) => Promise<void> {
  const { openLinked } = useStable({
    openLinked: async ({ connectionId, bucket, prefix }: LinkedPlace) => {
      const linked = await findPlace(rpc, connectionId, { bucket, prefix });
      if (place.kind === 'start') go(linked);
      else dispatch({ kind: 'open-tab', place: linked });
    },
  });
  return openLinked;
}
