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
import { MenuEntries, PointMenu } from '../../ui/menus.tsx';
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
            { label: t('connections.menu.open'), icon: FolderOpen, run: () => go(start) },
            { label: t('objects.menu.openInTab'), icon: SquarePlus, run: () => openTab(start) },
          ],
          [
            { label: t('transfers.uploadFiles'), icon: FileUp, run: () => upload(start, 'file') },
            { label: t('transfers.uploadFolder'), icon: FolderUp, run: () => upload(start, 'folder') },
          ],
          [
            { label: t('entries.search.here'), icon: TextSearch, run: () => go(searchIn(start)) },
            { label: t('common.palette.viewMap'), icon: LayoutDashboard, run: () => showMap(start) },
            {
              label: t('entries.stalled.here'),
              icon: TimerReset,
              run: () => go(uploadsPlace(start, connectionId) ?? start),
            },
            {
              label: t('common.palette.trash'),
              icon: ArchiveRestore,
              run: () => openTrash({ ...place, prefix: start.folder }),
            },
          ],
          [
            {
              label: t(bookmark.bookmarked ? 'common.shell.removeBookmark' : 'entries.buckets.menu.bookmark'),
              icon: bookmark.bookmarked ? BookmarkX : Bookmark,
              isDisabled: !bookmark.ready,
              run: bookmark.toggle,
            },
            { label: t('connections.menu.copyName'), icon: Copy, run: () => void copyAndSay(name) },
            source === 'typed' && {
              label: t('connections.menu.forget'),
              icon: X,
              run: () => forgetBucket.mutate(place),
            },
          ],
          [
            {
              label: t('entries.buckets.menu.settings'),
              icon: Settings2,
              run: () => openBucketDialog({ kind: 'settings', place }),
            },
            {
              label: t('entries.buckets.menu.remove'),
              icon: Trash2,
              isDanger: true,
              run: () => openBucketDialog({ kind: 'remove', place }),
            },
          ],
        ]}
      />
    </PointMenu>
  );
}

function searchIn(folder: FolderWindowPlace) {
  return searchPlace(folder, crypto.randomUUID()) ?? folder;
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
