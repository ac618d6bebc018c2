import {
  ArchiveRestore,
  Bookmark,
  Columns2,
  Command,
  Download,
  Ellipsis,
  FileUp,
  FolderPlus,
  FolderSync,
  FolderUp,
  History,
  Keyboard,
  type LucideIcon,
  ScrollText,
  Settings,
  SlidersHorizontal,
  Square,
  TextSearch,
  TimerReset,
  Undo2,
  Upload,
  Zap,
} from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { commandTable, type WindowCommand } from '../../../shared/commands.ts';
import { folderViews, viewFacts } from '../../features/objects/index.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { MenuEntries, type MenuEntry, type MenuGroup, menuEntry } from '../../ui/menus.tsx';
import { withKeys } from '../../ui/keyboard/commands.ts';
import classes from '../shell.module.css';
import type { Commands } from './define-command.ts';

interface MoreMenuProps {
  readonly commands: Commands;
  readonly isFolder: boolean;
  readonly isNewFolderDisabled: boolean;
  readonly isBookmarked: boolean;
  readonly areVersionsShown: boolean;
  readonly isLogOpen: boolean;
  readonly isPair: boolean;
}

/** A menu of the commands that do not fit into the toolbar. */
export const MoreMenu = memo(function MoreMenu(props: MoreMenuProps) {
  const { commands, isFolder, isBookmarked, areVersionsShown, isLogOpen, isPair } = props;
  const { t } = useTranslation();
  const entry = (command: WindowCommand, label: string, icon: LucideIcon): MenuEntry => ({
    command,
    label,
    icon,
    run: commands[command],
  });
  const ofFolder: MenuGroup = [
    {
      ...entry('newFolder', t('operations.menu.newFolder'), FolderPlus),
      isNarrowOnly: true,
      isDisabled: props.isNewFolderDisabled,
    },
    {
      ...entry(
        'toggleBookmark',
        t(isBookmarked ? 'common.shell.removeBookmark' : 'common.shell.bookmark'),
        Bookmark,
      ),
      isNarrowOnly: true,
    },
    ...folderViews.map((view) => {
      const { command, icon } = viewFacts[view];
      return { ...entry(command, t(commandTable[command].message), icon), isNarrowOnly: true };
    }),
    entry('undo', t('operations.undo.undo'), Undo2),
    entry('toggleVersions', t(areVersionsShown ? 'entries.versions.hide' : 'entries.versions.show'), History),
    entry('openTrash', t('common.palette.trash'), ArchiveRestore),
    entry('search', t('entries.search.here'), TextSearch),
    entry('openUploads', t('entries.stalled.here'), TimerReset),
  ];
  const general: MenuGroup = [
    entry('togglePanes', t(isPair ? 'common.panes.one' : 'common.panes.two'), isPair ? Square : Columns2),
    entry('toggleLog', t(isLogOpen ? 'common.shell.hideRequestLog' : 'common.shell.requestLog'), ScrollText),
    entry('quickOpen', t('common.palette.quickOpen'), Zap),
    entry('openPalette', t('common.shell.palette'), Command),
    entry('openShortcuts', t('common.palette.shortcuts'), Keyboard),
    { ...entry('openSettings', t('common.shell.settings'), Settings), isNarrowOnly: true },
  ];
  return (
    <MenuButton
      position="bottom-end"
      width={280}
      renderButton={(attributes) => (
        <IconButton
          size={28}
          label={t('common.more')}
          icon={Ellipsis}
          className={classes.tool ?? ''}
          {...attributes}
        />
      )}
    >
      <MenuEntries groups={isFolder ? [ofFolder, general] : [general]} />
    </MenuButton>
  );
});

interface TransferMenuProps {
  readonly commands: Commands;
  /** True if the folder could not be opened. */
  readonly isDisabled: boolean;
}

/** The menus to upload into the visible folder and to download from it. */
export const TransferMenu = memo(function TransferMenu({ commands, isDisabled }: TransferMenuProps) {
  const { t } = useTranslation();
  return (
    <>
      <MenuButton
        position="bottom-end"
        width={240}
        renderButton={(attributes) => (
          <IconButton
            size={28}
            label={t('transfers.upload')}
            icon={Upload}
            className={classes.tool ?? ''}
            data-word
            disabled={isDisabled}
            {...attributes}
          >
            <span className={classes.word}>{t('transfers.upload')}</span>
          </IconButton>
        )}
      >
        <MenuEntries
          groups={[
            [
              menuEntry(t('transfers.uploadFiles'), FileUp, commands.uploadFiles, { command: 'uploadFiles' }),
              menuEntry(t('transfers.uploadFolder'), FolderUp, commands.uploadFolder),
              menuEntry(t('transfers.options.menu'), SlidersHorizontal, commands.uploadWithOptions),
            ],
            [
              menuEntry(t('entries.sync.menu.up'), FolderSync, commands.syncUp),
              menuEntry(t('entries.sync.menu.down'), FolderSync, commands.syncDown),
            ],
          ]}
        />
      </MenuButton>
      <IconButton
        size={28}
        label={t('transfers.download')}
        tip={withKeys(t('transfers.download'), 'download')}
        icon={Download}
        className={classes.tool ?? ''}
        data-word
        disabled={isDisabled}
        onClick={commands.download}
      >
        <span className={classes.word}>{t('transfers.download')}</span>
      </IconButton>
    </>
  );
});
