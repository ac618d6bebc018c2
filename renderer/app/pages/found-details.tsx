import { useMemo } from 'react';
import {
  InDetailsSlot,
  LazyDetailsPane,
  objectRow,
  type AboutActions,
  type DetailedRows,
  type FolderPlace,
} from '../../features/objects/index.ts';
import { FolderSize, type SearchDetails } from '../../features/search/index.ts';
import type { SearchWindowPlace } from '../places/places.ts';

interface FoundDetailsProps {
  readonly place: SearchWindowPlace;
  readonly details: SearchDetails;
  readonly about: AboutActions;
  readonly onShowMap: (folder: string) => void;
}

/** Shows the details of the selected search results, or of the searched folder without a selection. */
export function ResultDetails({ place, details, about, onShowMap }: FoundDetailsProps) {
  const { connectionId, bucket, prefix } = place;
  const { chosen, isArriving, onPreview, properties, ...actions } = details;
  const searched = useMemo<FolderPlace>(
    () => ({ connectionId, bucket, folder: prefix, startsWith: '' }),
    [connectionId, bucket, prefix],
  );
  const detailed = useMemo<DetailedRows>(() => {
    const { count, sizeBytes, entries } = chosen;
    const only = count === 1 ? entries?.[0] : undefined;
    return {
      count,
      only: only === undefined ? null : objectRow(only),
      sum: () => ({ rows: count, folders: 0, sizeBytes }),
      rows: () => entries?.map(objectRow) ?? null,
    };
  }, [chosen]);
  return (
    <InDetailsSlot>
      <LazyDetailsPane
        place={searched}
        chosen={detailed}
        onPreview={onPreview}
        actions={{ ...actions, about: { ...about, properties } }}
        renderExtras={(folder) => <FolderSize where={{ connectionId, bucket, prefix: folder }} />}
        onShowMap={onShowMap}
        isArriving={isArriving}
        isUnlisted={false}
      />
    </InDetailsSlot>
  );
}
