import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ObjectEntry } from '../../../shared/models/objects.ts';
import { parentFolder } from '../../../shared/keys/paths.ts';
import { SearchView, type ChosenResults, type SearchServices } from '../../features/search/index.ts';
import { objectRow, rowFacts } from '../../features/objects/index.ts';
import { LazyLook, LazyPreviewDialog } from '../../features/viewers/index.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useShowMap } from '../services/use-show-map.ts';
import { folderPlace, type SearchWindowPlace, type WindowPlace } from '../places/places.ts';

const FoundDetails = lazyPart(async () => (await import('./found-details.tsx')).FoundDetails);

/** The window's actions on search results. */
export interface FoundServices {
  readonly download: (place: SearchWindowPlace, chosen: ChosenResults) => void;
  readonly remove: (place: SearchWindowPlace, chosen: ChosenResults) => void;
  /** Creates an S3 Batch Operations job for the results, if the connection supports it. */
  readonly batch: (place: SearchWindowPlace, chosen: ChosenResults) => void;
  readonly offersBatches: (connectionId: string) => boolean;
  readonly transfer: (place: SearchWindowPlace, entries: readonly ObjectEntry[], isMove: boolean) => void;
  readonly mark: (place: SearchWindowPlace, entries: readonly ObjectEntry[]) => void;
  readonly drag: (
    place: SearchWindowPlace,
    data: DataTransfer,
    entries: readonly ObjectEntry[],
    t: TFunction,
  ) => void;
  readonly showVersions: (place: SearchWindowPlace, key: string) => void;
  readonly showProperties: (place: SearchWindowPlace, entries: readonly ObjectEntry[]) => void;
  readonly createLink: (place: SearchWindowPlace, key: string) => void;
  /** Shows an object in its folder. */
  readonly showObject: (place: SearchWindowPlace, key: string) => void;
}

interface SearchPlaceProps {
  readonly place: SearchWindowPlace;
  readonly services: FoundServices;
  readonly onGo: (place: WindowPlace) => void;
  readonly onReplace: (place: WindowPlace) => void;
  readonly onOpenTab: (place: WindowPlace) => void;
}

/** A search in a tab. */
export function SearchPlace({ place, services: found, onGo, onReplace, onOpenTab }: SearchPlaceProps) {
  const { t } = useTranslation();
  const { connectionId, bucket, prefix } = place;
  const showMap = useShowMap(onGo);
  const services: SearchServices = {
    goToObject: (key, inNewTab) => {
      if (inNewTab) onOpenTab(folderPlace(connectionId, bucket, parentFolder(key) ?? ''));
      else found.showObject(place, key);
    },
    download: (chosen) => {
      found.download(place, chosen);
    },
    remove: (chosen) => {
      found.remove(place, chosen);
    },
    transfer: (entries, isMove) => {
      found.transfer(place, entries, isMove);
    },
    mark: (entries) => {
      found.mark(place, entries);
    },
    showProperties: (entries) => {
      found.showProperties(place, entries);
    },
    createLink: (key) => {
      found.createLink(place, key);
    },
    drag: (data, entries) => {
      found.drag(place, data, entries, t);
    },
    renderDetails: (wish) => (
      <FoundDetails
        place={place}
        wish={wish}
        onVersions={(key) => {
          found.showVersions(place, key);
        }}
        onLink={(key) => {
          found.createLink(place, key);
        }}
        onShowMap={(folder) => {
          showMap({ connectionId, bucket, folder });
        }}
      />
    ),
    batch: found.offersBatches(connectionId)
      ? (chosen) => {
          found.batch(place, chosen);
        }
      : null,
    renderPreview: ({ objectKey, onStep, onClose }) => (
      <LazyPreviewDialog
        place={{ connectionId, bucket }}
        objectKey={objectKey}
        onStep={onStep}
        onClose={onClose}
      />
    ),
    renderLook: (entry, onClose) => (
      <LazyLook
        place={{ connectionId, bucket }}
        rowKey={entry.key}
        isFolder={false}
        etag={entry.etag}
        facts={rowFacts(objectRow(entry))}
        onClose={onClose}
      />
    ),
  };
  return (
    <SearchView
      key={`${place.id}:${prefix}`}
      where={{ connectionId, bucket, prefix }}
      form={place.form}
      walkId={place.walkId}
      services={services}
      onBegun={(form, walkId) => {
        onReplace({ ...place, form, walkId });
      }}
      onWiden={
        prefix === ''
          ? null
          : (form) => {
              onReplace({ ...place, prefix: '', form, walkId: null });
            }
      }
    />
  );
}
