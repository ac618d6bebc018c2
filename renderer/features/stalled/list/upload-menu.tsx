import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
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
      {actions.map((action) => (
        <Menu.Item
          key={action}
          {...(action === 'abort' ? { color: 'red' } : {})}
          disabled={!isAllowed(action, count)}
          onClick={() => {
            onClose();
            onAction(action);
          }}
        >
          {t(`stalled.toolbar.${uploadActionLabel(action, count)}`)}
        </Menu.Item>
      ))}
    </PointMenu>
  );
}
