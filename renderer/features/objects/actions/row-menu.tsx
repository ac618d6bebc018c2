import { Menu } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { KeysText, PointMenu, type MenuPoint } from '../../../ui/point-menu.tsx';
import { menuGroups, type MenuEntry, type MenuWishes } from './menu-entries.ts';
import type { FolderPlace } from '../rows/place.ts';
import { useCopyAs } from './use-copy-as.tsx';

interface RowMenuProps extends Omit<MenuWishes, 'copyAs'> {
  readonly place: FolderPlace;
  /** null: closed. */
  readonly at: MenuPoint | null;
  readonly onClose: () => void;
}

/** The actions on the selection. */
export function RowMenu(props: RowMenuProps) {
  const { t } = useTranslation();
  const { at, onClose } = props;
  const copyAs = useCopyAs(props.place);
  const groups = at === null ? [] : menuGroups({ ...props, copyAs }, t).filter((group) => group.length > 0);
  return (
    <>
      <PointMenu at={at} label={t('objects.menu.label')} widthPx={260} offsetPx={2} onClose={onClose}>
        {groups.map((group, number) => (
          <Fragment key={group[0]?.id}>
            {number === 0 ? null : <Menu.Divider />}
            {group.map((entry) =>
              'run' in entry ? (
                <Entry key={entry.id} entry={entry} />
              ) : (
                <Menu.Sub key={entry.id}>
                  <Menu.Sub.Target>
                    <Menu.Sub.Item leftSection={<entry.icon size={15} aria-hidden />}>
                      {entry.label}
                    </Menu.Sub.Item>
                  </Menu.Sub.Target>
                  <Menu.Sub.Dropdown aria-label={entry.label}>
                    {entry.entries.map((item) => (
                      <Entry key={item.id} entry={item} />
                    ))}
                  </Menu.Sub.Dropdown>
                </Menu.Sub>
              ),
            )}
          </Fragment>
        ))}
      </PointMenu>
      {copyAs.dialog}
    </>
  );
}

function Entry({ entry }: { readonly entry: MenuEntry }) {
  const { label, icon: Icon, keys, isDanger, run } = entry;
  return (
    <Menu.Item
      {...(isDanger === true ? { color: 'red' } : {})}
      leftSection={<Icon size={15} aria-hidden />}
      rightSection={keys === undefined ? null : <KeysText keys={keys} />}
      onClick={run}
    >
      {label}
    </Menu.Item>
  );
}
