import { useState, type RefObject } from 'react';
import type { FolderHandle, FolderRow } from '../../features/objects/index.ts';
import { useStable } from '../../ui/use-stable.ts';
import type { OverlayServices } from '../commands/overlay-store.ts';
import type { Commands } from '../commands/window-commands.ts';
import { folderPlace, type WindowPlace } from '../places/places.ts';

interface OverlayNeeds {
  readonly place: WindowPlace;
  readonly folder: RefObject<FolderHandle | null>;
  readonly go: (place: WindowPlace) => void;
  readonly searches: {
    readonly lookAt: OverlayServices['onObject'];
    readonly searchBucket: OverlayServices['onSearch'];
  };
  /** The commands. Pass the same object on every render. */
  readonly commands: Commands;
}

/** Returns the palette's actions. The object never changes. */
export function useOverlayServices(needs: OverlayNeeds): OverlayServices {
  const { place, folder, go, searches, commands } = needs;
  const chosen = useStable({
    loadedRows: () => folder.current?.loaded() ?? [],
    onRow: ({ kind, key }: FolderRow) => {
      if (place.kind !== 'folder') return;
      if (kind === 'folder') go(folderPlace(place.connectionId, place.bucket, key));
      else folder.current?.select(kind, key, true);
    },
    onGo: go,
    onObject: searches.lookAt,
    onSearch: searches.searchBucket,
  });
  const [services] = useState(() => ({ ...chosen, commands }));
  return services;
}
