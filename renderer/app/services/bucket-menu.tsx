import {
  ArchiveRestore,
  Bookmark,
  BookmarkX,
  Copy,
  FileUp,
  FolderOpen,
  FolderUp,
  LayoutDashboard,
  Settings2,
  SquarePlus,
  TextSearch,
  TimerReset,
  Trash2,
  X,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useState } from 'react';
import type { FileEntry } from '../../../shared/models/files.ts';
import { useBookmarkToggle } from '../../features/bookmarks/index.ts';
import { openBucketDialog } from '../../features/buckets/index.ts';
import {
  type BucketMenuRequest,
  type BucketServices,
  useConnectionActions,
} from '../../features/connections/index.ts';
import { openTrash } from '../../features/versions/index.ts';
import { copyAndSay } from '../../ui/clipboard/copy-text.ts';
import { MenuEntries, PointMenu, menuEntry } from '../../ui/menus.tsx';
import { startUpload } from '../../features/transfers/index.ts';
import { useStable } from '../../ui/use-stable.ts';
import {
  folderPlace,
  type FolderWindowPlace,
  searchPlace,
  uploadsPlace,
  type WindowPlace,
} from '../places/places.ts';
import type { NavigationAction } from '../places/navigation.ts';
import { useShowMap } from './use-show-map.ts';

/** The window's functions that a bucket's menu uses. */
interface BucketMenuServices {
  readonly go: (place: WindowPlace) => void;
  readonly openTab: (place: WindowPlace) => void;
  readonly upload: (place: FolderWindowPlace, kind: FileEntry['kind']) => void;
}

interface BucketMenuProps extends BucketMenuRequest {
  readonly services: BucketMenuServices;
}

/** The menu of a bucket, in the tree and in the list of its connection. */
function BucketMenu({ connectionId, bucket, at, onClose, services }: BucketMenuProps) {
  const { t } = useTranslation();
  const { name, source, startPrefix } = bucket;
  const place = { connectionId, bucket: name };
  const start = folderPlace(connectionId, name, startPrefix);
  const { go, openTab, upload } = services;
  const showMap = useShowMap(go);
  const bookmark = useBookmarkToggle({ ...place, prefix: startPrefix });
  const { forgetBucket } = useConnectionActions();
  return (
    <PointMenu at={at} label={t('entries.buckets.actions', { name })} widthPx={240} onClose={onClose}>
      <MenuEntries
        groups={[
          [
            menuEntry(t('connections.menu.open'), FolderOpen, () => go(start)),
            menuEntry(t('objects.menu.openInTab'), SquarePlus, () => openTab(start)),
          ],
          [
            menuEntry(t('transfers.uploadFiles'), FileUp, () => upload(start, 'file')),
            menuEntry(t('transfers.uploadFolder'), FolderUp, () => upload(start, 'folder')),
          ],
          [
            menuEntry(t('entries.search.here'), TextSearch, () =>
              go(searchPlace(start, crypto.randomUUID()) ?? start),
            ),
            menuEntry(t('common.palette.viewMap'), LayoutDashboard, () => showMap(start)),
            menuEntry(t('entries.stalled.here'), TimerReset, () =>
              go(uploadsPlace(start, connectionId) ?? start),
            ),
            menuEntry(t('common.palette.trash'), ArchiveRestore, () =>
              openTrash({ ...place, prefix: start.folder }),
            ),
          ],
          [
            menuEntry(
              t(bookmark.bookmarked ? 'common.shell.removeBookmark' : 'entries.buckets.menu.bookmark'),
              bookmark.bookmarked ? BookmarkX : Bookmark,
              bookmark.toggle,
              { isDisabled: !bookmark.ready },
            ),
            menuEntry(t('connections.menu.copyName'), Copy, () => void copyAndSay(name)),
            source === 'typed' &&
              menuEntry(t('connections.menu.forget'), X, () => forgetBucket.mutate(place)),
          ],
          [
            menuEntry(t('entries.buckets.menu.settings'), Settings2, () =>
              openBucketDialog({ kind: 'settings', place }),
            ),
            menuEntry(
              t('entries.buckets.menu.remove'),
              Trash2,
              () => openBucketDialog({ kind: 'remove', place }),
              { isDanger: true },
            ),
          ],
        ]}
      />
    </PointMenu>
  );
}

interface BucketServiceNeeds {
  readonly go: (place: WindowPlace) => void;
  readonly dispatch: (action: NavigationAction) => void;
}

/** Returns the actions on buckets for the tree and for a connection's page. The object never changes. */
export function useBucketServices({ go, dispatch }: BucketServiceNeeds): BucketServices {
  const { t } = useTranslation();
  const ofMenu = useStable<BucketMenuServices>({
    go,
    openTab: (next) => dispatch({ kind: 'open-tab', place: next, inBackground: true }),
    upload: (into, kind) => startUpload(into, kind, t),
  });
  const [services] = useState<BucketServices>(() => ({
    create: (connectionId, onOpen) =>
      openBucketDialog({
        kind: 'create',
        connectionId,
        onCreated: ({ bucket }) => onOpen({ connectionId, bucket, prefix: '' }),
      }),
    remove: (place) => openBucketDialog({ kind: 'remove', place }),
    menu: (request) => <BucketMenu {...request} services={ofMenu} />,
  }));
  return services;
}
