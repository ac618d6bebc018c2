import { useQuery } from '@tanstack/react-query';
import { Archive, Bookmark, File, Folder, History, Server, type LucideIcon } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { commandTable, type CommandId } from '../../../shared/commands.ts';
import { formatAddress } from '../../../shared/keys/address.ts';
import { useBookmarks } from '../../features/bookmarks/index.ts';
import {
  openConnectionDialog,
  startOf,
  useBucketStates,
  useConnectionName,
  useConnections,
} from '../../features/connections/index.ts';
import { rowName, type FolderRow } from '../../features/objects/index.ts';
import { useSettings } from '../../features/settings/index.ts';
import { orpc } from '../../rpc/client.ts';
import { keysOf } from '../../ui/keyboard/commands.ts';
import { offeredCommands, type Commands } from '../commands/window-commands.ts';
import { folderPlace, placeFrom, placeKey, isSameWindowPlace, type WindowPlace } from '../places/places.ts';
import { useRecentPlaces } from './use-recent-places.ts';
import { undoLabel } from '../services/use-undo.tsx';
import type { Named } from './palette-match.ts';

export interface PaletteEntry extends Named {
  readonly id: string;
  readonly keys?: string | undefined;
  readonly icon?: LucideIcon;
  readonly run: () => void;
}

export interface PaletteGroup {
  readonly name: string;
  readonly entries: readonly PaletteEntry[];
}

/** Returns all available commands as entries. */
export function useCommandEntries(
  commands: Commands,
  isFolder: boolean,
  onGo: (place: WindowPlace) => void,
): PaletteGroup {
  const { t } = useTranslation();
  const { settings, update } = useSettings();
  const undo = useQuery(orpc.operations.undoState.queryOptions({ staleTime: 0 })).data;
  /** Returns the label of the operation that undo or redo would affect. */
  const undoable = (id: CommandId): string | null => {
    const entry = id === 'undo' || id === 'redo' ? (undo?.[id] ?? null) : null;
    return entry === null ? null : undoLabel(id === 'redo' ? 'redo' : 'undo', entry, t);
  };
  const themes = (['light', 'dark', 'auto'] as const).filter((theme) => theme !== settings.theme);
  const entries: readonly PaletteEntry[] = [
    ...offeredCommands(isFolder).map((id) => ({
      id,
      label: undoable(id) ?? t(commandTable[id].message),
      keys: keysOf(id),
      run: commands[id],
    })),
    {
      id: 'new-connection',
      label: t('common.palette.newConnection'),
      run: () => {
        openConnectionDialog({
          mode: 'create',
          onSaved: (connection) => onGo(placeFrom(startOf(connection))),
        });
      },
    },
    {
      id: 'sample-programs',
      label: t('connections.programs.palette'),
      run: () => {
        openConnectionDialog({ mode: 'programs' });
      },
    },
    ...themes.map((theme) => ({
      id: `theme-${theme}`,
      label: t(`common.palette.${theme}`),
      run: () => {
        update({ theme });
      },
    })),
    {
      id: 'folders-first',
      label: t(settings.foldersFirst ? 'common.palette.foldersMixed' : 'common.palette.foldersFirst'),
      run: () => {
        update({ foldersFirst: !settings.foldersFirst });
      },
    },
  ];
  return { name: t('common.palette.groups.commands'), entries };
}

/**
 * Returns connections, their buckets, bookmarks and recent folders, except the current place. A connection that does not respond
 * contributes no buckets.
 */
export function usePlaceEntries(
  shown: WindowPlace,
  onGo: (place: WindowPlace) => void,
): {
  readonly groups: readonly PaletteGroup[];
  /** True once all entries have loaded. */ readonly isWhole: boolean;
} {
  const { t } = useTranslation();
  const nameOf = useConnectionName();
  const { data: connections = [], isPending: areConnectionsPending } = useConnections();
  const { data: bookmarks = [], isPending: areBookmarksPending } = useBookmarks();
  const { value: recentPlaces, isSettled: areRecentSettled } = useRecentPlaces();
  const lists = useBucketStates(connections.map(({ id }) => id));
  const names = new Map(connections.map((connection) => [connection.id, nameOf(connection)]));
  const ofConnections = connections.map((connection) => ({
    id: `connection:${connection.id}`,
    label: nameOf(connection),
    icon: Server,
    run: () => {
      onGo(placeFrom(startOf(connection)));
    },
  }));
  const recent = recentPlaces.flatMap((place): PaletteEntry[] => {
    const connection = names.get(place.connectionId);
    if (
      connection === undefined ||
      (shown.kind === 'folder' && isSameWindowPlace(place, { ...shown, startsWith: '' }))
    )
      return [];
    const label = formatAddress({ bucket: place.bucket, prefix: place.folder });
    const run = (): void => onGo(place);
    return [{ id: `recent:${placeKey(place)}`, label, detail: connection, icon: History, run }];
  });
  const buckets = connections.flatMap((connection) => {
    const state = lists.get(connection.id);
    return (state?.kind === 'known' ? state.buckets : []).map(({ name, startPrefix }) => ({
      id: `bucket:${connection.id}:${name}`,
      label: startPrefix === '' ? name : formatAddress({ bucket: name, prefix: startPrefix }),
      detail: nameOf(connection),
      icon: Archive,
      run: () => {
        onGo(folderPlace(connection.id, name, startPrefix));
      },
    }));
  });
  const marks = bookmarks.map((bookmark) => ({
    id: `bookmark:${bookmark.id}`,
    label: bookmark.name,
    detail: `${bookmark.bucket}/${bookmark.prefix}`,
    icon: Bookmark,
    run: () => {
      onGo(folderPlace(bookmark.connectionId, bookmark.bucket, bookmark.prefix));
    },
  }));
  return {
    groups: [
      { name: t('common.palette.groups.connections'), entries: ofConnections },
      { name: t('common.palette.groups.buckets'), entries: buckets },
      { name: t('common.palette.groups.bookmarks'), entries: marks },
      { name: t('common.palette.groups.recent'), entries: recent },
    ],
    isWhole:
      !areConnectionsPending &&
      !areBookmarksPending &&
      areRecentSettled &&
      connections.every(({ id }) => (lists.get(id)?.kind ?? 'loading') !== 'loading'),
  };
}

/** The rows loaded in the visible folder when the palette was opened. */
export function useRowEntries(
  folder: string | null,
  loadedRows: () => readonly FolderRow[],
  onRow: (row: FolderRow) => void,
): PaletteGroup {
  const { t } = useTranslation();
  const entries = useMemo(
    () =>
      folder === null
        ? []
        : loadedRows().map((row) => ({
            id: `${row.kind}:${row.key}`,
            label: rowName(row, folder),
            icon: row.kind === 'folder' ? Folder : File,
            run: () => {
              onRow(row);
            },
          })),
    [folder, loadedRows, onRow],
  );
  return { name: t('common.palette.groups.here'), entries };
}
