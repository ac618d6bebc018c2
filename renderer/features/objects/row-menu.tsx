import { Menu } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { KeysText, PointMenu, type MenuPoint } from '../../ui/point-menu.tsx';
import { menuGroups, type MenuWishes } from './menu-entries.ts';

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
    <PointMenu at={at} label={t('objects.menu.label')} widthPx={260} offsetPx={2} onClose={onClose}>
      {groups.map((group, number) => (
        <Fragment key={group[0]?.id}>
          {number === 0 ? null : <Menu.Divider />}
          {group.map(({ id, label, icon: Icon, keys, isDanger, run }) => (
            <Menu.Item
              key={id}
              {...(isDanger === true ? { color: 'red' } : {})}
              leftSection={<Icon size={15} aria-hidden />}
              rightSection={keys === undefined ? null : <KeysText keys={keys} />}
              onClick={run}
            >
              {label}
            </Menu.Item>
          ))}
        </Fragment>
      ))}
    </PointMenu>
  );
}
