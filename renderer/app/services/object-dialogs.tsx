import { memo } from 'react';
import { useConnectionName, useConnections } from '../../features/connections/index.ts';
import { LinkDialogs } from '../../features/links/index.ts';
import { openPriceDialog, PriceDialogs } from '../../features/prices/index.ts';
import { PropertiesDialogs, type PropertyServices } from '../../features/properties/index.ts';
import { VersionsDialogs, type VersionServices } from '../../features/versions/index.ts';
import { LazyPreviewDialog } from '../../features/viewers/index.ts';
import { closePreviewedVersion, usePreviewedVersion } from './object-extras.ts';

interface ObjectDialogsProps {
  readonly versions: VersionServices;
  readonly properties: Omit<PropertyServices, 'showPrices'>;
}

function showPrices(connectionId: string): void {
  openPriceDialog({ connectionId });
}

/** The dialogs about single objects: versions, properties, links, and the preview of a version. */
export const ObjectDialogs = memo(function ObjectDialogs({ versions, properties }: ObjectDialogsProps) {
  const connections = useConnections().data;
  const named = useConnectionName();
  const nameOf = (connectionId: string): string => {
    const connection = connections?.find(({ id }) => id === connectionId);
    return connection === undefined ? '' : named(connection);
  };
  return (
    <>
      <VersionsDialogs services={versions} />
      <PropertiesDialogs services={{ ...properties, showPrices }} />
      <PriceDialogs nameOf={nameOf} />
      <LinkDialogs />
      <VersionPreview />
    </>
  );
});

function VersionPreview() {
  const ref = usePreviewedVersion();
  if (ref === null) return null;
  const { connectionId, bucket, key, versionId } = ref;
  return (
    <LazyPreviewDialog
      place={{ connectionId, bucket }}
      objectKey={key}
      versionId={versionId}
      onStep={null}
      onClose={closePreviewedVersion}
    />
  );
}
