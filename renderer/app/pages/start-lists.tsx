import { Box, Flex, Title } from '@mantine/core';
import { Archive, Bookmark, Folder, HardDrive, Server, type LucideIcon } from 'lucide-react';
import { useId, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAddress } from '../../../shared/keys/s3-link.ts';
import { useBookmarks } from '../../features/bookmarks/index.ts';
import { startOf, useConnectionName, useConnections } from '../../features/connections/index.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { placedAt, useRenderedRows } from '../../ui/table/rendered-rows.ts';
import { useRecentPlaces } from '../places/use-recent-places.ts';
import { folderPlace, placeFrom, placeKey, type WindowPlace } from '../places/places.ts';
import classes from '../panes/panes.module.css';

interface StartListsProps {
  readonly onGo: (place: WindowPlace) => void;
  /** Renders the content after the lists. `hasPlaces` is true if the lists are not empty. */
  readonly children: (hasPlaces: boolean) => ReactNode;
}

interface PlaceLink {
  readonly name: string;
  readonly detail: string | null;
  readonly place: WindowPlace;
  readonly icon: LucideIcon;
}

const maxShown = 8;

/** Shows recent locations, bookmarks and connections, each of which opens with one click. */
export function StartLists({ onGo, children }: StartListsProps) {
  const { t } = useTranslation();
  const nameOf = useConnectionName();
  const { data: connections = [], isPending: areConnectionsPending } = useConnections();
  const { data: bookmarks = [], isPending: areBookmarksPending } = useBookmarks();
  const recent = useRecentPlaces();
  // Waits for all lists, so that no list moves under the mouse when another one appears.
  if (areConnectionsPending || areBookmarksPending || !recent.isSettled) return null;
  const names = new Map(connections.map((connection) => [connection.id, nameOf(connection)]));
  const recentLinks = recent.value.flatMap((place): readonly PlaceLink[] => {
    const detail = names.get(place.connectionId);
    const isBucket = place.folder === '';
    const name = isBucket ? place.bucket : formatAddress({ bucket: place.bucket, prefix: place.folder });
    return detail === undefined ? [] : [{ name, detail, place, icon: isBucket ? Archive : Folder }];
  });
  const bookmarkLinks = bookmarks.map(({ name, connectionId, bucket, prefix }) => ({
    name,
    detail: formatAddress({ bucket, prefix }),
    place: folderPlace(connectionId, bucket, prefix),
    icon: Bookmark,
  }));
  const connectionLinks = connections.map((connection) => ({
    name: nameOf(connection),
    detail: null,
    place: placeFrom(startOf(connection)),
    icon: connection.builtIn ? HardDrive : Server,
  }));
  const hasPlaces = recentLinks.length > 0 || bookmarkLinks.length > 0;
  return (
    <>
      {hasPlaces ? (
        <Flex justify="center" pt="xl" px={24}>
          <div className={classes.startLists}>
            <LinkList
              title={t('common.palette.groups.recent')}
              links={recentLinks.slice(0, maxShown)}
              onGo={onGo}
            />
            <LinkList title={t('common.palette.groups.bookmarks')} links={bookmarkLinks} onGo={onGo} />
            <LinkList title={t('common.palette.groups.connections')} links={connectionLinks} onGo={onGo} />
          </div>
        </Flex>
      ) : null}
      {children(hasPlaces)}
    </>
  );
}

interface LinkListProps {
  readonly title: string;
  readonly links: readonly PlaceLink[];
  readonly onGo: (place: WindowPlace) => void;
}

/** The height of a link in pixels, as in panes.module.css. */
const linkPx = 30;

/** Lists the links. Renders only the visible links of a long list. */
function LinkList({ title, links, onGo }: LinkListProps) {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState(-1);
  const rendered = useRenderedRows(list, {
    rowCount: links.length,
    rowPx: linkPx,
    // With the first and the last link, Tab enters the list at its ends.
    pinned: [0, focused, links.length - 1],
  });
  if (links.length === 0) return null;
  return (
    <Box role="group" aria-labelledby={id} miw={0}>
      <Title order={2} fz="sm" id={id}>
        {title}
      </Title>
      <ul ref={list} className={classes.startList} style={rendered.listStyle}>
        {rendered.indexes.map((at) => {
          const link = links[at];
          if (link === undefined) return null;
          const { name, detail, place, icon: Icon } = link;
          return (
            <li
              key={`${name} ${placeKey(place)}`}
              aria-posinset={at + 1}
              aria-setsize={links.length}
              {...placedAt(rendered.topOf(at))}
            >
              <button
                type="button"
                className={classes.startLink}
                onClick={() => onGo(place)}
                onFocus={() => setFocused(at)}
              >
                <Icon size={15} aria-hidden />
                <span className={joinClasses(common.cut, classes.startName)}>
                  <KeyText name={name} />
                </span>
                {detail === null ? null : (
                  <span className={joinClasses(common.cut, common.hint, classes.startDetail)}>{detail}</span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
    </Box>
  );
}
