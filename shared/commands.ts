/**
 * The named commands of the window and their keys. Shortcuts, the command palette, the toolbar, the menus of the window and of
 * the desktop, and the list of shortcuts all read this table.
 */

/** The headings in the list of shortcuts. */
export const commandGroups = ['go', 'find', 'objects', 'transfers', 'view', 'tabs', 'program'] as const;
export type CommandGroup = (typeof commandGroups)[number];

/**
 * Which part of the window reacts to a command's keys, and when.
 * `window`: the window, on any page. `folder`: the window, while a folder is shown. `rows`: the window, while a folder or search
 * results are shown. `list`: the list of a folder or of search results, if it has focus. `row`: also the list that has focus, for actions that only a list has. `host`: the desktop's menu.
 */
export type CommandWhen = 'window' | 'folder' | 'rows' | 'list' | 'row' | 'host';

interface CommandFacts<Message extends string = string, When extends CommandWhen = CommandWhen> {
  /** Path of the command's name in the messages. */
  readonly message: Message;
  /** The shortcuts, where `mod` is Ctrl, or Cmd on a Mac. Menus show the first shortcut that reaches the window. */
  readonly keys: readonly string[];
  readonly when: When;
  readonly group: CommandGroup;
  /** Offered only on hosts that can pass a file to another program or open a window. */
  readonly isDesktopOnly?: boolean;
}

/** Defines a command by the path of its name, where and when it runs, its heading, and its shortcuts. */
function command<Message extends string, When extends CommandWhen>(
  message: Message,
  when: When,
  group: CommandGroup,
  ...keys: readonly string[]
): CommandFacts<Message, When> {
  return { message, when, group, keys };
}

/** All commands, in the order of the command palette. */
export const commandTable = {
  newFolder: command('operations.palette.newFolder', 'folder', 'objects', 'mod+shift+N', 'alt+shift+N'),
  syncUp: command('entries.sync.menu.up', 'folder', 'transfers'),
  syncDown: command('entries.sync.menu.down', 'folder', 'transfers'),
  rename: command('operations.palette.rename', 'list', 'objects', 'F2'),
  undo: command('operations.undo.undo', 'window', 'objects', 'mod+Z'),
  redo: command('operations.undo.redo', 'window', 'objects', 'mod+shift+Z', 'mod+Y'),
  cut: command('operations.palette.cut', 'list', 'objects', 'mod+X'),
  copy: command('operations.palette.copy', 'list', 'objects', 'mod+C'),
  paste: command('operations.palette.paste', 'list', 'objects', 'mod+V'),
  copyTo: command('operations.palette.copyTo', 'list', 'objects'),
  moveTo: command('operations.palette.moveTo', 'list', 'objects'),
  copyToPane: command('common.palette.copyToPane', 'window', 'objects', 'alt+C'),
  moveToPane: command('common.palette.moveToPane', 'window', 'objects', 'alt+M'),
  remove: command('operations.palette.delete', 'list', 'objects', 'Delete'),
  removeVersions: command('operations.palette.deleteVersions', 'list', 'objects', 'shift+Delete'),
  batchJob: command('entries.batches.open', 'window', 'objects'),
  reload: command('common.palette.reload', 'window', 'go', 'F5', 'mod+R'),
  focusFilter: command('common.palette.filter', 'folder', 'find', 'mod+F'),
  focusStartsWith: command('common.palette.startsWith', 'folder', 'find', 'mod+shift+F'),
  selectAll: command('common.palette.selectAll', 'list', 'objects', 'mod+A'),
  viewList: command('common.palette.viewList', 'rows', 'view', 'mod+1'),
  viewGallery: command('common.palette.viewGallery', 'rows', 'view', 'mod+2'),
  toggleDetails: command('common.palette.details', 'rows', 'view', 'mod+I'),
  toggleBookmark: command('common.palette.bookmark', 'folder', 'go', 'mod+D'),
  search: command('common.palette.search', 'folder', 'find', 'mod+shift+E'),
  folderSize: command('common.palette.folderSize', 'folder', 'find'),
  calculateSizes: command('common.palette.calculateSizes', 'folder', 'find', 'alt+S'),
  uploadFiles: command('common.palette.uploadFiles', 'folder', 'transfers', 'mod+U'),
  uploadFolder: command('common.palette.uploadFolder', 'folder', 'transfers'),
  uploadWithOptions: command('common.palette.uploadWithOptions', 'folder', 'transfers'),
  download: command('common.palette.download', 'rows', 'transfers', 'mod+S'),
  openAndEdit: { ...command('edits.open', 'list', 'objects'), isDesktopOnly: true },
  properties: command('common.palette.properties', 'rows', 'objects', 'alt+Enter'),
  objectVersions: command('common.palette.objectVersions', 'rows', 'objects'),
  link: command('common.palette.link', 'rows', 'objects'),
  toggleVersions: command('common.palette.versions', 'folder', 'view', 'alt+V'),
  openTrash: command('common.palette.trash', 'folder', 'objects', 'alt+Z'),
  bucketSettings: command('common.palette.bucketSettings', 'rows', 'program', 'alt+B'),
  deleteBucket: command('common.palette.deleteBucket', 'rows', 'program'),
  openPalette: command('common.shell.palette', 'window', 'find', 'mod+K'),
  quickOpen: command('common.palette.quickOpen', 'window', 'find', 'mod+P'),
  editPath: command('common.palette.goTo', 'window', 'go', 'mod+L'),
  newTab: command('common.palette.newTab', 'window', 'tabs', 'mod+T', 'alt+T'),
  closeTab: command('common.palette.closeTab', 'window', 'tabs', 'mod+W', 'alt+W'),
  nextTab: command('common.palette.nextTab', 'window', 'tabs', 'mod+PageDown', 'alt+PageDown'),
  previousTab: command('common.palette.previousTab', 'window', 'tabs', 'mod+PageUp', 'alt+PageUp'),
  back: command('common.palette.back', 'window', 'go', 'alt+ArrowLeft'),
  forward: command('common.palette.forward', 'window', 'go', 'alt+ArrowRight'),
  up: command('common.palette.up', 'window', 'go', 'alt+ArrowUp'),
  showSiblings: command('common.palette.siblings', 'window', 'go', 'alt+ArrowDown'),
  toggleSidebar: command('common.palette.sidebar', 'window', 'view', 'mod+B'),
  viewMap: command('common.palette.viewMap', 'folder', 'view', 'mod+3'),
  toggleLog: command('common.palette.requestLog', 'window', 'view', 'mod+J'),
  openUploads: command('common.palette.uploads', 'window', 'transfers', 'alt+U'),
  toggleTransfers: command('common.palette.transfers', 'window', 'transfers', 'alt+J'),
  newBucket: command('common.palette.newBucket', 'window', 'program', 'alt+N'),
  exportConnections: command('common.palette.exportConnections', 'window', 'program'),
  importConnections: command('common.palette.importConnections', 'window', 'program'),
  togglePanes: command('common.palette.panes', 'window', 'view', 'mod+\\'),
  otherPane: command('common.palette.otherPane', 'window', 'view', 'alt+\\'),
  nextPane: command('common.palette.nextPane', 'window', 'view', 'F6'),
  previousPane: command('common.palette.previousPane', 'window', 'view', 'shift+F6'),
  openSettings: command('common.palette.settings', 'window', 'program', 'mod+,'),
  openShortcuts: command('common.palette.shortcuts', 'window', 'program', '?', 'F1'),
  openUpdates: command('common.palette.updates', 'window', 'program'),
  openAbout: command('common.palette.about', 'window', 'program'),
  look: command('common.palette.look', 'row', 'objects', 'Space'),
  toggleSelected: command('common.palette.toggleSelected', 'row', 'objects', 'mod+Space'),
  open: command('common.palette.open', 'row', 'objects', 'Enter'),
  openInTab: command('common.palette.openInTab', 'row', 'objects', 'mod+Enter'),
  rowMenu: command('common.palette.rowMenu', 'row', 'objects', 'shift+F10'),
  newWindow: { ...command('common.palette.newWindow', 'host', 'tabs', 'mod+N'), isDesktopOnly: true },
  closeWindow: {
    ...command('common.palette.closeWindow', 'host', 'tabs', 'mod+shift+W'),
    isDesktopOnly: true,
  },
};

export type CommandId = keyof typeof commandTable;

/** The commands that the window runs. All other commands belong to a list or to the desktop menu. */
export type WindowCommand = {
  [Id in CommandId]: (typeof commandTable)[Id]['when'] extends 'window' | 'folder' | 'rows' | 'list'
    ? Id
    : never;
}[CommandId];

export const commandIds = Object.keys(commandTable) as readonly CommandId[];

/** Returns the entry of a command, typed as `CommandFacts` instead of by its literal values. */
export function factsOf(id: CommandId): CommandFacts {
  return commandTable[id];
}

export function isWindowCommand(id: string): id is WindowCommand {
  if (!Object.hasOwn(commandTable, id)) return false;
  const { when } = factsOf(id as CommandId);
  return when !== 'row' && when !== 'host';
}

/** Keys that browsers handle themselves and never pass to a page. */
const keptByBrowsers: ReadonlySet<string> = new Set([
  'mod+T',
  'mod+W',
  'mod+N',
  'mod+shift+N',
  'mod+shift+W',
  'mod+PageDown',
  'mod+PageUp',
]);

/** Returns the shortcuts of a command that reach the window in this host, the preferred one first. */
export function keysIn(host: 'desktop' | 'browser', id: CommandId): readonly string[] {
  const { keys } = factsOf(id);
  return host === 'desktop' ? keys : keys.filter((key) => !keptByBrowsers.has(key));
}
