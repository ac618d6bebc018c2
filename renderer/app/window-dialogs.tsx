import { lazy, memo } from 'react';
import { useTranslation } from 'react-i18next';
import { BatchDialogs } from '../features/batches/index.ts';
import { BucketDialogs } from '../features/buckets/index.ts';
import { ConnectionDialogs, openConnectionDialog, startOf } from '../features/connections/index.ts';
import { FilePicker, pickLocal } from '../features/files/index.ts';
import { InventoryDialogs, openReport } from '../features/inventory/index.ts';
import { loadJobSettings } from '../features/transfers/index.ts';
import { DragHint, OperationDialogs, type OperationServices } from '../features/operations/index.ts';
import { S3LinkDialogs, type LinkedPlace } from '../features/s3-links/index.ts';
import { FolderSizeDialogs, openFolderSize } from '../features/search/index.ts';
import { SettingsDialogs, type SettingsSection } from '../features/settings/index.ts';
import { SyncDialogs } from '../features/sync/index.ts';
import { ConflictsDialog, UploadOptionsDialog } from '../features/transfers/index.ts';
import { loadUpdateSettings } from '../features/updates/index.ts';
import { UploadDialogs } from '../features/stalled/index.ts';
import { usePainted } from '../ui/use-painted.ts';
import { useStable } from '../ui/use-stable.ts';
import type { OverlayServices } from './commands/overlay-store.ts';
import { Overlays } from './overlays.tsx';
import type { Searches } from './pages/use-searches.ts';
import { placeFrom, type WindowPlace } from './places/places.ts';
import { ObjectDialogs } from './services/object-dialogs.tsx';
import { versionServices } from './services/object-extras.ts';
import { useShowMap } from './services/use-show-map.ts';
import type { Transfers } from './services/use-transfers.ts';

const JobSettings = lazy(async () => ({ default: await loadJobSettings() }));
const UpdateSettings = lazy(async () => ({ default: await loadUpdateSettings() }));
const settingsSections: readonly SettingsSection[] = [
  { name: 'transfers', content: <JobSettings /> },
  { name: 'updates', content: <UpdateSettings /> },
];
const pickFolder = (title: string) => pickLocal('folder', title);

interface WindowDialogsProps {
  readonly place: WindowPlace;
  readonly go: (place: WindowPlace) => void;
  readonly transfers: Transfers;
  readonly operations: OperationServices;
  readonly overlays: OverlayServices;
  readonly onOpenFolder: Searches['openFolder'];
  readonly onOpenLinked: (place: LinkedPlace) => Promise<void>;
}

/** All dialogs of the window. Any component can open one through its store. They render after the rows of a new place. */
export const WindowDialogs = memo(function WindowDialogs({ place, ...props }: WindowDialogsProps) {
  return <AllDialogs place={usePainted(place)} {...props} />;
});

const AllDialogs = memo(function AllDialogs(props: WindowDialogsProps) {
  const { place, go, transfers } = props;
  const { t } = useTranslation();
  const versions = useStable(versionServices(transfers.transferServices, t, go, place));
  const { showMap } = useStable({ showMap: useShowMap(go) });
  const buckets = useStable({ ...transfers.listServices, openReport });
  const { addConnection } = useStable({
    addConnection: () => {
      openConnectionDialog({
        mode: 'create',
        onSaved: (connection) => go(placeFrom(startOf(connection))),
      });
    },
  });
  return (
    <>
      <UploadDialogs services={transfers.uploadServices} />
      <ConflictsDialog />
      <UploadOptionsDialog />
      <S3LinkDialogs onOpen={props.onOpenLinked} onAddConnection={addConnection} />
      <OperationDialogs services={props.operations} />
      <DragHint />
      <ObjectDialogs versions={versions} onShowJob={transfers.transferServices.showJob} />
      <FolderSizeDialogs onShow={openFolderSize} onOpenFolder={props.onOpenFolder} />
      <SyncDialogs services={transfers.transferServices} />
      <FilePicker />
      <Overlays services={props.overlays} place={place} />
      <ConnectionDialogs />
      <BucketDialogs services={buckets} />
      <InventoryDialogs onShowMap={showMap} />
      <BatchDialogs onShowJob={transfers.listServices.showJob} />
      <SettingsDialogs sections={settingsSections} pickFolder={pickFolder} />
    </>
  );
});
