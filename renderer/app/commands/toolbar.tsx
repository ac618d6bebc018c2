import {
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  Bookmark,
  BookmarkCheck,
  FolderPlus,
  PanelLeft,
  PanelRight,
  RotateCw,
  Search,
  Settings,
  type LucideIcon,
} from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { WindowCommand } from '../../../shared/commands.ts';
import { HiddenInMap, type FolderPlace } from '../../features/objects/index.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { withKeys } from '../../ui/keyboard/commands.ts';
import type { Commands } from './define-command.ts';
import { TransferMenu, MoreMenu } from './toolbar-menus.tsx';
import classes from '../shell.module.css';

interface ToolbarProps {
  readonly commands: Commands;
  /** True if the tab has two panes, each with separate navigation buttons and a path. */
  readonly isPair: boolean;
  /** The commands that cannot run now. */
  readonly disabled: ReadonlySet<WindowCommand>;
  /** The visible folder in a bucket, or null on any other page. */
  readonly folder: FolderPlace | null;
  /** True for a folder on this computer. */
  readonly isLocal: boolean;
  /** True for results of a search. */
  readonly isSearch: boolean;
  readonly isBookmarked: boolean;
  readonly isSidebarOpen: boolean;
  readonly areDetailsOpen: boolean;
  readonly isLogOpen: boolean;
  readonly areVersionsShown: boolean;
  /** The buttons that switch the folder's view (list, gallery, map), or null on any other page. */
  readonly viewSwitch: ReactNode;
  readonly children: ReactNode;
}

/** The toolbar: navigation, the current path, and buttons that show or hide parts of the window. */
export function Toolbar(props: ToolbarProps) {
  const { commands, isLocal, isBookmarked, isSidebarOpen, areDetailsOpen, isLogOpen, children } = props;
  const { t } = useTranslation();
  const isFolder = props.folder !== null;
  const details = (
    <Tool
      label={t(areDetailsOpen ? 'common.shell.hideDetails' : 'common.shell.showDetails')}
      command="toggleDetails"
      isPressed={areDetailsOpen}
      commands={commands}
      icon={PanelRight}
    />
  );
  return (
    <div
      role="toolbar"
      aria-label={t('common.shell.toolbar')}
      data-pane="toolbar"
      className={joinClasses(common.row, common.fixed, common.lineBelow, classes.toolbar)}
    >
      <Tool
        label={t(isSidebarOpen ? 'common.shell.hideSidebar' : 'common.shell.showSidebar')}
        command="toggleSidebar"
        isPressed={isSidebarOpen}
        commands={commands}
        icon={PanelLeft}
      />
      <span className={classes.toolGap} />
      {props.isPair ? null : <HistoryButtons {...props} />}
      <Tool label={t('common.shell.reload')} command="reload" commands={commands} icon={RotateCw} />
      {props.isPair ? <span className={common.fill} /> : children}
      {props.viewSwitch === null ? null : (
        <span className={classes.tool} data-spare>
          {props.viewSwitch}
        </span>
      )}
      {isFolder ? <TransferMenu commands={commands} isDisabled={props.disabled.has('uploadFiles')} /> : null}
      {isFolder || isLocal ? (
        <Tool
          label={t('operations.menu.newFolder')}
          command="newFolder"
          isDisabled={props.disabled.has('newFolder')}
          commands={commands}
          isSpare
          hasWord
          icon={FolderPlus}
        />
      ) : null}
      {isFolder || isLocal ? (
        <Tool
          label={t('entries.search.find')}
          command="focusFilter"
          commands={commands}
          hasWord
          icon={Search}
        />
      ) : null}
      {isFolder ? (
        <Tool
          label={t(isBookmarked ? 'common.shell.removeBookmark' : 'common.shell.bookmark')}
          command="toggleBookmark"
          isPressed={isBookmarked}
          commands={commands}
          isSpare
          icon={isBookmarked ? BookmarkCheck : Bookmark}
        />
      ) : null}
      <MoreMenu
        commands={commands}
        isFolder={isFolder}
        isNewFolderDisabled={props.disabled.has('newFolder')}
        isBookmarked={isBookmarked}
        areVersionsShown={props.areVersionsShown}
        isLogOpen={isLogOpen}
        isPair={props.isPair}
      />
      <Tool
        label={t('common.shell.settings')}
        command="openSettings"
        commands={commands}
        isSpare
        icon={Settings}
      />
      {props.folder === null ? null : <HiddenInMap place={props.folder}>{details}</HiddenInMap>}
      {isLocal || props.isSearch ? details : null}
    </div>
  );
}

const historyIcons = { back: ArrowLeft, forward: ArrowRight, up: ArrowUp } as const;
const historyCommands = ['back', 'forward', 'up'] as const;

function HistoryButtons({ commands, disabled }: ToolbarProps) {
  const { t } = useTranslation();
  return historyCommands.map((command) => (
    <Tool
      key={command}
      label={t(`common.shell.${command}`)}
      command={command}
      isDisabled={disabled.has(command)}
      commands={commands}
      icon={historyIcons[command]}
    />
  ));
}

interface ToolProps {
  readonly label: string;
  readonly command: WindowCommand;
  readonly isDisabled?: boolean;
  readonly isPressed?: boolean;
  /**
   * Hidden in a narrow window, where the path needs the space. The command stays in the menu "…", the palette and its shortcut.
   */
  readonly isSpare?: boolean;
  /** Shows the label next to the icon if it fits. */
  readonly hasWord?: boolean;
  readonly commands: Commands;
  readonly icon: LucideIcon;
}

/** Memoized: tooltips cost more to render than the rest of the toolbar. */
const Tool = memo(function Tool(props: ToolProps) {
  const { label, command, commands, isDisabled = false, isPressed, isSpare = false, hasWord = false } = props;
  return (
    <IconButton
      size={28}
      label={label}
      tip={withKeys(label, command)}
      icon={props.icon}
      data-pressed={isPressed}
      data-spare={isSpare || undefined}
      data-word={hasWord || undefined}
      className={classes.tool ?? ''}
      disabled={isDisabled}
      onClick={commands[command]}
    >
      {hasWord ? <span className={classes.word}>{label}</span> : null}
    </IconButton>
  );
});
