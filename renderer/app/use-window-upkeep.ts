import { useEffect, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useMantineColorScheme } from '@mantine/core';
import { openSettings, useSettings } from '../features/settings/index.ts';
import { useUpdateNotice } from '../features/updates/index.ts';
import { useAppEvents } from '../rpc/app-events.ts';
import { useNoticeRoom } from '../ui/notices/notice-room.ts';
import { useRememberPlace } from './places/use-recent-places.ts';
import { useSentEdits } from './services/use-folder-changes.ts';
import { usePrefetchOnHover } from './services/use-places-ahead.ts';
import { closeWalk } from '../rpc/client.ts';
import { walksOf, activePane, type Navigation, placeOf } from './places/navigation.ts';
import type { Connection } from '../../shared/models/connection.ts';
import { forgetTree, cacheListedFolders, useConnections } from '../features/connections/index.ts';
import { forgetFolders, onFolderListed } from '../features/objects/index.ts';
import { followLanguage } from '../i18n.ts';
import { showNotice } from '../ui/notices/notices.tsx';
import { useStable } from '../ui/use-stable.ts';

const showUpdates = (): void => openSettings('updates');

/**
 * Runs the window's background work. Applies settings, shows notices, prefetches folders, and drops data that is no longer shown.
 */
export function useWindowUpkeep(navigation: Navigation): void {
  useAppEvents();
  useNoticeRoom();
  useThemeSetting();
  useLanguageSetting();
  useForgottenWalks(navigation);
  useForgottenFolders();
  useListedFolders();
  usePrefetchOnHover(navigation);
  useRememberPlace(placeOf(activePane(navigation)));
  useUpdateNotice(showUpdates);
  useSentEdits();
}

/** Closes the walk (the listing) of a search in the core when no tab shows the search. */
function useForgottenWalks(navigation: Navigation): void {
  const before = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const now = walksOf(navigation);
    for (const walkId of before.current) if (!now.has(walkId)) closeWalk(walkId);
    before.current = now;
  }, [navigation]);
}

/** Drops cached folders of a connection that was removed or changed its endpoint. */
function useForgottenFolders(): void {
  const queries = useQueryClient();
  const connections = useConnections().data;
  const before = useRef<readonly Connection[] | undefined>(undefined);
  useEffect(() => {
    if (connections === undefined) return;
    for (const old of before.current ?? []) {
      const now = connections.find(({ id }) => id === old.id);
      if (now !== undefined && connectionFingerprint(now) === connectionFingerprint(old)) continue;
      forgetFolders(queries, old.id);
      forgetTree(queries, old.id);
    }
    before.current = connections;
  }, [queries, connections]);
}

/** Returns all settings of a connection that affect its listings, which are all but the name. */
function connectionFingerprint(connection: Connection): string {
  return JSON.stringify({ ...connection, name: '' });
}

/** Adds folders that a pane has listed to the sidebar tree, without another request. */
function useListedFolders(): void {
  const queries = useQueryClient();
  useEffect(
    () =>
      onFolderListed(queries, ({ folders, nextPageToken, ...node }) => {
        cacheListedFolders(queries, node, folders, nextPageToken);
      }),
    [queries],
  );
}

/** Applies the language in the settings, or the system's language, without a reload. */
function useLanguageSetting(): void {
  const { settings, isKnown } = useSettings();
  const { language } = settings;
  const { sayFailed } = useStable({
    sayFailed: () => {
      showNotice({ tone: 'bad', message: (say) => say('entries.settings.languageFailed') });
    },
  });
  useEffect(() => {
    if (!isKnown) return undefined;
    const follow = (): void => {
      followLanguage(language).catch(sayFailed);
    };
    follow();
    globalThis.addEventListener('languagechange', follow);
    return () => {
      globalThis.removeEventListener('languagechange', follow);
    };
  }, [isKnown, language, sayFailed]);
}

/** Applies the theme chosen in the settings. */
function useThemeSetting(): void {
  const { theme } = useSettings().settings;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // Mantine's function is new on every render, and each call restyles the whole document twice.
  const { apply } = useStable({ apply: setColorScheme });
  useEffect(() => {
    if (theme !== colorScheme) apply(theme);
  }, [theme, colorScheme, apply]);
}
