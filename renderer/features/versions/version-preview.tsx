import type { VersionRef } from '../../../shared/models/versions.ts';
import { defineDialog, type DialogProps } from '../../ui/dialog/define-dialog.tsx';
import { LazyPreviewDialog } from '../viewers/index.ts';

/** The preview of one version of an object. */
export const { open: previewVersion, Mounted: VersionPreviews } = defineDialog<VersionRef>(
  // The preview itself is loaded on first use.
  () => Promise.resolve(VersionPreview),
);

function VersionPreview({ request, onClose }: DialogProps<VersionRef>) {
  const { connectionId, bucket, key, versionId } = request;
  return (
    <LazyPreviewDialog
      place={{ connectionId, bucket }}
      objectKey={key}
      versionId={versionId}
      onStep={null}
      onClose={onClose}
    />
  );
}
