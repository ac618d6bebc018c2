import path from 'node:path';
import { Menu, type MenuItemConstructorOptions, app, type JumpListItem } from 'electron';
import { z } from 'zod';
import { type HostMessage, text } from '../../host/text.ts';
import { keysIn, type CommandId, type WindowCommand } from '../../../shared/commands.ts';

const names: Readonly<Record<string, string>> = {
  mod: 'CmdOrCtrl',
  alt: 'Alt',
  shift: 'Shift',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
};

/** Converts a command's keys (`mod+shift+N`) to an Electron accelerator (`CmdOrCtrl+Shift+N`). */
export function acceleratorOf(keys: string): string {
  return keys
    .split('+')
    .map((part) => names[part] ?? part)
    .join('+');
}

interface MenuOptions {
  readonly sendCommand: (command: WindowCommand) => void;
  readonly openWindow: () => void;
  /** Makes the system open `s3://` links with this program; null if an installer did that. */
  readonly registerLinkHandler: (() => void) | null;
  readonly mac: boolean;
  readonly packaged: boolean;
}

function role(
  name: NonNullable<MenuItemConstructorOptions['role']>,
  label: HostMessage,
): MenuItemConstructorOptions {
  return { role: name, label: text(label) };
}

/** Returns the accelerator for a command's first shortcut, if it has one. */
function keysOf(id: CommandId): { readonly accelerator?: string } {
  const [keys] = keysIn('desktop', id);
  return keys === undefined ? {} : { accelerator: acceleratorOf(keys) };
}

/**
 * Returns the menu. Roles include their action and shortcut; their default labels are English except on macOS. Shortcuts that the
 * window handles itself are shown but not registered (`registerAccelerator`); on macOS the window gets them first. The role
 * `reload` is omitted, because F5 and Ctrl/Cmd+R reload the folder. The Edit menu has commands instead of roles, because they act
 * on objects too. If a text field has focus, the preload script converts them to Chromium's own commands.
 */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  const { mac, packaged, openWindow, registerLinkHandler } = options;
  const item = (label: HostMessage, command: WindowCommand): MenuItemConstructorOptions => ({
    label: text(label),
    id: command,
    click: () => options.sendCommand(command),
    ...keysOf(command),
    registerAccelerator: false,
  });
  const line: MenuItemConstructorOptions = { type: 'separator' };
  const settings = item('menuSettings', 'openSettings');
  const about = item('menuAbout', 'openAbout');
  const updates = item('menuUpdates', 'openUpdates');
  const shortcuts = item('menuShortcuts', 'openShortcuts');
  const links: MenuItemConstructorOptions[] =
    registerLinkHandler === null ? [] : [{ label: text('menuTakeLinks'), click: registerLinkHandler }];
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
        { label: text('menuNewWindow'), id: 'newWindow', ...keysOf('newWindow'), click: openWindow },
        item('menuNewTab', 'newTab'),
        line,
        item('menuUploadFiles', 'uploadFiles'),
        item('menuUploadFolder', 'uploadFolder'),
        item('menuDownload', 'download'),
        item('menuNewBucket', 'newBucket'),
        line,
        ...(mac ? [] : [settings, line]),
        item('menuCloseTab', 'closeTab'),
        { ...role('close', 'menuCloseWindow'), ...keysOf('closeWindow') },
        ...(mac ? [] : [line, role('quit', 'menuExit')]),
      ],
    },
    {
      label: text('menuEdit'),
      submenu: [
        item('menuUndo', 'undo'),
        item('menuRedo', 'redo'),
        line,
        item('menuCut', 'cut'),
        item('menuCopy', 'copy'),
        item('menuPaste', 'paste'),
        item('menuSelectAll', 'selectAll'),
        line,
        item('menuFilter', 'focusFilter'),
      ],
    },
    {
      label: text('menuView'),
      submenu: [
        item('menuReload', 'reload'),
        line,
        item('menuSidebar', 'toggleSidebar'),
        item('menuDetails', 'toggleDetails'),
        item('menuPanes', 'togglePanes'),
        item('menuTransfers', 'toggleTransfers'),
        item('menuRequestLog', 'toggleLog'),
        item('menuPalette', 'openPalette'),
        item('menuQuickOpen', 'quickOpen'),
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
        item('menuBack', 'back'),
        item('menuForward', 'forward'),
        item('menuUp', 'up'),
        line,
        item('menuGoTo', 'editPath'),
        item('menuUploads', 'openUploads'),
        item('menuBookmark', 'toggleBookmark'),
      ],
    },
    {
      label: text('menuWindow'),
      // Without a submenu, the role would add its default one in English.
      role: 'windowMenu',
      submenu: [
        role('minimize', 'menuMinimise'),
        // These roles exist only on macOS.
        ...(mac ? [role('zoom', 'menuZoomWindow'), line, role('front', 'menuAllToFront')] : []),
      ],
    },
    // On macOS, About and the updates are in the application menu, and the system adds a search field to this menu.
    {
      label: text('menuHelp'),
      role: 'help',
      submenu: mac ? [shortcuts] : [shortcuts, updates, ...links, line, about],
    },
  ];
}

export function setMenu(options: MenuOptions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options)));
}

const storedSchema = z.array(z.object({ bucket: z.string(), prefix: z.string() }));
/** The maximum number of places. With more, there would be no room for the system's entries. */
const maxPlaces = 8;

interface RecentPlace {
  readonly title: string;
  /** An `s3://` address without white space, quotes or other characters that a command line interprets. */
  readonly link: string;
}

/**
 * Returns the most recently opened folders from the window's stored state. Leaves out those with characters that a command line
 * interprets, or with a percent sign, which would be decoded in a link.
 */
export function recentPlaces(stored: unknown): readonly RecentPlace[] {
  const parsed = storedSchema.safeParse(stored);
  if (!parsed.success) return [];
  return parsed.data
    .filter(({ bucket, prefix }) => !`${bucket}${prefix}`.includes('%'))
    .map(({ bucket, prefix }) => ({
      title: `${bucket}/${prefix}`,
      link: `s3://${bucket}/${prefix.split('/').map(encodeURIComponent).join('/')}`,
    }))
    .filter(({ link }) => /^s3:\/\/[\w.~!*()/%-]+$/u.test(link))
    .slice(0, maxPlaces);
}

interface PlacesActions {
  readonly openLink: (link: string) => void;
  readonly openWindow: () => void;
}

/** Adds recent places and a new window to the menu of the icon: the dock menu on macOS, the jump list on Windows. */
export function showPlaces(places: readonly RecentPlace[], actions: PlacesActions): void {
  if (process.platform === 'darwin')
    app.dock?.setMenu(
      Menu.buildFromTemplate([
        ...places.map(({ title, link }) => ({ label: title, click: () => actions.openLink(link) })),
        { type: 'separator' },
        { label: text('menuNewWindow'), click: actions.openWindow },
      ]),
    );
  if (process.platform === 'win32')
    app.setJumpList([{ type: 'custom', name: text('recentPlaces'), items: places.map(jumpItem) }]);
}

function jumpItem({ title, link }: RecentPlace): JumpListItem {
  const program = process.env['PORTABLE_EXECUTABLE_FILE'] ?? process.execPath;
  return {
    type: 'task',
    title: title.slice(0, 255),
    description: link.slice(0, 260),
    program,
    args: `-- ${link}`,
    iconPath: path.resolve(program),
    iconIndex: 0,
  };
}
