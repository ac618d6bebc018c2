import { useTranslation } from 'react-i18next';
import { MenuEntries } from '../../../ui/menu-entries.tsx';
import { PointMenu, type MenuPoint } from '../../../ui/point-menu.tsx';
import { isAllowed, uploadActionLabel, type UploadAction } from '../model/upload-actions.ts';

interface Props {
  readonly at: MenuPoint | null;
  readonly onClose: () => void;
  readonly actions: readonly UploadAction[];
  readonly count: number;
  readonly onAction: (action: UploadAction) => void;
}

/** The context menu of the selected uploads, where the pointer is. */
export function UploadMenu({ at, onClose, actions, count, onAction }: Props) {
  const { t } = useTranslation();
  if (at === null) return null;
  return (
    <PointMenu at={at} onClose={onClose}>
      <MenuEntries
        groups={[
          actions.map((action) => ({
            label: t(`stalled.toolbar.${uploadActionLabel(action, count)}`),
            isDanger: action === 'abort',
            isDisabled: !isAllowed(action, count),
            run: () => {
              onClose();
              onAction(action);
            },
          })),
        ]}
      />
    </PointMenu>
  );
}
