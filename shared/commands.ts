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

interface CommandFacts {
  /** Path of the command's name in the messages. */
  readonly message: string;
  /** The shortcuts, where `mod` is Ctrl, or Cmd on a Mac. Menus show the first shortcut that reaches the window. */
  readonly keys: readonly string[];
  readonly when: CommandWhen;
  readonly group: CommandGroup;
  /** Offered only on hosts that can pass a file to another program or open a window. */
  readonly isDesktopOnly?: true;
}

/** All commands, in the order of the command palette. */
export const commandTable = {
  newFolder: {
    message: 'operations.palette.newFolder',
    keys: ['mod+shift+N', 'alt+shift+N'],
    when: 'folder',
    group: 'objects',
  },
  syncUp: { message: 'entries.sync.menu.up', keys: [], when: 'folder', group: 'transfers' },
  syncDown: { message: 'entries.sync.menu.down', keys: [], when: 'folder', group: 'transfers' },
  rename: { message: 'operations.palette.rename', keys: ['F2'], when: 'list', group: 'objects' },
  undo: { message: 'operations.undo.undo', keys: ['mod+Z'], when: 'window', group: 'objects' },
  redo: {
    message: 'operations.undo.redo',
    keys: ['mod+shift+Z', 'mod+Y'],
    when: 'window',
    group: 'objects',
  },
  cut: { message: 'operations.palette.cut', keys: ['mod+X'], when: 'list', group: 'objects' },
  copy: { message: 'operations.palette.copy', keys: ['mod+C'], when: 'list', group: 'objects' },
  paste: { message: 'operations.palette.paste', keys: ['mod+V'], when: 'list', group: 'objects' },
  copyTo: { message: 'operations.palette.copyTo', keys: [], when: 'list', group: 'objects' },
  moveTo: { message: 'operations.palette.moveTo', keys: [], when: 'list', group: 'objects' },
  copyToPane: { message: 'common.palette.copyToPane', keys: ['alt+C'], when: 'window', group: 'objects' },
  moveToPane: { message: 'common.palette.moveToPane', keys: ['alt+M'], when: 'window', group: 'objects' },
  remove: { message: 'operations.palette.delete', keys: ['Delete'], when: 'list', group: 'objects' },
  removeVersions: {
    message: 'operations.palette.deleteVersions',
    keys: ['shift+Delete'],
    when: 'list',
    group: 'objects',
  },
  batchJob: { message: 'entries.batches.open', keys: [], when: 'window', group: 'objects' },
  reload: { message: 'common.palette.reload', keys: ['F5', 'mod+R'], when: 'window', group: 'go' },
  focusFilter: { message: 'common.palette.filter', keys: ['mod+F'], when: 'folder', group: 'find' },
  focusStartsWith: {
    message: 'common.palette.startsWith',
    keys: ['mod+shift+F'],
    when: 'folder',
    group: 'find',
  },
  selectAll: { message: 'common.palette.selectAll', keys: ['mod+A'], when: 'list', group: 'objects' },
  viewList: { message: 'common.palette.viewList', keys: ['mod+1'], when: 'rows', group: 'view' },
  viewGallery: { message: 'common.palette.viewGallery', keys: ['mod+2'], when: 'rows', group: 'view' },
  toggleDetails: { message: 'common.palette.details', keys: ['mod+I'], when: 'rows', group: 'view' },
  toggleBookmark: { message: 'common.palette.bookmark', keys: ['mod+D'], when: 'folder', group: 'go' },
  search: { message: 'common.palette.search', keys: ['mod+shift+E'], when: 'folder', group: 'find' },
  folderSize: { message: 'common.palette.folderSize', keys: [], when: 'folder', group: 'find' },
  calculateSizes: {
    message: 'common.palette.calculateSizes',
    keys: ['alt+S'],
    when: 'folder',
    group: 'find',
  },
  uploadFiles: { message: 'common.palette.uploadFiles', keys: ['mod+U'], when: 'folder', group: 'transfers' },
  uploadFolder: { message: 'common.palette.uploadFolder', keys: [], when: 'folder', group: 'transfers' },
  uploadWithOptions: {
    message: 'common.palette.uploadWithOptions',
    keys: [],
    when: 'folder',
    group: 'transfers',
  },
  download: { message: 'common.palette.download', keys: ['mod+S'], when: 'rows', group: 'transfers' },
  openAndEdit: { message: 'edits.open', keys: [], when: 'list', group: 'objects', isDesktopOnly: true },
  properties: { message: 'common.palette.properties', keys: ['alt+Enter'], when: 'rows', group: 'objects' },
  objectVersions: { message: 'common.palette.objectVersions', keys: [], when: 'rows', group: 'objects' },
  link: { message: 'common.palette.link', keys: [], when: 'rows', group: 'objects' },
  toggleVersions: { message: 'common.palette.versions', keys: ['alt+V'], when: 'folder', group: 'view' },
  openTrash: { message: 'common.palette.trash', keys: ['alt+Z'], when: 'folder', group: 'objects' },
  bucketSettings: {
    message: 'common.palette.bucketSettings',
    keys: ['alt+B'],
    when: 'rows',
    group: 'program',
  },
  deleteBucket: { message: 'common.palette.deleteBucket', keys: [], when: 'rows', group: 'program' },
  openPalette: { message: 'common.shell.palette', keys: ['mod+K'], when: 'window', group: 'find' },
  quickOpen: { message: 'common.palette.quickOpen', keys: ['mod+P'], when: 'window', group: 'find' },
  editPath: { message: 'common.palette.goTo', keys: ['mod+L'], when: 'window', group: 'go' },
  newTab: { message: 'common.palette.newTab', keys: ['mod+T', 'alt+T'], when: 'window', group: 'tabs' },
  closeTab: { message: 'common.palette.closeTab', keys: ['mod+W', 'alt+W'], when: 'window', group: 'tabs' },
  nextTab: {
    message: 'common.palette.nextTab',
    keys: ['mod+PageDown', 'alt+PageDown'],
    when: 'window',
    group: 'tabs',
  },
  previousTab: {
    message: 'common.palette.previousTab',
    keys: ['mod+PageUp', 'alt+PageUp'],
    when: 'window',
    group: 'tabs',
  },
  back: { message: 'common.palette.back', keys: ['alt+ArrowLeft'], when: 'window', group: 'go' },
  forward: { message: 'common.palette.forward', keys: ['alt+ArrowRight'], when: 'window', group: 'go' },
  up: { message: 'common.palette.up', keys: ['alt+ArrowUp'], when: 'window', group: 'go' },
  showSiblings: {
    message: 'common.palette.siblings',
    keys: ['alt+ArrowDown'],
    when: 'window',
    group: 'go',
  },
  toggleSidebar: { message: 'common.palette.sidebar', keys: ['mod+B'], when: 'window', group: 'view' },
  viewMap: { message: 'common.palette.viewMap', keys: ['mod+3'], when: 'folder', group: 'view' },
  toggleLog: { message: 'common.palette.requestLog', keys: ['mod+J'], when: 'window', group: 'view' },
  openUploads: { message: 'common.palette.uploads', keys: ['alt+U'], when: 'window', group: 'transfers' },
  toggleTransfers: {
    message: 'common.palette.transfers',
    keys: ['alt+J'],
    when: 'window',
    group: 'transfers',
  },
  newBucket: { message: 'common.palette.newBucket', keys: ['alt+N'], when: 'window', group: 'program' },
  exportConnections: {
    message: 'common.palette.exportConnections',
    keys: [],
    when: 'window',
    group: 'program',
  },
  importConnections: {
    message: 'common.palette.importConnections',
    keys: [],
    when: 'window',
    group: 'program',
  },
  togglePanes: { message: 'common.palette.panes', keys: ['mod+\\'], when: 'window', group: 'view' },
  otherPane: { message: 'common.palette.otherPane', keys: ['alt+\\'], when: 'window', group: 'view' },
  nextPane: { message: 'common.palette.nextPane', keys: ['F6'], when: 'window', group: 'view' },
  previousPane: { message: 'common.palette.previousPane', keys: ['shift+F6'], when: 'window', group: 'view' },
  openSettings: { message: 'common.palette.settings', keys: ['mod+,'], when: 'window', group: 'program' },
  openShortcuts: {
    message: 'common.palette.shortcuts',
    keys: ['?', 'F1'],
    when: 'window',
    group: 'program',
  },
  openUpdates: { message: 'common.palette.updates', keys: [], when: 'window', group: 'program' },
  openAbout: { message: 'common.palette.about', keys: [], when: 'window', group: 'program' },
  look: { message: 'common.palette.look', keys: ['Space'], when: 'row', group: 'objects' },
  toggleSelected: {
    message: 'common.palette.toggleSelected',
    keys: ['mod+Space'],
    when: 'row',
    group: 'objects',
  },
  open: { message: 'common.palette.open', keys: ['Enter'], when: 'row', group: 'objects' },
  openInTab: { message: 'common.palette.openInTab', keys: ['mod+Enter'], when: 'row', group: 'objects' },
  rowMenu: { message: 'common.palette.rowMenu', keys: ['shift+F10'], when: 'row', group: 'objects' },
  newWindow: {
    message: 'common.palette.newWindow',
    keys: ['mod+N'],
    when: 'host',
    group: 'tabs',
    isDesktopOnly: true,
  },
  closeWindow: {
    message: 'common.palette.closeWindow',
    keys: ['mod+shift+W'],
    when: 'host',
    group: 'tabs',
    isDesktopOnly: true,
  },
} as const satisfies Readonly<Record<string, CommandFacts>>;

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
