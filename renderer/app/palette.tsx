import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight';
import { Bookmark, Database, History, Search, Server } from 'lucide-react';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAddress } from '../../shared/keys/address.ts';
import type { EnglishMessages } from '../../shared/messages/english.ts';
import { useBookmarks } from '../features/bookmarks/index.ts';
import {
  openConnectionDialog,
  useBucketStates,
  useConnectionName,
  useConnections,
} from '../features/connections/index.ts';
import { newFolderKeys } from '../features/objects/index.ts';
import { useSettings } from '../features/settings/index.ts';
import { shortcutText } from '../ui/shortcuts.ts';
import type { Commands } from './commands.ts';
import { folderPlace, placeKey, type WindowPlace } from './places.ts';
import { useRecentPlaces } from './use-recent-places.ts';
import classes from './palette.module.css';

interface PaletteProps {
  readonly commands: Commands;
  readonly isFolder: boolean;
  readonly onGo: (place: WindowPlace) => void;
}

type CommandName = keyof Commands;
type Label = keyof EnglishMessages['common']['palette'];

const general: readonly (readonly [Exclude<Label, 'groups'>, CommandName, string?])[] = [
  ['goTo', 'editPath', 'mod+L'],
  ['newTab', 'newTab', 'alt+T'],
  ['closeTab', 'closeTab', 'alt+W'],
  ['back', 'back', 'alt+ArrowLeft'],
  ['forward', 'forward', 'alt+ArrowRight'],
  ['up', 'up', 'alt+ArrowUp'],
  ['sidebar', 'toggleSidebar', 'mod+B'],
  ['requestLog', 'toggleLog', 'mod+J'],
  ['uploads', 'openUploads', 'alt+U'],
  ['transfers', 'toggleTransfers', 'alt+J'],
  ['newBucket', 'newBucket', 'alt+N'],
  ['exportConnections', 'exportConnections'],
  ['importConnections', 'importConnections'],
  ['settings', 'openSettings', 'mod+,'],
  ['updates', 'openUpdates'],
  ['about', 'openAbout'],
];

const ofFolder: readonly (readonly [Exclude<Label, 'groups'>, CommandName, string?])[] = [
  ['reload', 'reload', 'F5'],
  ['filter', 'focusFilter', 'mod+F'],
  ['startsWith', 'focusStartsWith', 'mod+shift+F'],
  ['selectAll', 'selectAll', 'mod+A'],
  ['details', 'toggleDetails', 'mod+I'],
  ['bookmark', 'toggleBookmark', 'mod+D'],
  ['search', 'search', 'mod+shift+E'],
  ['folderSize', 'folderSize'],
  ['uploadFiles', 'uploadFiles', 'mod+U'],
  ['uploadFolder', 'uploadFolder'],
  ['uploadWithOptions', 'uploadWithOptions'],
  ['download', 'download', 'mod+S'],
  ['properties', 'properties', 'alt+Enter'],
  ['objectVersions', 'objectVersions'],
  ['link', 'link'],
  ['versions', 'toggleVersions', 'alt+V'],
  ['bucketSettings', 'bucketSettings', 'alt+B'],
  ['deleteBucket', 'deleteBucket'],
];

/** What is done to objects on the service. */
const onRows: readonly (readonly [keyof EnglishMessages['operations']['palette'], CommandName, string?])[] = [
  ['rename', 'rename', 'F2'],
  ['cut', 'cut', 'mod+X'],
  ['copy', 'copy', 'mod+C'],
  ['paste', 'paste', 'mod+V'],
  ['copyTo', 'copyTo'],
  ['moveTo', 'moveTo'],
  ['delete', 'remove', 'Delete'],
  ['deleteVersions', 'removeVersions', 'shift+Delete'],
];

const none: readonly string[] = [];

/** Everything by its name: commands, connections, buckets, bookmarks and recent folders. */
export const Palette = memo(function Palette({ commands, isFolder, onGo }: PaletteProps) {
  const { t } = useTranslation();
  const { settings, update } = useSettings();
  const [isOpen, setOpen] = useState(false);
  const places = usePlaces(isOpen, onGo);
  const listed = isFolder ? [...ofFolder, ...general] : general;
  const entry = (label: string, command: CommandName, keys?: string): SpotlightActionData => ({
    id: command,
    label,
    rightSection: keys === undefined ? null : <kbd className={classes.keys}>{shortcutText(keys)}</kbd>,
    onClick: commands[command],
  });
  const operations = [
    entry(t('operations.palette.newFolder'), 'newFolder', newFolderKeys()),
    entry(t('sync.menu.up'), 'syncUp'),
    entry(t('sync.menu.down'), 'syncDown'),
    ...onRows.map(([label, command, keys]) => entry(t(`operations.palette.${label}`), command, keys)),
  ];
  const fixed = [
    ...(isFolder ? operations : []),
    ...listed.map(([label, command, keys]) => entry(t(`common.palette.${label}`), command, keys)),
  ];
  const themes = (['light', 'dark', 'auto'] as const)
    .filter((theme) => theme !== settings.theme)
    .map((theme): SpotlightActionData => ({
      id: `theme-${theme}`,
      label: t(`common.palette.${theme}`),
      onClick: () => {
        update({ theme });
      },
    }));
  const groups: SpotlightActionGroupData[] = [
    {
      group: t('common.palette.groups.commands'),
      actions: [
        ...fixed,
        {
          id: 'new-connection',
          label: t('common.palette.newConnection'),
          onClick: () => {
            openConnectionDialog({
              mode: 'create',
              onSaved: ({ id }) => onGo({ kind: 'connection', connectionId: id }),
            });
          },
        },
        {
          id: 'sample-programs',
          label: t('connections.programs.palette'),
          onClick: () => {
            openConnectionDialog({ mode: 'programs' });
          },
        },
        ...themes,
        {
          id: 'folders-first',
          label: t(settings.foldersFirst ? 'common.palette.foldersMixed' : 'common.palette.foldersFirst'),
          onClick: () => {
            update({ foldersFirst: !settings.foldersFirst });
          },
        },
      ],
    },
    ...places,
  ];
  return (
    <Spotlight
      actions={groups}
      shortcut={null}
      onSpotlightOpen={() => setOpen(true)}
      onSpotlightClose={() => setOpen(false)}
      overlayProps={{ blur: 0, backgroundOpacity: 0.3 }}
      attributes={{ content: { 'aria-label': t('common.shell.palette') } }}
      classNames={{ actionsGroup: classes.group ?? '' }}
      highlightQuery
      scrollable
      maxHeight={420}
      nothingFound={t('common.palette.nothing')}
      searchProps={{
        leftSection: <Search size={18} aria-hidden />,
        placeholder: t('common.palette.placeholder'),
        'aria-label': t('common.palette.placeholder'),
      }}
    />
  );
});

function usePlaces(isOpen: boolean, onGo: (place: WindowPlace) => void): SpotlightActionGroupData[] {
  const { t } = useTranslation();
  const nameOf = useConnectionName();
  const connections = useConnections().data ?? [];
  const bookmarks = useBookmarks().data ?? [];
  const recentPlaces = useRecentPlaces();
  // Buckets of closed connections are listed when the palette opens. A connection that does not answer has none to offer.
  const lists = useBucketStates(isOpen ? connections.map(({ id }) => id) : none);
  const names = new Map(connections.map((connection) => [connection.id, nameOf(connection)]));
  const ofConnections = connections.map((connection): SpotlightActionData => ({
    id: `connection:${connection.id}`,
    label: nameOf(connection),
    leftSection: <Server size={16} aria-hidden />,
    onClick: () => {
      onGo({ kind: 'connection', connectionId: connection.id });
    },
  }));
  const recent = recentPlaces.flatMap((place): SpotlightActionData[] => {
    const connection = names.get(place.connectionId);
    if (connection === undefined) return [];
    return [
      {
        id: `recent:${placeKey(place)}`,
        label: formatAddress({ bucket: place.bucket, prefix: place.folder }),
        description: connection,
        leftSection: <History size={16} aria-hidden />,
        onClick: () => {
          onGo(place);
        },
      },
    ];
  });
  const buckets = connections.flatMap((connection) => {
    const state = lists.get(connection.id);
    return (state?.kind === 'known' ? state.buckets : []).map(({ name }): SpotlightActionData => ({
      id: `bucket:${connection.id}:${name}`,
      label: name,
      description: nameOf(connection),
      leftSection: <Database size={16} aria-hidden />,
      onClick: () => {
        onGo(folderPlace(connection.id, name, ''));
      },
    }));
  });
  const marks = bookmarks.map((bookmark): SpotlightActionData => ({
    id: `bookmark:${bookmark.id}`,
    label: bookmark.name,
    description: `${bookmark.bucket}/${bookmark.prefix}`,
    leftSection: <Bookmark size={16} aria-hidden />,
    onClick: () => {
      onGo(folderPlace(bookmark.connectionId, bookmark.bucket, bookmark.prefix));
    },
  }));
  const groups = [
    { group: t('common.palette.groups.connections'), actions: ofConnections },
    { group: t('common.palette.groups.buckets'), actions: buckets },
    { group: t('common.palette.groups.bookmarks'), actions: marks },
    { group: t('common.palette.groups.recent'), actions: recent },
  ];
  return groups.filter(({ actions }) => actions.length > 0);
}
