import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import {
  ArchiveRestore,
  Bookmark,
  Columns2,
  Command,
  Ellipsis,
  FolderPlus,
  History,
  Keyboard,
  ScrollText,
  Settings,
  Square,
  TextSearch,
  TimerReset,
  Undo2,
  Zap,
  type LucideIcon,
} from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { commandTable, type WindowCommand } from '../../../shared/commands.ts';
import { folderViews, viewFacts } from '../../features/objects/index.ts';
import { MenuButton } from '../../ui/menu-button.tsx';
import { MenuKeys } from '../../ui/point-menu.tsx';
import type { Commands } from './window-commands.ts';
import classes from '../shell.module.css';

interface MoreMenuProps {
  readonly commands: Commands;
  readonly isFolder: boolean;
  readonly isUnusable: boolean;
  readonly isBookmarked: boolean;
  readonly areVersionsShown: boolean;
  readonly isLogOpen: boolean;
  readonly isPair: boolean;
}

interface Entry {
  readonly command: WindowCommand;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Hidden in a wide window, where the toolbar shows it. */
  readonly isSpare?: true;
}

/** A menu of the commands that do not fit into the toolbar. */
export const MoreMenu = memo(function MoreMenu(props: MoreMenuProps) {
  const { commands, isFolder, isBookmarked, areVersionsShown, isLogOpen, isPair } = props;
  const { t } = useTranslation();
  const bookmark = t(isBookmarked ? 'common.shell.removeBookmark' : 'common.shell.bookmark');
  const ofFolder: readonly Entry[] = [
    { command: 'newFolder', label: t('operations.menu.newFolder'), icon: FolderPlus, isSpare: true },
    { command: 'toggleBookmark', label: bookmark, icon: Bookmark, isSpare: true },
    ...folderViews.map((view): Entry => {
      const { command, icon } = viewFacts[view];
      return { command, label: t(commandTable[command].message), icon, isSpare: true };
    }),
    { command: 'undo', label: t('operations.undo.undo'), icon: Undo2 },
    {
      command: 'toggleVersions',
      label: t(areVersionsShown ? 'entries.versions.hide' : 'entries.versions.show'),
      icon: History,
    },
    { command: 'openTrash', label: t('common.palette.trash'), icon: ArchiveRestore },
    { command: 'search', label: t('entries.search.here'), icon: TextSearch },
    { command: 'openUploads', label: t('entries.stalled.here'), icon: TimerReset },
  ];
  const general: readonly Entry[] = [
    {
      command: 'togglePanes',
      label: t(isPair ? 'common.panes.one' : 'common.panes.two'),
      icon: isPair ? Square : Columns2,
    },
    {
      command: 'toggleLog',
      label: t(isLogOpen ? 'common.shell.hideRequestLog' : 'common.shell.requestLog'),
      icon: ScrollText,
    },
    { command: 'quickOpen', label: t('common.palette.quickOpen'), icon: Zap },
    { command: 'openPalette', label: t('common.shell.palette'), icon: Command },
    { command: 'openShortcuts', label: t('common.palette.shortcuts'), icon: Keyboard },
    { command: 'openSettings', label: t('common.shell.settings'), icon: Settings, isSpare: true },
  ];
  const isOff = (command: WindowCommand): boolean => props.isUnusable && command === 'newFolder';
  const draw = ({ command, label, icon: Icon, isSpare }: Entry) => (
    <Menu.Item
      key={command}
      leftSection={<Icon size={16} aria-hidden />}
      rightSection={<MenuKeys command={command} />}
      data-narrow-only={isSpare}
      className={classes.more ?? ''}
      disabled={isOff(command)}
      onClick={commands[command]}
    >
      {label}
    </Menu.Item>
  );
  return (
    <MenuButton
      position="bottom-end"
      width={280}
      renderButton={(attributes) => (
        <Tooltip label={t('common.more')}>
          <ActionIcon size={28} aria-label={t('common.more')} className={classes.tool ?? ''} {...attributes}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    >
      {isFolder ? (
        <>
          {ofFolder.map(draw)}
          <Menu.Divider />
        </>
      ) : null}
      {general.map(draw)}
    </MenuButton>
  );
});
