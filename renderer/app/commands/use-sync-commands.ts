import type { RefObject } from 'react';
import type { SyncDirection } from '../../../shared/models/sync.ts';
import type { FolderHandle } from '../../features/objects/index.ts';
import { openSync } from '../../features/sync/index.ts';
import type { Commands } from './window-commands.ts';
import type { WindowPlace } from '../places/places.ts';

interface Needs {
  readonly place: WindowPlace;
  readonly folder: RefObject<FolderHandle | null>;
}

/** Returns the sync commands for the visible folder, or for a folder if only this folder is selected. */
export function useSyncCommands({ place, folder }: Needs): Pick<Commands, 'syncUp' | 'syncDown'> {
  const open = (direction: SyncDirection): void => {
    if (place.kind !== 'folder') return;
    const [first, ...others] = folder.current?.selected() ?? [];
    const prefix = first?.kind === 'folder' && others.length === 0 ? first.key : place.folder;
    openSync({ place: { connectionId: place.connectionId, bucket: place.bucket, prefix }, direction });
  };
  return { syncUp: () => open('up'), syncDown: () => open('down') };
}
