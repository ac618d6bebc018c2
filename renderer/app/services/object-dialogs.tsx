import { memo } from 'react';
import { useConnectionNameById } from '../../features/connections/index.ts';
import { LinkDialogs } from '../../features/links/index.ts';
import { PriceDialogs } from '../../features/prices/index.ts';
import { PropertiesDialogs } from '../../features/properties/index.ts';
import { TrashDialogs, VersionsDialogs, type VersionServices } from '../../features/versions/index.ts';
import { LazyPreviewDialog } from '../../features/viewers/index.ts';
import { closePreviewedVersion, usePreviewedVersion } from './object-extras.ts';

interface ObjectDialogsProps {
  readonly versions: VersionServices;
  readonly onShowJob: (jobId: string) => void;
}

/** The dialogs about single objects: versions, properties, links, and the preview of a version. */
export const ObjectDialogs = memo(function ObjectDialogs({ versions, onShowJob }: ObjectDialogsProps) {
  return (
    <>
      <VersionsDialogs services={versions} />
      <TrashDialogs />
      <PropertiesDialogs onShowJob={onShowJob} />
      <PriceDialogs nameOf={useConnectionNameById()} />
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
