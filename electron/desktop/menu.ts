import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { HostMessage } from '../host/text.ts';
import { text } from '../host/text.ts';

/** The window's own names of what a menu can ask of it: renderer/app/commands.ts has them all. */
export type Command =
  | 'back'
  | 'forward'
  | 'up'
  | 'reload'
  | 'editPath'
  | 'focusFilter'
  | 'newTab'
  | 'closeTab'
  | 'toggleSidebar'
  | 'toggleDetails'
  | 'toggleLog'
  | 'toggleTransfers'
  | 'toggleBookmark'
  | 'openUploads'
  | 'uploadFiles'
  | 'uploadFolder'
  | 'download'
  | 'newBucket'
  | 'openSettings'
  | 'openAbout'
  | 'openUpdates'
  | 'openPalette';

export interface MenuActions {
  readonly tell: (command: Command) => void;
  readonly openWindow: () => void;
}

interface MenuOptions extends MenuActions {
  readonly mac: boolean;
  readonly packaged: boolean;
}

function role(
  name: NonNullable<MenuItemConstructorOptions['role']>,
  label: HostMessage,
): MenuItemConstructorOptions {
  return { role: name, label: text(label) };
}

/**
 * Roles bring what they do and their keys; their own labels are in English everywhere but on macOS. What the window does by itself on a key is shown here with that
 * key, and the key stays the window's (`registerAccelerator`); on macOS the window sees it first. The role `reload` is left out
 * on purpose: F5 and Ctrl/Cmd+R read the folder again.
 */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  const { mac, packaged, openWindow } = options;
  const item = (label: HostMessage, command: Command, accelerator?: string): MenuItemConstructorOptions => ({
    label: text(label),
    id: command,
    click: () => options.tell(command),
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
  });
  const line: MenuItemConstructorOptions = { type: 'separator' };
  const settings = item('menuSettings', 'openSettings', 'CmdOrCtrl+,');
  const about = item('menuAbout', 'openAbout');
  const updates = item('menuUpdates', 'openUpdates');
  const developer: MenuItemConstructorOptions[] = packaged
    ? []
    : [line, role('toggleDevTools', 'menuDeveloperTools')];
  const appMenu: MenuItemConstructorOptions = {
    label: 'Cooper',
    submenu: [
      about,
      updates,
      line,
      settings,
      line,
      role('services', 'menuServices'),
      line,
      role('hide', 'menuHide'),
      role('hideOthers', 'menuHideOthers'),
      role('unhide', 'menuShowAll'),
      line,
      role('quit', 'menuQuit'),
    ],
  };
  return [
    ...(mac ? [appMenu] : []),
    {
      label: text('menuFile'),
      submenu: [
        { label: text('menuNewWindow'), id: 'newWindow', accelerator: 'CmdOrCtrl+N', click: openWindow },
        item('menuNewTab', 'newTab', 'CmdOrCtrl+T'),
        line,
        item('menuUploadFiles', 'uploadFiles', 'CmdOrCtrl+U'),
        item('menuUploadFolder', 'uploadFolder'),
        item('menuDownload', 'download', 'CmdOrCtrl+S'),
        item('menuNewBucket', 'newBucket', 'Alt+N'),
        line,
        ...(mac ? [] : [settings, line]),
        item('menuCloseTab', 'closeTab', 'CmdOrCtrl+W'),
        { ...role('close', 'menuCloseWindow'), accelerator: 'CmdOrCtrl+Shift+W' },
        ...(mac ? [] : [line, role('quit', 'menuExit')]),
      ],
    },
    {
      label: text('menuEdit'),
      submenu: [
        role('undo', 'menuUndo'),
        role('redo', 'menuRedo'),
        line,
        role('cut', 'menuCut'),
        role('copy', 'menuCopy'),
        role('paste', 'menuPaste'),
        role('selectAll', 'menuSelectAll'),
        line,
        item('menuFilter', 'focusFilter', 'CmdOrCtrl+F'),
      ],
    },
    {
      label: text('menuView'),
      submenu: [
        item('menuReload', 'reload', 'F5'),
        line,
        item('menuSidebar', 'toggleSidebar', 'CmdOrCtrl+B'),
        item('menuDetails', 'toggleDetails', 'CmdOrCtrl+I'),
        item('menuTransfers', 'toggleTransfers', 'Alt+J'),
        item('menuRequestLog', 'toggleLog', 'CmdOrCtrl+J'),
        item('menuPalette', 'openPalette', 'CmdOrCtrl+K'),
        line,
        role('resetZoom', 'menuActualSize'),
        role('zoomIn', 'menuZoomIn'),
        role('zoomOut', 'menuZoomOut'),
        line,
        role('togglefullscreen', 'menuFullScreen'),
        ...developer,
      ],
    },
    {
      label: text('menuGo'),
      submenu: [
        item('menuBack', 'back', 'Alt+Left'),
        item('menuForward', 'forward', 'Alt+Right'),
        item('menuUp', 'up', 'Alt+Up'),
        line,
        item('menuGoTo', 'editPath', 'CmdOrCtrl+L'),
        item('menuUploads', 'openUploads', 'Alt+U'),
        item('menuBookmark', 'toggleBookmark', 'CmdOrCtrl+D'),
      ],
    },
    {
      label: text('menuWindow'),
      // The role without a submenu would bring its own, in English.
      role: 'windowMenu',
      submenu: [
        role('minimize', 'menuMinimise'),
        role('zoom', 'menuZoomWindow'),
        ...(mac ? [line, role('front', 'menuAllToFront')] : []),
      ],
    },
    ...(mac ? [] : [{ label: text('menuHelp'), role: 'help' as const, submenu: [updates, line, about] }]),
  ];
}

export function setMenu(options: MenuOptions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options)));
}
