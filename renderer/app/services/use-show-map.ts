import { nameOfView } from '../../features/objects/index.ts';
import { useKeptSetter } from '../../rpc/use-kept-view.ts';
import { folderPlace, type FolderWindowPlace, type WindowPlace } from '../places/places.ts';

type MapFolder = Pick<FolderWindowPlace, 'connectionId' | 'bucket' | 'folder'>;

/** Returns a function that opens a folder as a map. */
export function useShowMap(go: (place: WindowPlace) => void): (place: MapFolder) => void {
  const keep = useKeptSetter();
  return (place) => {
    keep(nameOfView(place), 'map');
    go(folderPlace(place.connectionId, place.bucket, place.folder));
  };
}
