import { ActionIcon, Tooltip } from '@mantine/core';
import {
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  Bookmark,
  BookmarkCheck,
  Command,
  PanelLeft,
  PanelRight,
  RotateCw,
  ScrollText,
  Settings,
  TimerReset,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
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
  /** The path. */
  readonly children: ReactNode;
}

const icon = { size: 16, 'aria-hidden': true } as const;

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
      >
        <PanelLeft {...icon} />
      </Tool>
      <span className={classes.toolGap} />
      <Tool
        label={t('common.shell.back')}
        keys="alt+ArrowLeft"
        isDisabled={!props.canGoBack}
        onClick={commands.back}
      >
        <ArrowLeft {...icon} />
      </Tool>
      <Tool
        label={t('common.shell.forward')}
        keys="alt+ArrowRight"
        isDisabled={!props.canGoForward}
        onClick={commands.forward}
      >
        <ArrowRight {...icon} />
      </Tool>
      <Tool label={t('common.shell.up')} keys="alt+ArrowUp" isDisabled={!props.canGoUp} onClick={commands.up}>
        <ArrowUp {...icon} />
      </Tool>
      <Tool label={t('common.shell.reload')} keys="F5" onClick={commands.reload}>
        <RotateCw {...icon} />
      </Tool>
      {children}
      {isFolder ? <TransferMenu commands={commands} /> : null}
      {isFolder ? (
        <Tool
          label={t(isBookmarked ? 'common.shell.removeBookmark' : 'common.shell.bookmark')}
          keys="mod+D"
          isPressed={isBookmarked}
          onClick={commands.toggleBookmark}
        >
          {isBookmarked ? <BookmarkCheck {...icon} /> : <Bookmark {...icon} />}
        </Tool>
      ) : null}
      {isFolder ? (
        <Tool label={t('uploads.here')} keys="alt+U" onClick={commands.openUploads}>
          <TimerReset {...icon} />
        </Tool>
      ) : null}
      <Tool label={t('common.shell.palette')} keys="mod+K" onClick={commands.openPalette}>
        <Command {...icon} />
      </Tool>
      <Tool
        label={t(isLogOpen ? 'common.shell.hideRequestLog' : 'common.shell.requestLog')}
        keys="mod+J"
        isPressed={isLogOpen}
        onClick={commands.toggleLog}
      >
        <ScrollText {...icon} />
      </Tool>
      <Tool label={t('common.shell.settings')} keys="mod+," onClick={commands.openSettings}>
        <Settings {...icon} />
      </Tool>
      {isFolder ? (
        <Tool
          label={t(areDetailsOpen ? 'common.shell.hideDetails' : 'common.shell.showDetails')}
          keys="mod+I"
          isPressed={areDetailsOpen}
          onClick={commands.toggleDetails}
        >
          <PanelRight {...icon} />
        </Tool>
      ) : null}
    </div>
  );
}

interface ToolProps {
  readonly label: string;
  readonly keys: string;
  readonly isDisabled?: boolean;
  readonly isPressed?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Tool({ label, keys, isDisabled = false, isPressed, onClick, children }: ToolProps) {
  return (
    <Tooltip label={`${label} (${shortcutText(keys)})`}>
      <ActionIcon
        size={28}
        aria-label={label}
        data-pressed={isPressed}
        className={classes.tool ?? ''}
        disabled={isDisabled}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
