import { memo } from 'react';
import { LinkDialogs } from '../features/links/index.ts';
import { PropertiesDialogs, type PropertyServices } from '../features/properties/index.ts';
import { VersionsDialogs, type VersionServices } from '../features/versions/index.ts';
import { PreviewDialog } from '../features/viewers/index.ts';
import { previewVersion, usePreviewedVersion } from './object-extras.ts';

interface ObjectDialogsProps {
  readonly versions: VersionServices;
  readonly properties: PropertyServices;
}

/** The dialogs about single objects: versions, properties, links, and the preview of a version. */
export const ObjectDialogs = memo(function ObjectDialogs({ versions, properties }: ObjectDialogsProps) {
  return (
    <>
      <VersionsDialogs services={versions} />
      <PropertiesDialogs services={properties} />
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
    <PreviewDialog
      place={{ connectionId, bucket }}
      objectKey={key}
      versionId={versionId}
      onStep={null}
      onClose={() => previewVersion(null)}
    />
  );
}
