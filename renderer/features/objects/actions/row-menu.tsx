import { useTranslation } from 'react-i18next';
import { PointMenu, type MenuPoint, MenuEntries } from '../../../ui/menus.tsx';
import { menuGroups, type RowMenuOptions } from './menu-entries.ts';
import type { FolderPlace } from '../rows/place.ts';
import { useCopyAs } from './use-copy-as.tsx';

interface RowMenuProps extends Omit<RowMenuOptions, 'copyAs'> {
  readonly place: FolderPlace;
  /** Null while closed. */
  readonly at: MenuPoint | null;
  readonly onClose: () => void;
}

/** The actions on the selection. */
export function RowMenu(props: RowMenuProps) {
  const { t } = useTranslation();
  const { at, onClose } = props;
  const copyAs = useCopyAs(props.place);
  return (
    <>
      <PointMenu at={at} label={t('objects.menu.label')} widthPx={260} offsetPx={2} onClose={onClose}>
        <MenuEntries groups={at === null ? [] : menuGroups({ ...props, copyAs }, t)} />
      </PointMenu>
      {copyAs.dialog}
    </>
  );
}
