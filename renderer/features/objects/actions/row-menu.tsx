import { useTranslation } from 'react-i18next';
import { PointMenu, type MenuPoint, MenuEntries } from '../../../ui/menus.tsx';
import { menuGroups, type RowMenuOptions } from './menu-entries.ts';
import { askForThumbnails, thumbnailKind } from '../../viewers/index.ts';
import type { FolderPlace } from '../rows/place.ts';
import type { FolderRow } from '../rows/row.ts';
import { useCopyKeys, type CopyKind } from './folder-actions.ts';
import { useCopyAs } from './use-copy-as.tsx';

interface RowMenuProps extends Omit<RowMenuOptions, 'copyAs' | 'onCopy' | 'onThumbnails'> {
  readonly place: FolderPlace;
  /** False if the rows are shown without thumbnails. */
  readonly hasThumbnails?: boolean;
  /** Null while closed. */
  readonly at: MenuPoint | null;
  readonly onClose: () => void;
}

/** The actions on the selection. */
export function RowMenu(props: RowMenuProps) {
  const { t } = useTranslation();
  const { place, at, selected, hasThumbnails = true, onClose } = props;
  const copyAs = useCopyAs(place);
  const copyKeys = useCopyKeys(place);
  const options = {
    ...props,
    copyAs,
    onCopy: (kind: CopyKind) =>
      copyKeys(
        kind,
        selected.map(({ key }) => key),
      ),
    onThumbnails: hasThumbnails ? thumbnailsOf(place, selected) : null,
  };
  return (
    <>
      <PointMenu at={at} label={t('objects.menu.label')} widthPx={260} offsetPx={2} onClose={onClose}>
        <MenuEntries groups={at === null ? [] : menuGroups(options, t)} />
      </PointMenu>
      {copyAs.dialog}
    </>
  );
}

/** Returns a function that makes the thumbnails that are only made on request, or null if no row has one. */
function thumbnailsOf(place: FolderPlace, rows: readonly FolderRow[]): (() => void) | null {
  const asking = rows.filter((row) => row.kind === 'object' && thumbnailKind(row) === 'asks');
  return asking.length === 0 ? null : () => void askForThumbnails(asking.map((row) => ({ place, row })));
}
