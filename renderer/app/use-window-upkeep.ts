import { openSettings } from '../features/settings/index.ts';
import { useUpdateNotice } from '../features/updates/index.ts';
import { useAppEvents } from '../rpc/app-events.ts';
import { useNoticeRoom } from '../ui/notices/notice-room.ts';
import { placeOf, activePane, type Navigation } from './places/navigation.ts';
import { useRememberPlace } from './places/use-recent-places.ts';
import { useSentEdits } from './services/use-folder-changes.ts';
import { useForgottenFolders } from './services/use-forgotten-folders.ts';
import { useForgottenWalks } from './services/use-forgotten-walks.ts';
import { useListedFolders } from './services/use-listed-folders.ts';
import { usePlacesAhead } from './services/use-places-ahead.ts';
import { useLanguageSetting } from './use-language.ts';
import { useThemeSetting } from './use-theme-setting.ts';

const showUpdates = (): void => openSettings('updates');

/** Runs what the window does without being asked: settings, notices, prefetching and forgetting what is no longer shown. */
export function useWindowUpkeep(navigation: Navigation): void {
  useAppEvents();
  useNoticeRoom();
  useThemeSetting();
  useLanguageSetting();
  useForgottenWalks(navigation);
  useForgottenFolders();
  useListedFolders();
  usePlacesAhead(navigation);
  useRememberPlace(placeOf(activePane(navigation)));
  useUpdateNotice(showUpdates);
  useSentEdits();
}
