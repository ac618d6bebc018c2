import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { commandIds, isWindowCommand, type WindowCommand } from '../../../../../shared/commands.ts';
import type { CommandWindow } from '../../../../../renderer/app/commands/define-command.ts';
import type * as module from '../../../../../renderer/app/commands/window-commands.ts';
import type { NavigationAction } from '../../../../../renderer/app/places/navigation.ts';
import { startPlace, folderPlace, type WindowPlace } from '../../../../../renderer/app/places/places.ts';
import type { beginTransfer, openOperation } from '../../../../../renderer/features/operations/index.ts';
import { emptySearchForm } from '../../../../../renderer/features/search/index.ts';
import type { CommandRuns } from '../../../../../renderer/ui/keyboard/commands.ts';

let windowCommands: typeof module.windowCommands;
let disabledCommands: typeof module.disabledCommands;
let commandRuns: typeof module.commandRuns;
let offeredCommands: typeof module.offeredCommands;

/** The handlers of the page in the active pane. */
let ofPage: CommandRuns = {};
/** The dialogs opened and the notices shown in a test. */
const opened: Parameters<typeof openOperation>[0][] = [];
const transfers: Parameters<typeof beginTransfer>[0][] = [];
const notices: string[] = [];

// The commands import the connection to the core, which listens to the window.
beforeAll(async () => {
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('sessionStorage', { getItem: () => null, removeItem: () => undefined });
  vi.doMock('../../../../../renderer/ui/keyboard/commands.ts', async (original) => ({
    ...(await original<object>()),
    pageRun: (id: WindowCommand) => ofPage[id] ?? null,
  }));
  vi.doMock('../../../../../renderer/features/operations/index.ts', async (original) => ({
    ...(await original<object>()),
    openOperation: (dialog: Parameters<typeof openOperation>[0]) => opened.push(dialog),
    beginTransfer: (transfer: Parameters<typeof beginTransfer>[0]) => transfers.push(transfer),
  }));
  vi.doMock('../../../../../renderer/ui/notices/notices.tsx', async (original) => ({
    ...(await original<object>()),
    showNotice: ({ message }: { readonly message: (say: (key: string) => string) => string }) =>
      notices.push(message((key) => key)),
  }));
  ({ windowCommands, disabledCommands, commandRuns, offeredCommands } =
    await import('../../../../../renderer/app/commands/window-commands.ts'));
});
beforeEach(() => {
  ofPage = {};
  opened.length = 0;
  transfers.length = 0;
  notices.length = 0;
});
afterAll(() => {
  vi.doUnmock('../../../../../renderer/ui/keyboard/commands.ts');
  vi.doUnmock('../../../../../renderer/features/operations/index.ts');
  vi.doUnmock('../../../../../renderer/ui/notices/notices.tsx');
  vi.unstubAllGlobals();
});

function unused(): never {
  throw new Error('A predicate calls no function of the window.');
}

function windowAt(place: WindowPlace, { isUnusable = false, history = [place], at = 0 } = {}): CommandWindow {
  const pane = { id: 1, history, at } as const;
  const toggle = { toggle: unused };
  return {
    tab: { id: 1, panes: [pane], activePane: 1, leftPercent: 50 },
    pane,
    place,
    folder: { current: null },
    isUnusable,
    connectionId: null,
    go: unused,
    dispatch: unused,
    offersBatches: unused,
    t: unused,
    queries: unused,
    operations: unused,
    sidebar: toggle,
    details: toggle,
    log: toggle,
    transfers: toggle,
    versions: toggle,
    bookmark: toggle,
    path: { edit: unused, showSiblings: unused },
  } as unknown as CommandWindow;
}

test('every command that the window runs is defined exactly once', () => {
  expect(windowCommands.map(({ id }) => id).toSorted()).toEqual(
    commandIds.filter(isWindowCommand).toSorted(),
  );
});

test('a folder disables only the steps of a history that has none', () => {
  expect(disabledCommands(windowAt(folderPlace('c', 'b', 'a/')))).toEqual(new Set(['back', 'forward']));
});

test('a step back and forward are possible in the middle of a history', () => {
  const place = folderPlace('c', 'b', '');
  const disabled = disabledCommands(windowAt(place, { history: [place, place, place], at: 1 }));
  expect(disabled).not.toContain('back');
  expect(disabled).not.toContain('forward');
});

test('a folder that could not be opened refuses uploads and new folders', () => {
  const usable = disabledCommands(windowAt(folderPlace('c', 'b', '')));
  const unusable = disabledCommands(windowAt(folderPlace('c', 'b', ''), { isUnusable: true }));
  expect([...unusable].filter((id) => !usable.has(id)).toSorted()).toEqual([
    'newFolder',
    'uploadFiles',
    'uploadFolder',
    'uploadWithOptions',
  ]);
});

test('the start page disables the commands that need a folder or a bucket', () => {
  const disabled = disabledCommands(windowAt(startPlace));
  for (const id of ['remove', 'properties', 'bucketSettings', 'deleteBucket', 'openTrash', 'syncUp'] as const)
    expect(disabled).toContain(id);
  for (const id of ['newBucket', 'newTab', 'openSettings', 'undo', 'editPath'] as const)
    expect(disabled).not.toContain(id);
});

const foundPlace = {
  kind: 'search',
  id: 's',
  connectionId: 'c',
  bucket: 'b',
  prefix: 'in/',
  form: emptySearchForm,
  walkId: 'w',
} as const satisfies WindowPlace;

/** Returns a window in which these objects are selected. */
function windowWith(place: WindowPlace, keys: readonly string[]): CommandWindow {
  const rows = keys.map((key) => ({ kind: key.endsWith('/') ? 'folder' : 'object', key }));
  return { ...windowAt(place), folder: { current: { selected: () => rows } } } as unknown as CommandWindow;
}

test('search results enable the commands for selected objects, but not those for a folder', () => {
  const disabled = disabledCommands(windowAt(foundPlace));
  for (const id of ['rename', 'cut', 'copy', 'copyTo', 'moveTo', 'remove', 'download', 'properties'] as const)
    expect(disabled).not.toContain(id);
  for (const id of ['paste', 'syncUp', 'folderSize', 'calculateSizes', 'openTrash'] as const)
    expect(disabled).toContain(id);
});

test('deleting search results with all versions names the searched folder and the selected objects', () => {
  const { commands } = commandRuns(() => windowWith(foundPlace, ['in/a/1', 'in/b/2']));
  commands.removeVersions();
  expect(opened).toMatchObject([
    {
      kind: 'delete',
      place: { connectionId: 'c', bucket: 'b', folder: 'in/' },
      rows: [{ key: 'in/a/1' }, { key: 'in/b/2' }],
      allVersions: true,
    },
  ]);
});

test('renaming several search results of one folder asks for a pattern in that folder', () => {
  commandRuns(() => windowWith(foundPlace, ['in/a/1', 'in/a/2'])).commands.rename();
  expect(opened).toMatchObject([{ kind: 'rename-many', place: { folder: 'in/a/' } }]);
});

test('renaming search results of several folders is refused', () => {
  commandRuns(() => windowWith(foundPlace, ['in/a/1', 'in/b/2'])).commands.rename();
  expect(opened).toEqual([]);
  expect(notices).toEqual(['operations.rename.oneFolder']);
});

test('renaming a folder together with an object is refused', () => {
  commandRuns(() => windowWith(folderPlace('c', 'b', ''), ['a/', '1'])).commands.rename();
  expect(opened).toEqual([]);
  expect(notices).toEqual(['operations.rename.only']);
});

test('a page replaces a command, and its handler can call the command of the window', () => {
  const { commands, windowRuns } = commandRuns(() => windowWith(foundPlace, ['in/a/1']));
  ofPage = { remove: windowRuns.remove };
  commands.remove();
  expect(opened).toHaveLength(1);
});

test('a step back reaches the navigation while its history is not rendered yet', () => {
  const actions: NavigationAction[] = [];
  const window = { ...windowAt(startPlace), dispatch: (action: NavigationAction) => actions.push(action) };
  const { commands } = commandRuns(() => window);
  commands.back();
  commands.forward();
  commands.up();
  expect(actions.map(({ kind }) => kind)).toEqual(['back', 'forward', 'up']);
});

test('keys do not run a command that the toolbar disables', () => {
  const { commands } = commandRuns(() => windowAt(folderPlace('c', 'b', ''), { isUnusable: true }));
  commands.newFolder();
  expect(opened).toEqual([]);
});

const ofRows = [
  'rename',
  'cut',
  'copy',
  'copyTo',
  'moveTo',
  'copyToPane',
  'moveToPane',
  'remove',
  'removeVersions',
  'download',
  'properties',
  'objectVersions',
  'link',
] as const satisfies readonly WindowCommand[];

test('beside search results the palette offers the commands for objects only while some are selected', () => {
  expect(offeredCommands(windowWith(foundPlace, ['in/a/1']))).toEqual(expect.arrayContaining([...ofRows]));
  const offered = offeredCommands(windowWith(foundPlace, []));
  for (const id of ofRows) expect(offered).not.toContain(id);
});

test('in a folder the palette also finds the commands for objects without a selection', () => {
  const offered = offeredCommands(windowWith(folderPlace('c', 'b', 'in/'), []));
  expect(offered).toEqual(expect.arrayContaining([...ofRows]));
});

test('the palette offers what arranges search results and concerns their bucket, and nothing that needs a folder', () => {
  const offered = offeredCommands(windowWith(foundPlace, ['in/a/1']));
  for (const id of ['selectAll', 'viewList', 'viewGallery', 'toggleDetails', 'bucketSettings'] as const)
    expect(offered).toContain(id);
  for (const id of ['paste', 'newFolder', 'uploadFiles', 'viewMap', 'focusFilter', 'toggleVersions'] as const)
    expect(offered).not.toContain(id);
});

/** Returns a window of two panes: search results with these selected objects, and a location beside them. */
function windowBeside(keys: readonly string[], beside: WindowPlace): CommandWindow {
  const window = windowWith(foundPlace, keys);
  const panes = [window.pane, { id: 2, history: [beside], at: 0 }] as const;
  return { ...window, tab: { ...window.tab, panes } };
}

test('search results are copied to a folder in the other pane by its command', () => {
  const { commands } = commandRuns(() => windowBeside(['in/a/1', 'in/b/'], folderPlace('c', 'other', 'to/')));
  commands.copyToPane();
  expect(transfers).toMatchObject([
    { from: { bucket: 'b', folder: 'in/' }, rows: [{}, {}], to: { bucket: 'other' }, isMove: false },
  ]);
});

test('copying to the other pane without a selected search result says that nothing is selected', () => {
  commandRuns(() => windowBeside([], folderPlace('c', 'other', ''))).commands.copyToPane();
  expect(notices).toEqual(['common.panes.nothing']);
});

test('a command for objects waits until all selected search results are loaded', () => {
  let isLoaded = false;
  const loaded = { kind: 'object', key: 'in/a/1' };
  const window = windowWith(foundPlace, []);
  const handle = {
    selected: () => (isLoaded ? [loaded] : []),
    hasSelected: () => true,
    withSelected: (act: () => void) => {
      isLoaded = true;
      act();
    },
  };
  const withAll = { ...window, folder: { current: handle } } as unknown as CommandWindow;
  expect(offeredCommands(withAll)).toContain('copyTo');
  commandRuns(() => withAll).commands.copyTo();
  expect(opened).toMatchObject([{ kind: 'target', rows: [loaded] }]);
});
