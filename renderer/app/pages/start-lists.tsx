import { Title } from '@mantine/core';
import { Archive, Bookmark, Folder, HardDrive, Server, type LucideIcon } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAddress } from '../../../shared/keys/address.ts';
import { useBookmarks } from '../../features/bookmarks/index.ts';
import { startOf, useConnectionName, useConnections } from '../../features/connections/index.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
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
        <div className={classes.startPage}>
          <div className={classes.startLists}>
            <LinkList
              title={t('common.palette.groups.recent')}
              links={recentLinks.slice(0, maxShown)}
              onGo={onGo}
            />
            <LinkList title={t('common.palette.groups.bookmarks')} links={bookmarkLinks} onGo={onGo} />
            <LinkList title={t('common.palette.groups.connections')} links={connectionLinks} onGo={onGo} />
          </div>
        </div>
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

function LinkList({ title, links, onGo }: LinkListProps) {
  const id = useId();
  if (links.length === 0) return null;
  return (
    <div role="group" aria-labelledby={id} className={classes.startSection}>
      <Title order={2} fz="sm" id={id}>
        {title}
      </Title>
      <ul className={classes.startList}>
        {links.map(({ name, detail, place, icon: Icon }) => (
          <li key={`${name} ${placeKey(place)}`}>
            <button
              type="button"
              className={classes.startLink}
              onClick={() => {
                onGo(place);
              }}
            >
              <Icon size={15} aria-hidden />
              <span className={classes.startName}>
                <KeyText name={name} />
              </span>
              {detail === null ? null : <span className={classes.startDetail}>{detail}</span>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
