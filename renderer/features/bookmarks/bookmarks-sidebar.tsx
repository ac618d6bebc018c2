import { Button, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { ArrowDown, ArrowUp, Copy, FolderOpen, Pencil, Star, Trash2 } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bookmark } from '../../../shared/models/settings.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { copyAndSay } from '../../ui/clipboard/copy-text.ts';
import { type MenuPoint, PointMenu, MenuEntries, menuEntry } from '../../ui/menus.tsx';
import { keysOf } from '../../ui/keyboard/commands.ts';
import { shortcutText } from '../../ui/keyboard/shortcuts.ts';
import { type BookmarkedPlace, bookmarkPath, isSameFolder, placed, stepped } from './bookmark-model.ts';
import { useBookmarkActions, useBookmarks } from './bookmark-queries.ts';
import { Dialog, DialogFooter } from '../../ui/dialog/dialog.tsx';
import { joinClasses } from '../../ui/class-names.ts';
import { placedAt, useRenderedRows, useRowFocus } from '../../ui/table/rendered-rows.ts';
import common from '../../ui/common.module.css';

interface Props {
  readonly current: BookmarkedPlace | null;
  readonly onOpen: (place: BookmarkedPlace) => void;
}

/** The bookmarked folders. */
export function BookmarksSidebar({ current, onOpen }: Props) {
  const { t } = useTranslation();
  const bookmarks = useBookmarks();
  return (
    <section aria-labelledby="bookmarks-heading">
      <h2 id="bookmarks-heading" className={common.sideHeading}>
        {t('bookmarks.title')}
      </h2>
      {bookmarks.isError && bookmarks.data === undefined ? (
        <FailureNotice error={bookmarks.error} onRetry={() => void bookmarks.refetch()} />
      ) : null}
      {bookmarks.data?.length === 0 ? (
        <Text size="xs" c="dimmed" px="sm" pb="xs">
          {t('bookmarks.none', { keys: shortcutText(keysOf('toggleBookmark') ?? '') })}
        </Text>
      ) : null}
      {bookmarks.data === undefined || bookmarks.data.length === 0 ? null : (
        <BookmarkList bookmarks={bookmarks.data} current={current} onOpen={onOpen} />
      )}
    </section>
  );
}

/** The height of a bookmark in pixels, as `sideItem` in common.module.css. */
const bookmarkPx = 28;

interface Anchor extends MenuPoint {
  readonly bookmark: Bookmark;
}

interface ListProps extends Props {
  readonly bookmarks: readonly Bookmark[];
}

function BookmarkList({ bookmarks, current, onOpen }: ListProps) {
  const { t } = useTranslation();
  const { rename, remove, reorder } = useBookmarkActions();
  const [anchor, setAnchor] = useState<Anchor | null>(null);
  const [renamed, setRenamed] = useState<Bookmark | null>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const [announced, setAnnounced] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const { focusedId, elements, onFocus, focus: focusRow } = useRowFocus();
  const ids = bookmarks.map((bookmark) => bookmark.id);
  const tabStop = focusedId !== null && ids.includes(focusedId) ? focusedId : (ids[0] ?? null);
  const rendered = useRenderedRows(list, {
    rowCount: bookmarks.length,
    rowPx: bookmarkPx,
    pinned: [tabStop, dragged].map((id) => (id === null ? -1 : ids.indexOf(id))),
  });

  const move = (id: string, order: readonly string[]) => {
    if (order === ids || order.every((orderedId, index) => orderedId === ids[index])) return;
    reorder.mutate(order);
    const name = bookmarks.find((bookmark) => bookmark.id === id)?.name ?? '';
    setAnnounced(t('bookmarks.moved', { name, position: order.indexOf(id) + 1, count: ids.length }));
  };
  const focus = (id: string | undefined) => {
    if (id !== undefined) focusRow(id);
  };
  const openMenu = (bookmark: Bookmark, event: MouseEvent | null) => {
    const box = elements.current.get(bookmark.id)?.getBoundingClientRect();
    const byMouse = event !== null && event.clientX !== 0;
    setAnchor({
      bookmark,
      x: byMouse ? event.clientX : (box?.left ?? 0) + 24,
      y: byMouse ? event.clientY : (box?.bottom ?? 0),
    });
  };

  const onKeyDown = (event: KeyboardEvent, bookmark: Bookmark) => {
    const at = ids.indexOf(bookmark.id);
    const reordering = (event.ctrlKey || event.metaKey) && event.shiftKey;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowDown: () => (reordering ? move(bookmark.id, stepped(ids, bookmark.id, 1)) : focus(ids[at + 1])),
      ArrowUp: () => (reordering ? move(bookmark.id, stepped(ids, bookmark.id, -1)) : focus(ids[at - 1])),
      Home: () => focus(ids[0]),
      End: () => focus(ids.at(-1)),
      F2: () => setRenamed(bookmark),
      Delete: () => remove.mutate(bookmark.id),
      ContextMenu: () => openMenu(bookmark, null),
      ...(event.shiftKey ? { F10: () => openMenu(bookmark, null) } : {}),
    };
    const action = actions[event.key];
    if (action === undefined || event.altKey || (!reordering && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };

  return (
    <>
      <ul
        ref={list}
        className={common.sideList}
        aria-labelledby="bookmarks-heading"
        style={rendered.listStyle}
      >
        {rendered.indexes.map((index) => {
          const bookmark = bookmarks[index];
          if (bookmark === undefined) return null;
          return (
            <li
              key={bookmark.id}
              aria-posinset={index + 1}
              aria-setsize={bookmarks.length}
              {...placedAt(rendered.topOf(index))}
            >
              <button
                type="button"
                ref={(element) => {
                  if (element === null) elements.current.delete(bookmark.id);
                  else elements.current.set(bookmark.id, element);
                }}
                className={joinClasses(common.item, common.sideItem)}
                tabIndex={bookmark.id === tabStop ? 0 : -1}
                aria-current={current !== null && isSameFolder(current, bookmark) ? 'page' : undefined}
                title={bookmarkPath(bookmark)}
                draggable
                data-dragged={dragged === bookmark.id || undefined}
                onFocus={() => onFocus(bookmark.id)}
                onClick={() => onOpen(bookmark)}
                onKeyDown={(event) => onKeyDown(event, bookmark)}
                onContextMenu={(event) => {
                  event.preventDefault();
                  openMenu(bookmark, event);
                }}
                onDragStart={(event) => {
                  event.dataTransfer.effectAllowed = 'move';
                  setDragged(bookmark.id);
                }}
                onDragEnd={() => setDragged(null)}
                onDragOver={(event) => dragged !== null && event.preventDefault()}
                onDrop={(event) => {
                  event.preventDefault();
                  if (dragged !== null) move(dragged, placed(ids, dragged, bookmark.id));
                  setDragged(null);
                }}
              >
                <Star size={15} aria-hidden data-marked className={common.sideIcon} />
                <span className={common.cut}>{bookmark.name}</span>
              </button>
            </li>
          );
        })}
      </ul>
      <VisuallyHidden role="status">{announced}</VisuallyHidden>
      <BookmarkMenu
        anchor={anchor}
        ids={ids}
        onClose={() => {
          setAnchor(null);
          if (anchor !== null) focusRow(anchor.bookmark.id);
        }}
        onOpen={onOpen}
        onRename={setRenamed}
        onRemove={(id) => remove.mutate(id)}
        onStep={(id, step) => move(id, stepped(ids, id, step))}
      />
      {renamed === null ? null : (
        <RenameBookmarkDialog
          bookmark={renamed}
          onClose={() => setRenamed(null)}
          onRename={(name) => rename.mutate({ bookmarkId: renamed.id, name })}
        />
      )}
    </>
  );
}

interface MenuProps {
  readonly anchor: Anchor | null;
  readonly ids: readonly string[];
  readonly onClose: () => void;
  readonly onOpen: (place: BookmarkedPlace) => void;
  readonly onRename: (bookmark: Bookmark) => void;
  readonly onRemove: (bookmarkId: string) => void;
  readonly onStep: (bookmarkId: string, step: -1 | 1) => void;
}

function BookmarkMenu({ anchor, ids, onClose, onOpen, onRename, onRemove, onStep }: MenuProps) {
  const { t } = useTranslation();
  if (anchor === null) return null;
  const { bookmark } = anchor;
  const copy = () => void copyAndSay(bookmarkPath(bookmark));
  return (
    <PointMenu at={anchor} label={bookmark.name} widthPx={200} onClose={onClose}>
      <MenuEntries
        groups={[
          [
            menuEntry(t('bookmarks.open'), FolderOpen, () => onOpen(bookmark)),
            menuEntry(t('bookmarks.copyPath'), Copy, copy),
            menuEntry(t('bookmarks.rename'), Pencil, () => onRename(bookmark)),
            menuEntry(t('bookmarks.moveUp'), ArrowUp, () => onStep(bookmark.id, -1), {
              isDisabled: ids[0] === bookmark.id,
            }),
            menuEntry(t('bookmarks.moveDown'), ArrowDown, () => onStep(bookmark.id, 1), {
              isDisabled: ids.at(-1) === bookmark.id,
            }),
          ],
          [menuEntry(t('bookmarks.remove'), Trash2, () => onRemove(bookmark.id), { isDanger: true })],
        ]}
      />
    </PointMenu>
  );
}

interface RenameBookmarkDialogProps {
  readonly bookmark: Bookmark;
  readonly onClose: () => void;
  readonly onRename: (name: string) => void;
}

function RenameBookmarkDialog({ bookmark, onClose, onRename }: RenameBookmarkDialogProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(bookmark.name);
  const missing = name.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (missing) return;
    onRename(name.trim());
    onClose();
  };
  return (
    <Dialog onClose={onClose} title={t('bookmarks.renameTitle')} size="sm">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            data-autofocus
            size="sm"
            label={t('bookmarks.name')}
            value={name}
            error={missing ? t('bookmarks.nameMissing') : undefined}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <DialogFooter onCancel={onClose} cancel={t('bookmarks.cancel')}>
            <Button type="submit">{t('bookmarks.save')}</Button>
          </DialogFooter>
        </Stack>
      </form>
    </Dialog>
  );
}
