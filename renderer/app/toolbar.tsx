import { ActionIcon, Tooltip } from '@mantine/core';
import {
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  Bookmark,
  BookmarkCheck,
  Command,
  FolderPlus,
  History,
  PanelLeft,
  PanelRight,
  RotateCw,
  ScrollText,
  Search,
  Settings,
  TimerReset,
  type LucideIcon,
} from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { newFolderKeys } from '../features/objects/index.ts';
import { shortcutText } from '../ui/shortcuts.ts';
import type { Commands } from './commands.ts';
import { TransferMenu } from './transfer-menu.tsx';
import classes from './shell.module.css';

interface ToolbarProps {
  readonly commands: Commands;
  readonly canGoBack: boolean;
  readonly canGoForward: boolean;
  readonly canGoUp: boolean;
  readonly isFolder: boolean;
  readonly isBookmarked: boolean;
  readonly isSidebarOpen: boolean;
  readonly areDetailsOpen: boolean;
  readonly isLogOpen: boolean;
  readonly areVersionsShown: boolean;
  /** The path. */
  readonly children: ReactNode;
}

/** Where to go, where one is, and what of the window is shown. */
export function Toolbar(props: ToolbarProps) {
  const { commands, isFolder, isBookmarked, isSidebarOpen, areDetailsOpen, isLogOpen, children } = props;
  const { t } = useTranslation();
  return (
    <div role="toolbar" aria-label={t('common.shell.toolbar')} className={classes.toolbar}>
      <Tool
        label={t(isSidebarOpen ? 'common.shell.hideSidebar' : 'common.shell.showSidebar')}
        keys="mod+B"
        isPressed={isSidebarOpen}
        onClick={commands.toggleSidebar}
        icon={PanelLeft}
      />
      <span className={classes.toolGap} />
      <Tool
        label={t('common.shell.back')}
        keys="alt+ArrowLeft"
        isDisabled={!props.canGoBack}
        onClick={commands.back}
        icon={ArrowLeft}
      />
      <Tool
        label={t('common.shell.forward')}
        keys="alt+ArrowRight"
        isDisabled={!props.canGoForward}
        onClick={commands.forward}
        icon={ArrowRight}
      />
      <Tool
        label={t('common.shell.up')}
        keys="alt+ArrowUp"
        isDisabled={!props.canGoUp}
        onClick={commands.up}
        icon={ArrowUp}
      />
      <Tool label={t('common.shell.reload')} keys="F5" onClick={commands.reload} icon={RotateCw} />
      {children}
      {isFolder ? (
        <Tool
          label={t('operations.menu.newFolder')}
          keys={newFolderKeys()}
          onClick={commands.newFolder}
          isSpare
          icon={FolderPlus}
        />
      ) : null}
      {isFolder ? (
        <Tool label={t('search.here')} keys="mod+shift+E" onClick={commands.search} icon={Search} />
      ) : null}
      {isFolder ? <TransferMenu commands={commands} /> : null}
      {isFolder ? (
        <Tool
          label={t(isBookmarked ? 'common.shell.removeBookmark' : 'common.shell.bookmark')}
          keys="mod+D"
          isPressed={isBookmarked}
          onClick={commands.toggleBookmark}
          isSpare
          icon={isBookmarked ? BookmarkCheck : Bookmark}
        />
      ) : null}
      {isFolder ? (
        <Tool
          label={t(props.areVersionsShown ? 'versions.hide' : 'versions.show')}
          keys="alt+V"
          isPressed={props.areVersionsShown}
          onClick={commands.toggleVersions}
          isSpare
          icon={History}
        />
      ) : null}
      {isFolder ? (
        <Tool
          label={t('uploads.here')}
          keys="alt+U"
          onClick={commands.openUploads}
          isSpare
          icon={TimerReset}
        />
      ) : null}
      <Tool label={t('common.shell.palette')} keys="mod+K" onClick={commands.openPalette} icon={Command} />
      <Tool
        label={t(isLogOpen ? 'common.shell.hideRequestLog' : 'common.shell.requestLog')}
        keys="mod+J"
        isPressed={isLogOpen}
        onClick={commands.toggleLog}
        isSpare
        icon={ScrollText}
      />
      <Tool label={t('common.shell.settings')} keys="mod+," onClick={commands.openSettings} icon={Settings} />
      {isFolder ? (
        <Tool
          label={t(areDetailsOpen ? 'common.shell.hideDetails' : 'common.shell.showDetails')}
          keys="mod+I"
          isPressed={areDetailsOpen}
          onClick={commands.toggleDetails}
          icon={PanelRight}
        />
      ) : null}
    </div>
  );
}

interface ToolProps {
  readonly label: string;
  readonly keys: string;
  readonly isDisabled?: boolean;
  readonly isPressed?: boolean;
  /** Left out of a narrow window, where the path needs the room: the palette has it, and its keys. */
  readonly isSpare?: boolean;
  readonly onClick: () => void;
  readonly icon: LucideIcon;
}

/** Tooltips cost more than all the rest of the bar: one is drawn again only when it changes. */
const Tool = memo(function Tool(props: ToolProps) {
  const { label, keys, isDisabled = false, isPressed, isSpare = false, onClick, icon: Icon } = props;
  return (
    <Tooltip label={`${label} (${shortcutText(keys)})`}>
      <ActionIcon
        size={28}
        aria-label={label}
        data-pressed={isPressed}
        data-spare={isSpare || undefined}
        className={classes.tool ?? ''}
        disabled={isDisabled}
        onClick={onClick}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
});
