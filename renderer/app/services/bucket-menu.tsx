import { Menu } from '@mantine/core';
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
  type LucideIcon,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { FileEntry } from '../../../shared/models/files.ts';
import { useBookmarkToggle } from '../../features/bookmarks/index.ts';
import { openBucketDialog } from '../../features/buckets/index.ts';
import { useConnectionActions, type BucketMenuRequest } from '../../features/connections/index.ts';
import { openTrash } from '../../features/versions/index.ts';
import { copyAndSay } from '../../ui/clipboard/copy-text.ts';
import { PointMenu } from '../../ui/point-menu.tsx';
import {
  folderPlace,
  searchPlace,
  uploadsPlace,
  type FolderWindowPlace,
  type WindowPlace,
} from '../places/places.ts';
import { useShowMap } from './use-show-map.ts';

/** Functions of the window that the menu of a bucket needs. */
export interface BucketMenuServices {
  readonly go: (place: WindowPlace) => void;
  readonly openTab: (place: WindowPlace) => void;
  readonly upload: (place: FolderWindowPlace, kind: FileEntry['kind']) => void;
}

interface BucketMenuProps extends BucketMenuRequest {
  readonly services: BucketMenuServices;
}

/** The menu of a bucket, in the tree and in its connection's list. */
export function BucketMenu({ connectionId, bucket, at, onClose, services }: BucketMenuProps) {
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
      <Entry icon={FolderOpen} label={t('connections.menu.open')} onClick={() => go(start)} />
      <Entry icon={SquarePlus} label={t('objects.menu.openInTab')} onClick={() => openTab(start)} />
      <Menu.Divider />
      <Entry icon={FileUp} label={t('transfers.uploadFiles')} onClick={() => upload(start, 'file')} />
      <Entry icon={FolderUp} label={t('transfers.uploadFolder')} onClick={() => upload(start, 'folder')} />
      <Menu.Divider />
      <Entry icon={TextSearch} label={t('entries.search.here')} onClick={() => go(searchIn(start))} />
      <Entry icon={LayoutDashboard} label={t('common.palette.viewMap')} onClick={() => showMap(start)} />
      <Entry
        icon={TimerReset}
        label={t('entries.stalled.here')}
        onClick={() => go(uploadsPlace(start, connectionId) ?? start)}
      />
      <Entry
        icon={ArchiveRestore}
        label={t('common.palette.trash')}
        onClick={() => openTrash({ ...place, prefix: start.folder })}
      />
      <Menu.Divider />
      <Entry
        icon={bookmark.bookmarked ? BookmarkX : Bookmark}
        label={t(bookmark.bookmarked ? 'common.shell.removeBookmark' : 'entries.buckets.menu.bookmark')}
        isOff={!bookmark.ready}
        onClick={bookmark.toggle}
      />
      <Entry icon={Copy} label={t('connections.menu.copyName')} onClick={() => void copyAndSay(name)} />
      {source === 'typed' ? (
        <Entry icon={X} label={t('connections.menu.forget')} onClick={() => forgetBucket.mutate(place)} />
      ) : null}
      <Menu.Divider />
      <Entry
        icon={Settings2}
        label={t('entries.buckets.menu.settings')}
        onClick={() => openBucketDialog({ kind: 'settings', place })}
      />
      <Entry
        icon={Trash2}
        label={t('entries.buckets.menu.remove')}
        color="red"
        onClick={() => openBucketDialog({ kind: 'remove', place })}
      />
    </PointMenu>
  );
}

function searchIn(folder: FolderWindowPlace) {
  return searchPlace(folder, crypto.randomUUID()) ?? folder;
}

interface EntryProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly color?: 'red';
  readonly isOff?: boolean;
  readonly onClick: () => void;
}

function Entry({ icon: Icon, label, color, isOff = false, onClick }: EntryProps) {
  return (
    <Menu.Item
      leftSection={<Icon size={15} aria-hidden />}
      disabled={isOff}
      onClick={onClick}
      {...(color === undefined ? {} : { color })}
    >
      {label}
    </Menu.Item>
  );
}
