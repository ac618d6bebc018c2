import { lastSegment } from '../../../shared/keys/paths.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';

const VersionsView = lazyPart(async () => (await import('./versions-view.tsx')).VersionsView);

interface VersionsFolderProps {
  readonly place: { readonly connectionId: string; readonly bucket: string; readonly prefix: string };
  readonly onOpenFolder: (prefix: string) => void;
  readonly onHide: () => void;
}

/** Shows a folder's versions and delete markers instead of its objects. */
export function VersionsFolder({ place, onOpenFolder, onHide }: VersionsFolderProps) {
  const { bucket, prefix } = place;
  return (
    <VersionsView
      key={JSON.stringify(place)}
      where={{ ...place, delimiter: '/' }}
      name={prefix === '' ? bucket : lastSegment(prefix)}
      onOpenFolder={onOpenFolder}
      onHide={onHide}
    />
  );
}
