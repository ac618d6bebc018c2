import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import {
  Bookmark,
  Command,
  Ellipsis,
  FolderPlus,
  History,
  Keyboard,
  ScrollText,
  TimerReset,
  Zap,
  type LucideIcon,
} from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { WindowCommand } from '../../shared/commands.ts';
import { MenuKeys } from '../ui/point-menu.tsx';
import type { Commands } from './commands.ts';
import classes from './shell.module.css';

interface MoreMenuProps {
  readonly commands: Commands;
  readonly isFolder: boolean;
  readonly isBookmarked: boolean;
  readonly areVersionsShown: boolean;
  readonly isLogOpen: boolean;
}

interface Entry {
  readonly command: WindowCommand;
  readonly label: string;
  readonly icon: LucideIcon;
  /** The toolbar of a wide window has it. */
  readonly isSpare?: true;
}

/** What the toolbar has no room for. */
export const MoreMenu = memo(function MoreMenu(props: MoreMenuProps) {
  const { commands, isFolder, isBookmarked, areVersionsShown, isLogOpen } = props;
  const { t } = useTranslation();
  const bookmark = t(isBookmarked ? 'common.shell.removeBookmark' : 'common.shell.bookmark');
  const ofFolder: readonly Entry[] = [
    { command: 'newFolder', label: t('operations.menu.newFolder'), icon: FolderPlus, isSpare: true },
    { command: 'toggleBookmark', label: bookmark, icon: Bookmark, isSpare: true },
    {
      command: 'toggleVersions',
      label: t(areVersionsShown ? 'versions.hide' : 'versions.show'),
      icon: History,
    },
    { command: 'openUploads', label: t('uploads.here'), icon: TimerReset },
  ];
  const general: readonly Entry[] = [
    {
      command: 'toggleLog',
      label: t(isLogOpen ? 'common.shell.hideRequestLog' : 'common.shell.requestLog'),
      icon: ScrollText,
    },
    { command: 'quickOpen', label: t('common.palette.quickOpen'), icon: Zap },
    { command: 'openPalette', label: t('common.shell.palette'), icon: Command },
    { command: 'openShortcuts', label: t('common.palette.shortcuts'), icon: Keyboard },
  ];
  const draw = ({ command, label, icon: Icon, isSpare }: Entry) => (
    <Menu.Item
      key={command}
      leftSection={<Icon size={16} aria-hidden />}
      rightSection={<MenuKeys command={command} />}
      data-narrow-only={isSpare}
      className={classes.more ?? ''}
      onClick={commands[command]}
    >
      {label}
    </Menu.Item>
  );
  return (
    <Menu position="bottom-end" width={280} returnFocus>
      <Menu.Target>
        <Tooltip label={t('common.more')}>
          <ActionIcon size={28} aria-label={t('common.more')} className={classes.tool ?? ''}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {isFolder ? (
          <>
            {ofFolder.map(draw)}
            <Menu.Divider />
          </>
        ) : null}
        {general.map(draw)}
      </Menu.Dropdown>
    </Menu>
  );
});
