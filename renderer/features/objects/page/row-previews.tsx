import { LazyLook, LazyPreviewDialog } from '../../viewers/index.ts';
import type { FolderModel } from '../folder/folder-model.ts';
import { rowFacts } from '../rows/folder-columns.ts';
import type { FolderPlace } from '../rows/place.ts';
import type { FolderRow } from '../rows/row.ts';

interface RowLookProps {
  readonly place: FolderPlace;
  readonly row: FolderRow;
  readonly onClose: () => void;
}

/** The quick look at a row. */
export function RowLook({ place, row, onClose }: RowLookProps) {
  return (
    <LazyLook
      place={place}
      rowKey={row.key}
      isFolder={row.kind === 'folder'}
      etag={row.etag}
      facts={rowFacts(row)}
      onClose={onClose}
    />
  );
}

interface RowPreviewProps {
  readonly place: FolderPlace;
  readonly model: FolderModel | null;
  /** The key of the object to show, or null while the preview is closed. */
  readonly shown: string | null;
  readonly onShow: (key: string | null) => void;
  /** Called when the preview steps to another row. */
  readonly onFocus: (row: number) => void;
}

/** The preview of an object, which steps to the next and previous objects of the list. */
export function RowPreview({ place, model, shown, onShow, onFocus }: RowPreviewProps) {
  const step = (by: -1 | 1): void => {
    if (model === null || shown === null) return;
    let position = model.positionOf(model.find('object', shown)) + by;
    while (model.row(model.rowAt(position))?.kind === 'folder') position += by;
    const next = position < 0 || position >= model.count ? undefined : model.row(model.rowAt(position));
    if (next === undefined) return;
    onFocus(model.rowAt(position));
    onShow(next.key);
  };
  return <LazyPreviewDialog place={place} objectKey={shown} onStep={step} onClose={() => onShow(null)} />;
}
