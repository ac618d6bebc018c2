import { Menu } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { shortcutText } from '../../ui/shortcuts.ts';
import { menuGroups, type MenuWishes } from './menu-entries.ts';

export interface MenuPoint {
  readonly x: number;
  readonly y: number;
}

interface RowMenuProps extends MenuWishes {
  /** null: closed. */
  readonly at: MenuPoint | null;
  readonly onClose: () => void;
}

/** What can be done with the selection. */
export function RowMenu(props: RowMenuProps) {
  const { t } = useTranslation();
  const { at, onClose } = props;
  const groups = at === null ? [] : menuGroups(props, t).filter((group) => group.length > 0);
  return (
    <Menu
      opened={at !== null}
      // Beside the point, so that what would not fit below is moved up and not cut off.
      position="right-start"
      offset={2}
      width={260}
      returnFocus
      onChange={(opened) => {
        if (!opened) onClose();
      }}
    >
      <Menu.Target>
        <div
          aria-hidden
          style={{ position: 'fixed', left: at?.x ?? 0, top: at?.y ?? 0, width: 0, height: 0 }}
        />
      </Menu.Target>
      <Menu.Dropdown
        aria-label={t('objects.menu.label')}
        mah="calc(100dvh - 16px)"
        style={{ overflowY: 'auto' }}
      >
        {groups.map((group, number) => (
          <Fragment key={group[0]?.id}>
            {number === 0 ? null : <Menu.Divider />}
            {group.map(({ id, label, icon: Icon, keys, isDanger, run }) => (
              <Menu.Item
                key={id}
                {...(isDanger === true ? { color: 'red' } : {})}
                leftSection={<Icon size={15} aria-hidden />}
                rightSection={keys === undefined ? null : <Keys keys={keys} />}
                onClick={run}
              >
                {label}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Keys({ keys }: { readonly keys: string }) {
  return <span style={{ color: 'var(--cooper-quiet)', fontSize: 12 }}>{shortcutText(keys)}</span>;
}
