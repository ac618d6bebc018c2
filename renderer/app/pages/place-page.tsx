import { type Ref, Suspense } from 'react';
import { assertNever } from '../../../shared/assert-never.ts';
import {
  type BucketServices,
  ConnectionHome,
  type Destination,
  useConnectionName,
  useConnections,
  Welcome,
} from '../../features/connections/index.ts';
import {
  type FolderActions,
  type FolderHandle,
  FolderPage,
  LazyLocalPage,
  type ListNumber,
  type LocalActions,
  prefixOf,
  useIsUnusable,
} from '../../features/objects/index.ts';
import { VersionsFolder } from '../../features/versions/index.ts';
import { FolderSize } from '../../features/search/index.ts';
import { DropUploadArea, useJobsNow } from '../../features/transfers/index.ts';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { lazyComponent } from '../../ui/lazy-part.tsx';
import { FolderOrMap } from './map-place.tsx';
import { useShowMap } from '../services/use-show-map.ts';
import { placeFrom, type WindowPlace } from '../places/places.ts';
import { type FoundServices, SearchPlace } from './search-place.tsx';
import { openBucketDialog } from '../../features/buckets/index.ts';
import { LazyStalledView } from '../../features/stalled/index.ts';
import classes from '../shell.module.css';

const StartLists = lazyComponent(async () => (await import('./start-lists.tsx')).StartLists);

interface StartPageProps {
  readonly onOpen: (destination: Destination) => void;
  readonly onGo: (place: WindowPlace) => void;
}

/** Shows a new tab: recent and bookmarked locations, and ways to add a connection. */
function StartPage({ onOpen, onGo }: StartPageProps) {
  return (
    <Suspense fallback={null}>
      <StartLists onGo={onGo}>{(hasPlaces) => <Welcome isShort={hasPlaces} onOpen={onOpen} />}</StartLists>
    </Suspense>
  );
}

const OtherOwners = lazyComponent(async () => (await import('./other-owners.tsx')).OtherOwners);

interface PlacePageProps {
  readonly place: WindowPlace;
  readonly list: ListNumber;
  readonly folderRef: Ref<FolderHandle>;
  readonly onGo: (place: WindowPlace) => void;
  readonly onReplace: (place: WindowPlace) => void;
  readonly onOpenTab: (place: WindowPlace) => void;
  readonly onDetails: (open: boolean) => void;
  /** True if a folder shows its versions instead of its objects. */
  readonly areVersionsShown: boolean;
  readonly onHideVersions: () => void;
  readonly actions: FolderActions;
  readonly found: FoundServices;
  readonly buckets: BucketServices;
  readonly local: LocalActions;
  /** Searches names below the folder. */
  readonly onSearch: (text: string) => void;
}

/** Renders the page for a location: a folder, a search, the buckets of a connection, stalled uploads, or the start page. */
export function PlacePage(props: PlacePageProps) {
  const { place, onGo, folderRef } = props;
  const showMap = useShowMap(onGo);
  const isUnusable = useIsUnusable(props.list);
  const open = (destination: Destination): void => onGo(placeFrom(destination));
  switch (place.kind) {
    case 'start':
      return (
        <div className={joinClasses(common.fill, classes.scrollPage)}>
          <StartPage onOpen={open} onGo={onGo} />
        </div>
      );
    case 'uploads':
      return <UploadsPage place={place} />;
    case 'search':
      return (
        <SearchPlace
          ref={folderRef}
          place={place}
          services={props.found}
          actions={props.actions}
          onDetails={props.onDetails}
          onGo={onGo}
          onReplace={props.onReplace}
          onOpenTab={props.onOpenTab}
        />
      );
    case 'local':
      return (
        <LazyLocalPage
          ref={folderRef}
          folder={place.trail.at(-1) ?? null}
          list={props.list}
          actions={props.local}
          onDetails={props.onDetails}
          onOpenFolder={(folder) => onGo({ ...place, trail: [...place.trail, folder] })}
        />
      );
    case 'connection':
      return (
        <div className={joinClasses(common.fill, classes.scrollPage)}>
          <ConnectionHome
            key={place.connectionId}
            connectionId={place.connectionId}
            onOpen={open}
            buckets={props.buckets}
          />
        </div>
      );
    case 'folder': {
      const openFolder = (folder: string, inNewTab: boolean): void => {
        const next: WindowPlace = { ...place, folder, startsWith: '' };
        if (inNewTab) props.onOpenTab(next);
        else onGo(next);
      };
      if (props.areVersionsShown)
        return (
          <VersionsFolder
            place={{ connectionId: place.connectionId, bucket: place.bucket, prefix: prefixOf(place) }}
            onOpenFolder={(folder) => openFolder(folder, false)}
            onHide={props.onHideVersions}
          />
        );
      return (
        <FolderOrMap ref={folderRef} place={place} actions={props.actions} onOpenFolder={openFolder}>
          <DropUploadArea
            place={
              isUnusable
                ? null
                : { connectionId: place.connectionId, bucket: place.bucket, folder: place.folder }
            }
          >
            <FolderPage
              key={place.connectionId}
              ref={folderRef}
              place={place}
              list={props.list}
              moves={{
                openFolder,
                startsWith: (startsWith) => props.onReplace({ ...place, startsWith }),
                search: props.onSearch,
                showMap: (folder) => showMap({ ...place, folder }),
                showDetails: props.onDetails,
              }}
              actions={props.actions}
              slots={{
                renderExtras: (prefix) => (
                  <FolderSize
                    key={`${place.bucket}/${prefix}`}
                    where={{ connectionId: place.connectionId, bucket: place.bucket, prefix }}
                  />
                ),
                renderWaysOut: ({ reason }) =>
                  reason === 'no-such-bucket' ? (
                    <Suspense fallback={null}>
                      <OtherOwners key={place.bucket} place={place} onGo={onGo} />
                    </Suspense>
                  ) : null,
              }}
            />
          </DropUploadArea>
        </FolderOrMap>
      );
    }
    default:
      return assertNever(place);
  }
}

interface UploadsPageProps {
  readonly place: Extract<WindowPlace, { kind: 'uploads' }>;
}

/** Shows the stalled uploads in a location. Lists them again when a job ends. */
function UploadsPage({ place }: UploadsPageProps) {
  const connection = useConnections().data?.find(({ id }) => id === place.connectionId);
  const nameOf = useConnectionName();
  const { settledSerial } = useJobsNow();
  return (
    <LazyStalledView
      where={place}
      connectionName={connection === undefined ? '' : nameOf(connection)}
      refreshSignal={settledSerial}
      onLifecycle={(bucket) =>
        openBucketDialog({
          kind: 'settings',
          place: { connectionId: place.connectionId, bucket },
          section: 'lifecycle',
        })
      }
    />
  );
}
