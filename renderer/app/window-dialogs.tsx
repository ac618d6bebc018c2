import { memo } from 'react';
import { BatchDialogs } from '../features/batches/index.ts';
import { BucketDialogs } from '../features/buckets/index.ts';
import {
  ConnectionDialogs,
  openConnectionDialog,
  startOf,
  useConnectionNameById,
} from '../features/connections/index.ts';
import { FilePicker } from '../features/files/index.ts';
import { InventoryDialogs } from '../features/inventory/index.ts';
import { DragHint, OperationDialogs, type OperationServices } from '../features/operations/index.ts';
import { type LinkedPlace, S3LinkDialogs } from '../features/s3-links/index.ts';
import { FolderSizeDialogs, openFolderSize } from '../features/search/index.ts';
import { SettingsDialogs } from '../features/settings/index.ts';
import { SyncDialogs } from '../features/sync/index.ts';
import { ConflictsDialog, UploadOptionsDialog } from '../features/transfers/index.ts';
import { UploadDialogs, UploadDrawers } from '../features/stalled/index.ts';
import { defineDialogs } from '../ui/dialog/define-dialog.tsx';
import { useValueAfterPaint } from '../ui/use-painted.ts';
import { useStable } from '../ui/use-stable.ts';
import { LinkDialogs } from '../features/links/index.ts';
import { PriceDialogs } from '../features/prices/index.ts';
import { PropertiesDialogs } from '../features/properties/index.ts';
import { TrashDialogs, VersionPreviews, VersionsDialogs } from '../features/versions/index.ts';
import { rpc } from '../rpc/client.ts';
import { type Overlay, overlays, type OverlayServices } from './commands/overlay-store.ts';
import type { SearchActions } from './pages/use-searches.ts';
import { placeFrom, type WindowPlace } from './places/places.ts';
import { useShowMap } from './services/use-show-map.ts';
import { findPlace } from './path/open-address.ts';
import type { NavigationAction } from './places/navigation.ts';

/** The dialogs about objects in a bucket, each of which opens through its store. */
const ObjectDialogs = memo(function ObjectDialogs() {
  return (
    <>
      <VersionsDialogs />
      <TrashDialogs />
      <PropertiesDialogs />
      <PriceDialogs nameOf={useConnectionNameById()} />
      <LinkDialogs />
      <VersionPreviews />
    </>
  );
});

const paletteDialog = async () => (await import('./palette/palette-dialog.tsx')).PaletteDialog;

/** The overlay that `openOverlay` requested. */
const Overlays = defineDialogs<Overlay, { readonly services: OverlayServices; readonly place: WindowPlace }>(
  {
    commands: paletteDialog,
    places: paletteDialog,
    shortcuts: async () => (await import('./commands/shortcuts-dialog.tsx')).ShortcutsDialog,
  },
  { store: overlays },
);

interface WindowDialogsProps {
  readonly place: WindowPlace;
  readonly go: (place: WindowPlace) => void;
  readonly operations: OperationServices;
  readonly overlays: OverlayServices;
  readonly onOpenFolder: SearchActions['openFolder'];
  readonly onOpenLinked: (place: LinkedPlace) => Promise<void>;
}

/**
 * Renders all dialogs in the window. Any component can open one through its store. They render after the rows of a new location.
 */
export const WindowDialogs = memo(function WindowDialogs({ place, ...props }: WindowDialogsProps) {
  return <AllDialogs place={useValueAfterPaint(place)} {...props} />;
});

const AllDialogs = memo(function AllDialogs(props: WindowDialogsProps) {
  const { place, go } = props;
  const { showMap } = useStable({ showMap: useShowMap(go) });
  const { addConnection } = useStable({
    addConnection: () => {
      openConnectionDialog({ mode: 'create', onSaved: (connection) => go(placeFrom(startOf(connection))) });
    },
  });
  return (
    <>
      <UploadDrawers />
      <UploadDialogs />
      <ConflictsDialog />
      <UploadOptionsDialog />
      <S3LinkDialogs onOpen={props.onOpenLinked} onAddConnection={addConnection} />
      <OperationDialogs services={props.operations} />
      <DragHint />
      <ObjectDialogs />
      <FolderSizeDialogs onShow={openFolderSize} onOpenFolder={props.onOpenFolder} />
      <SyncDialogs />
      <FilePicker />
      <Overlays services={props.overlays} place={place} />
      <ConnectionDialogs />
      <BucketDialogs />
      <InventoryDialogs onShowMap={showMap} />
      <BatchDialogs />
      <SettingsDialogs />
    </>
  );
});

interface LinkNeeds {
  readonly place: WindowPlace;
  readonly go: (place: WindowPlace) => void;
  readonly dispatch: (action: NavigationAction) => void;
}

/** Returns a function that opens the location in a link. It uses a new tab, unless the window shows its start page. */
export function useOpenLinked({ place, go, dispatch }: LinkNeeds): (linked: LinkedPlace) => Promise<void> {
  const { openLinked } = useStable({
    openLinked: async ({ connectionId, bucket, prefix }: LinkedPlace) => {
      const linked = await findPlace(rpc, connectionId, { bucket, prefix });
      if (place.kind === 'start') go(linked);
      else dispatch({ kind: 'open-tab', place: linked });
    },
  });
  return openLinked;
}
