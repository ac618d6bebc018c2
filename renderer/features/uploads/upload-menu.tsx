import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isAllowed, labelOf, type UploadAction } from './upload-actions.ts';

export interface MenuAt {
  readonly x: number;
  readonly y: number;
}

interface Props {
  readonly at: MenuAt | null;
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
    <Menu
      opened
      onClose={onClose}
      position="right-start"
      offset={0}
      // Not keydown: the very key that opened the menu would close it.
      clickOutsideEvents={['mousedown', 'touchstart']}
    >
      <Menu.Target>
        <span style={{ position: 'fixed', left: at.x, top: at.y, width: 1, height: 1 }} />
      </Menu.Target>
      <Menu.Dropdown>
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
            {t(`uploads.toolbar.${labelOf(action, count)}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
