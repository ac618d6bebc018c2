import type { Ref } from 'react';
import { parentFolder } from '../../../shared/keys/paths.ts';
import { SearchView, type ChosenResults, type SearchServices } from '../../features/search/index.ts';
import type { FolderActions, FolderHandle } from '../../features/objects/index.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useShowMap } from '../services/use-show-map.ts';
import { folderPlace, type SearchWindowPlace, type WindowPlace } from '../places/places.ts';

const FoundDetails = lazyPart(async () => (await import('./found-details.tsx')).ResultDetails);

/** The window's actions on search results that may include results which are not loaded. */
export interface FoundServices {
  readonly download: (place: SearchWindowPlace, chosen: ChosenResults) => void;
  readonly remove: (place: SearchWindowPlace, chosen: ChosenResults) => void;
  /** Creates an S3 Batch Operations job for the results, if the connection supports it. */
  readonly batch: (place: SearchWindowPlace, chosen: ChosenResults) => void;
  readonly offersBatches: (connectionId: string) => boolean;
  /** Shows an object in its folder. */
  readonly showObject: (place: SearchWindowPlace, key: string) => void;
}

interface SearchPlaceProps {
  readonly place: SearchWindowPlace;
  readonly ref: Ref<FolderHandle>;
  readonly services: FoundServices;
  readonly actions: FolderActions;
  readonly onDetails: (open: boolean) => void;
  readonly onGo: (place: WindowPlace) => void;
  readonly onReplace: (place: WindowPlace) => void;
  readonly onOpenTab: (place: WindowPlace) => void;
}

/** A search in a tab. */
export function SearchPlace(props: SearchPlaceProps) {
  const { place, ref, services: found, actions, onDetails, onGo, onReplace, onOpenTab } = props;
  const { connectionId, bucket, prefix } = place;
  const showMap = useShowMap(onGo);
  const services: SearchServices = {
    actions,
    showDetails: () => onDetails(true),
    goToObject: (key, inNewTab) => {
      if (inNewTab) onOpenTab(folderPlace(connectionId, bucket, parentFolder(key) ?? ''));
      else found.showObject(place, key);
    },
    download: (chosen) => found.download(place, chosen),
    remove: (chosen) => found.remove(place, chosen),
    renderDetails: (details) => (
      <FoundDetails
        place={place}
        details={details}
        about={actions.about}
        onShowMap={(folder) => showMap({ connectionId, bucket, folder })}
      />
    ),
    batch: found.offersBatches(connectionId)
      ? (chosen) => {
          found.batch(place, chosen);
        }
      : null,
  };
  return (
    <SearchView
      ref={ref}
      key={`${place.id}:${prefix}`}
      where={{ connectionId, bucket, prefix }}
      form={place.form}
      walkId={place.walkId}
      services={services}
      onBegun={(form, walkId) => onReplace({ ...place, form, walkId })}
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
