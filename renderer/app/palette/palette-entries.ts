import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Archive, Bookmark, File, Folder, History, Server, type LucideIcon } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { commandTable, type CommandId } from '../../../shared/commands.ts';
import { languageSettings } from '../../../shared/language.ts';
import { formatAddress } from '../../../shared/keys/s3-link.ts';
import { useBookmarks } from '../../features/bookmarks/index.ts';
import {
  openConnectionDialog,
  startOf,
  useAllBucketStates,
  useConnectionName,
  useConnections,
} from '../../features/connections/index.ts';
import type { Place } from '../../../shared/models/objects.ts';
import { knownRows, rowName } from '../../features/objects/index.ts';
import { isSameBucket } from '../../features/operations/index.ts';
import { openPriceDialog } from '../../features/prices/index.ts';
import { useSettings } from '../../features/settings/index.ts';
import { orpc } from '../../rpc/client.ts';
import { keysOf } from '../../ui/keyboard/commands.ts';
import type { OverlayServices } from '../commands/overlay-store.ts';
import {
  connectionOf,
  folderPlace,
  isSameWindowPlace,
  placeFrom,
  placeKey,
  type FolderWindowPlace,
  type WindowPlace,
} from '../places/places.ts';
import { destructiveCommands, hasSynonyms } from './command-words.ts';
import { useRecentPlaces } from '../places/use-recent-places.ts';
import { undoLabel } from '../services/undo.tsx';
import type { Named } from './palette-match.ts';

export interface PaletteEntry extends Named {
  readonly id: string;
  readonly keys?: string | undefined;
  readonly icon?: LucideIcon;
  /** If set, the palette stays open after the entry is chosen, and shows other entries. */
  readonly staysOpen?: true;
  readonly run: () => void;
}

const named = { kind: 'name' } as const;
const none: readonly never[] = [];
/** The maximum number of rows from other cached listings that quick open searches. */
const maxRowsElsewhere = 100_000;

export interface PaletteGroup {
  readonly name: string;
  readonly entries: readonly PaletteEntry[];
}

/** Returns all available commands as entries. */
export function useCommandEntries(
  { commands, offered, onGo }: Pick<OverlayServices, 'commands' | 'offered' | 'onGo'>,
  place: WindowPlace,
): PaletteGroup {
  const { t } = useTranslation();
  const connectionId = connectionOf(place);
  const { settings, update } = useSettings();
  const undo = useQuery(orpc.operations.undoState.queryOptions({ staleTime: 0 })).data;
  /** Returns the label of the operation that `undo` or `redo` would affect. Null for other commands, or without an operation. */
  const undoable = (id: CommandId): string | null => {
    const entry = id === 'undo' || id === 'redo' ? (undo?.[id] ?? null) : null;
    return entry === null ? null : undoLabel(id === 'redo' ? 'redo' : 'undo', entry, t);
  };
  const themes = (['light', 'dark', 'auto'] as const).filter((theme) => theme !== settings.theme);
  const command = { kind: 'command' } as const;
  const entries: readonly PaletteEntry[] = [
    ...offered().map((id): PaletteEntry => ({
      id,
      kind: destructiveCommands.has(id) ? 'destructive' : 'command',
      label: undoable(id) ?? t(commandTable[id].message),
      ...(hasSynonyms(id) ? { words: t(`palette.words.${id}`) } : {}),
      keys: keysOf(id),
      run: commands[id],
    })),
    {
      ...command,
      id: 'new-connection',
      label: t('common.palette.newConnection'),
      words: t('palette.words.new-connection'),
      run: () => {
        openConnectionDialog({
          mode: 'create',
          onSaved: (connection) => onGo(placeFrom(startOf(connection))),
        });
      },
    },
    ...(connectionId === null
      ? []
      : [
          {
            ...command,
            id: 'prices',
            label: t('palette.prices'),
            run: () => openPriceDialog({ connectionId }),
          },
        ]),
    {
      ...command,
      id: 'sample-programs',
      label: t('connections.programs.palette'),
      run: () => openConnectionDialog({ mode: 'programs' }),
    },
    ...themes.map((theme) => ({
      ...command,
      words: t('palette.words.theme'),
      id: `theme-${theme}`,
      label: t(`common.palette.${theme}`),
      run: () => update({ theme }),
    })),
    ...languageSettings
      .filter((language) => language !== settings.language)
      .map((language) => ({
        ...command,
        id: `language-${language}`,
        label: t('palette.language', { name: t(`settings.languages.${language}`) }),
        run: () => update({ language }),
      })),
    {
      ...command,
      id: 'folders-first',
      label: t(settings.foldersFirst ? 'common.palette.foldersMixed' : 'common.palette.foldersFirst'),
      run: () => update({ foldersFirst: !settings.foldersFirst }),
    },
  ];
  return { name: t('common.palette.groups.commands'), entries };
}

/**
 * Returns connections, their buckets, bookmarks and recent folders, except the current location. A connection that does not
 * respond contributes no buckets.
 */
export function usePlaceEntries(
  shown: WindowPlace,
  onGo: (place: WindowPlace) => void,
): {
  readonly groups: readonly PaletteGroup[];
  /** True once all entries have loaded, and none of their lists is being reloaded. */
  readonly isWhole: boolean;
} {
  const { t } = useTranslation();
  const nameOf = useConnectionName();
  const { data: connections = none, isFetching: areConnectionsFetching } = useConnections();
  const { data: bookmarks = none, isFetching: areBookmarksFetching } = useBookmarks();
  const { value: recentPlaces, isSettled: areRecentSettled } = useRecentPlaces();
  const lists = useAllBucketStates(connections);
  // These are thousands of entries, so they change only if one of them may have changed.
  const ofConnections = useMemo(
    () =>
      connections.map((connection) => ({
        ...named,
        id: `connection:${connection.id}`,
        label: nameOf(connection),
        icon: Server,
        run: () => onGo(placeFrom(startOf(connection))),
      })),
    [connections, nameOf, onGo],
  );
  const buckets = useMemo(
    () =>
      connections.flatMap((connection) => {
        const state = lists.get(connection.id);
        return (state?.kind === 'known' ? state.buckets : []).map(({ name, startPrefix }) => ({
          ...named,
          id: `bucket:${connection.id}:${name}`,
          label: startPrefix === '' ? name : formatAddress({ bucket: name, prefix: startPrefix }),
          detail: nameOf(connection),
          icon: Archive,
          run: () => onGo(folderPlace(connection.id, name, startPrefix)),
        }));
      }),
    [connections, lists, nameOf, onGo],
  );
  const names = useMemo(
    () => new Map(connections.map((connection) => [connection.id, nameOf(connection)])),
    [connections, nameOf],
  );
  const recent = recentPlaces.flatMap((place): PaletteEntry[] => {
    const connection = names.get(place.connectionId);
    if (
      connection === undefined ||
      (shown.kind === 'folder' && isSameWindowPlace(place, { ...shown, startsWith: '' }))
    )
      return [];
    const label = formatAddress({ bucket: place.bucket, prefix: place.folder });
    const run = (): void => onGo(place);
    return [{ ...named, id: `recent:${placeKey(place)}`, label, detail: connection, icon: History, run }];
  });
  const marks = useMemo(
    () =>
      bookmarks.map((bookmark) => ({
        ...named,
        id: `bookmark:${bookmark.id}`,
        label: bookmark.name,
        detail: `${bookmark.bucket}/${bookmark.prefix}`,
        icon: Bookmark,
        run: () => onGo(folderPlace(bookmark.connectionId, bookmark.bucket, bookmark.prefix)),
      })),
    [bookmarks, onGo],
  );
  return {
    groups: [
      { name: t('common.palette.groups.connections'), entries: ofConnections },
      { name: t('common.palette.groups.buckets'), entries: buckets },
      { name: t('common.palette.groups.bookmarks'), entries: marks },
      { name: t('common.palette.groups.recent'), entries: recent },
    ],
    isWhole:
      !areConnectionsFetching &&
      !areBookmarksFetching &&
      areRecentSettled &&
      connections.every(({ id }) => (lists.get(id)?.kind ?? 'loading') !== 'loading'),
  };
}

/** Returns the id of a row's entry. An object found in several ways has the same id each time, and is thus shown once. */
export function rowEntryId({ connectionId, bucket }: Place, key: string): string {
  return `row:${connectionId}:${bucket}:${key}`;
}

/** Returns the rows loaded in the visible folder when the palette was opened, and the rows in other cached listings. */
export function useRowEntries(
  place: FolderWindowPlace | null,
  services: Pick<OverlayServices, 'loadedRows' | 'onRow' | 'onGo' | 'onObject'>,
): readonly PaletteGroup[] {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { loadedRows, onRow, onGo, onObject } = services;
  const here = useMemo(
    () =>
      place === null
        ? []
        : loadedRows().map((row): PaletteEntry => {
            const { kind, key } = row;
            return {
              ...named,
              id: rowEntryId(place, key),
              label: rowName(row, place.folder),
              icon: kind === 'folder' ? Folder : File,
              run: () => onRow(row),
            };
          }),
    [place, loadedRows, onRow],
  );
  const elsewhere = useMemo(
    () =>
      knownRows(queries, maxRowsElsewhere)
        .filter((known) => place === null || known.folder !== place.folder || !isSameBucket(known, place))
        .map(({ connectionId, bucket, folder, row }): PaletteEntry => {
          const { kind, key } = row;
          return {
            ...named,
            id: rowEntryId({ connectionId, bucket }, key),
            label: rowName(row, folder),
            detail: formatAddress({ bucket, prefix: folder }),
            icon: kind === 'folder' ? Folder : File,
            run: () => {
              if (kind === 'folder') onGo(folderPlace(connectionId, bucket, key));
              else onObject({ connectionId, bucket }, key);
            },
          };
        }),
    [queries, place, onGo, onObject],
  );
  return [
    { name: t('common.palette.groups.here'), entries: here },
    { name: t('palette.elsewhere'), entries: elsewhere },
  ];
}
