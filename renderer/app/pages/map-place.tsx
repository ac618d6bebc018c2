import { useImperativeHandle, useRef, useState, type ReactNode, type Ref } from 'react';
import { MapView, type MapHandle, type MapItem } from '../../features/map/index.ts';
import {
  RowMenu,
  useFolderView,
  type FolderActions,
  type FolderHandle,
  type FolderPlace,
  type FolderRow,
  type FolderView,
} from '../../features/objects/index.ts';
import { openOperation } from '../../features/operations/index.ts';
import { LazyPreviewDialog } from '../../features/viewers/index.ts';

interface MapFolderProps {
  readonly place: FolderPlace;
  readonly ref: Ref<FolderHandle>;
  readonly actions: FolderActions;
  readonly onOpenFolder: (folder: string, inNewTab: boolean) => void;
}

function rowOf({ kind, key, sizeBytes, modified, storageClass }: MapItem): FolderRow {
  const modifiedMs = modified === null ? Number.NaN : Date.parse(modified);
  return { kind, key, sizeBytes, modifiedMs, storageClass, etag: null };
}

function nothing(): void {
  // A map has no filter field.
}

/** Shows a folder in the view chosen for its bucket: a map, or its rows. */
export function FolderOrMap({ children, ...props }: MapFolderProps & { readonly children: ReactNode }) {
  const { place } = props;
  const { view, setView } = useFolderView(place);
  if (view !== 'map') return children;
  return <MapFolder key={`${place.connectionId}:${place.bucket}`} {...props} setView={setView} />;
}

/** Shows a folder as a map. The window's commands act on the map's selection. */
function MapFolder(props: MapFolderProps & { readonly setView: (view: FolderView) => void }) {
  const { place, ref, actions, onOpenFolder, setView } = props;
  const map = useRef<MapHandle>(null);
  const [previewKey, setPreviewKey] = useState<string | null>(null);
  const selected = (): readonly FolderRow[] => (map.current?.selected() ?? []).map(rowOf);
  useImperativeHandle(ref, () => ({
    focus: () => map.current?.focus(),
    find: nothing,
    selectAll: nothing,
    reload: () => map.current?.reload(),
    setView,
    selected,
    select: (_kind, key) => setPreviewKey(key),
    rename: (row) => openOperation({ kind: 'rename', place, row, newName: null }),
    has: () => false,
    loaded: () => [],
  }));
  return (
    <>
      <MapView
        ref={map}
        place={place}
        services={{
          openFolder: onOpenFolder,
          openObject: setPreviewKey,
          renderMenu: ({ at, items, onClose, onOpen }) => (
            <RowMenu
              place={place}
              at={at}
              selected={items.map(rowOf)}
              actions={actions}
              onClose={onClose}
              onOpen={(row, inNewTab) => {
                const item = items.find(({ key }) => key === row.key);
                if (item !== undefined) onOpen(item, inNewTab);
              }}
              onLook={() => {
                const [only] = items;
                if (only !== undefined) onOpen(only, false);
              }}
              onDetails={actions.about.properties}
              hasThumbnails={false}
              onSelectAll={nothing}
              onReload={() => map.current?.reload()}
            />
          ),
        }}
      />
      <LazyPreviewDialog
        place={place}
        objectKey={previewKey}
        onStep={nothing}
        onClose={() => {
          setPreviewKey(null);
          map.current?.focus();
        }}
      />
    </>
  );
}
