import type { Ref } from 'react';
import { assertNever } from '../../shared/assert-never.ts';
import { ConnectionHome, Welcome, type Destination } from '../features/connections/index.ts';
import { FolderPage, prefixOf, type AboutActions, type FolderHandle } from '../features/objects/index.ts';
import { VersionsFolder, type VersionServices } from '../features/versions/index.ts';
import { bucketServices } from './bucket-services.ts';
import { folderPlace, type WindowPlace } from './places.ts';
import { UploadsPage } from './uploads-page.tsx';
import classes from './shell.module.css';

interface PlacePageProps {
  readonly place: WindowPlace;
  readonly detailsOpen: boolean;
  readonly folderRef: Ref<FolderHandle>;
  readonly onGo: (place: WindowPlace) => void;
  readonly onReplace: (place: WindowPlace) => void;
  readonly onOpenTab: (place: WindowPlace) => void;
  readonly onDetails: (open: boolean) => void;
  readonly about: AboutActions;
  /** Not null: a folder shows its versions in the place of its objects. */
  readonly versions: VersionServices | null;
  readonly onHideVersions: () => void;
  readonly onUpload: (kind: 'file' | 'folder') => void;
  readonly onDownload: () => void;
}

export function placeFrom(destination: Destination): WindowPlace {
  const { connectionId } = destination;
  if (destination.bucket === null) return { kind: 'connection', connectionId };
  return folderPlace(connectionId, destination.bucket, destination.prefix);
}

/** What a tab shows. */
export function PlacePage(props: PlacePageProps) {
  const { place, onGo, folderRef } = props;
  const open = (destination: Destination): void => {
    onGo(placeFrom(destination));
  };
  switch (place.kind) {
    case 'start':
      return (
        <div className={classes.scrollPage}>
          <Welcome onOpen={open} />
        </div>
      );
    case 'uploads':
      return <UploadsPage place={place} />;
    case 'connection':
      return (
        <div className={classes.scrollPage}>
          <ConnectionHome
            key={place.connectionId}
            connectionId={place.connectionId}
            onOpen={open}
            buckets={bucketServices}
          />
        </div>
      );
    case 'folder':
      if (props.versions !== null)
        return (
          <VersionsFolder
            place={{ connectionId: place.connectionId, bucket: place.bucket, prefix: prefixOf(place) }}
            services={props.versions}
            onHide={props.onHideVersions}
          />
        );
      return (
        <FolderPage
          key={place.connectionId}
          ref={folderRef}
          place={place}
          detailsOpen={props.detailsOpen}
          onDetails={props.onDetails}
          about={props.about}
          onUpload={props.onUpload}
          onDownload={props.onDownload}
          onOpenFolder={(folder, inNewTab) => {
            const next: WindowPlace = { ...place, folder, startsWith: '' };
            if (inNewTab) props.onOpenTab(next);
            else onGo(next);
          }}
          onStartsWith={(startsWith) => {
            props.onReplace({ ...place, startsWith });
          }}
        />
      );
    default:
      return assertNever(place);
  }
}
