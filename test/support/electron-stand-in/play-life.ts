/** Simulates a day of use: links, windows, menus, a crash, an unhandled error, and quitting while jobs run. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { askControl } from '../../../electron/host/control.ts';
import * as standIn from './electron.ts';
import { coreOfWindow, exited, finish, listen, startMain, until } from './core-of-window.ts';

const dist = new URL(process.env['COOPER_TEST_DIST'] ?? '../../../dist/desktop/', import.meta.url);
const dataDir = process.env['COOPER_TEST_DATA'] ?? '';
const report: Record<string, unknown> = {};
process.argv.push('s3://photos/a%20b/');
const window = await startMain(dist, () => {
  // macOS passes the first link before the program is ready.
  standIn.app.emit('open-url', standIn.preventable(), 's3://early/');
});
if (window === null) finish(report);
else await play(window);

async function play(first: standIn.BrowserWindow): Promise<void> {
  const core = coreOfWindow(first);
  await until(
    () => askControl(dataDir),
    (response) => response !== null,
  );
  report['jobsAtStart'] = (await core.jobs.counts()).byState;
  report['secondStart'] = playSecondStart(first);
  report['links'] = await playLinks(core);
  const events: string[] = [];
  void (async () => {
    for await (const event of await core.app.watch()) events.push(event.kind);
  })();
  report['windows'] = await playWindows(first);
  await core.settings.update({ theme: 'dark' });
  report['theme'] = await until(
    () => standIn.nativeTheme.themeSource,
    (source) => source === 'dark',
  );
  report['accents'] = await playAccents(core);
  await core.settings.update({ language: 'ru' });
  report['russian'] = await until(menuLabels, (labels) => labels.includes('Правка'));
  await core.settings.update({ language: 'system' });
  report['english'] = await until(menuLabels, (labels) => labels.includes('Edit'));
  process.emit('unhandledRejection', new Error('first surprise'), Promise.resolve());
  process.emit('uncaughtException', new Error('second surprise'));
  await until(
    () => events.length,
    (count) => count > 0 && events.includes('trouble'),
  );
  report['troubles'] = events.filter((kind) => kind === 'trouble').length;
  report['unsaved'] = await playUnsaved(first);
  report['session'] = await playSessionEnd(first);
  report['crashes'] = await playCrashes(first);
  await playQuit(core);
}

/** Simulates a second start, which does not get Electron's lock, while the window is minimised. */
function playSecondStart(first: standIn.BrowserWindow): unknown {
  first.minimize();
  standIn.app.emit('second-instance', {}, [], '');
  return { isMinimized: first.isMinimized(), isFocused: standIn.BrowserWindow.getFocusedWindow() === first };
}

/** Changes the system's accent colour, and returns the colours that the window receives. */
async function playAccents(core: ReturnType<typeof coreOfWindow>): Promise<unknown> {
  const { systemPreferences, nativeTheme } = standIn;
  const accents = [(await core.app.info()).accent];
  for (const [accent, emitter, event] of [
    ['d13438ff', systemPreferences, 'accent-color-changed'],
    ['nonsense', nativeTheme, 'updated'],
    ['0078D4FF', nativeTheme, 'updated'],
    ['none', systemPreferences, 'accent-color-changed'],
  ] as const) {
    systemPreferences.accent = accent;
    emitter.emit(event);
    accents.push((await core.app.info()).accent);
  }
  return accents;
}

async function playLinks(core: ReturnType<typeof coreOfWindow>): Promise<unknown> {
  const take = () => core.s3Links.take();
  const started = [await take(), await take()];
  await askControl(dataDir, 's3://second/x/');
  const second = await take();
  await askControl(dataDir, 'file:///etc/passwd');
  await askControl(dataDir, 's3://user@host/x');
  const event = standIn.preventable();
  standIn.app.emit('open-url', event, 's3://third');
  return { started, second, third: await take(), prevented: event.prevented, left: await take() };
}

interface Item {
  readonly id?: string;
  readonly role?: string;
  readonly label?: string;
  readonly type?: string;
  readonly submenu?: readonly Item[];
  readonly click?: () => void;
}

function lastMenu(): readonly Item[] {
  return standIn.record.findLast(({ call }) => call === 'Menu.setApplicationMenu')
    ?.args[0] as readonly Item[];
}

/** Returns the labels of all menus and their entries. */
function menuLabels(): readonly string[] {
  return lastMenu().flatMap(({ label = '', submenu = [] }) => [
    label,
    ...submenu.flatMap((item) => (item.type === 'separator' ? [] : [item.label ?? ''])),
  ]);
}

async function playWindows(first: standIn.BrowserWindow): Promise<unknown> {
  const menu = lastMenu();
  const items = menu.flatMap(({ submenu = [] }) => submenu);
  const item = (id: string) => items.find((item) => item.id === id);
  await until(
    () => first.webContents.isLoaded,
    (isLoaded) => isLoaded,
  );
  listen(first);
  item('newTab')?.click?.();
  item('newWindow')?.click?.();
  const [, second] = standIn.BrowserWindow.all;
  // The page of the second window does not listen yet.
  item('openSettings')?.click?.();
  await until(
    () => second?.webContents.isLoaded,
    (isLoaded) => isLoaded === true,
  );
  if (second !== undefined) listen(second);
  const sent = { first: [...first.webContents.sent], second: [...(second?.webContents.sent ?? [])] };
  second?.close();
  item('up')?.click?.();
  return {
    commands: items.flatMap(({ id }) => (id === undefined ? [] : [id])),
    roles: items.flatMap(({ role }) => (role === undefined ? [] : [role])),
    sent,
    afterwards: first.webContents.sent.length,
    count: standIn.BrowserWindow.all.length,
  };
}

/** Closes a window with unsaved text twice: the user first keeps the window, then discards the text. */
async function playUnsaved(first: standIn.BrowserWindow): Promise<readonly boolean[]> {
  lastMenu()
    .flatMap(({ submenu = [] }) => submenu)
    .find(({ id }) => id === 'newWindow')
    ?.click?.();
  const second = standIn.BrowserWindow.all.findLast((window) => window !== first);
  if (second === undefined) return [];
  second.hasUnsavedText = true;
  const left: boolean[] = [];
  for (const response of [0, 1]) {
    standIn.boxAnswers.push(response);
    second.close();
    await answered();
    left.push(second.destroyed);
  }
  return left;
}

/** Waits until all prepared answers to message boxes have been used. */
async function answered(): Promise<void> {
  await until(
    () => standIn.boxAnswers.length,
    (count) => count === 0,
  );
  await nextTurn();
}

/** Ends the system's session while the page has unsaved text, which the user keeps. */
async function playSessionEnd(first: standIn.BrowserWindow): Promise<unknown> {
  first.hasUnsavedText = true;
  const ends = [
    (event: standIn.Preventable) => first.emit('query-session-end', event),
    (event: standIn.Preventable) => standIn.powerMonitor.emit('shutdown', event),
  ];
  const delayed: boolean[] = [];
  for (const end of ends) {
    standIn.boxAnswers.push(0);
    const event = standIn.preventable();
    end(event);
    await answered();
    delayed.push(event.prevented);
  }
  first.hasUnsavedText = false;
  return { delayed, isOpen: !first.destroyed };
}

async function playCrashes(first: standIn.BrowserWindow): Promise<unknown> {
  const counts: number[] = [];
  // Opens a second window, because the program would quit when its last window closes.
  lastMenu()
    .flatMap(({ submenu = [] }) => submenu)
    .find(({ id }) => id === 'newWindow')
    ?.click?.();
  standIn.boxAnswers.push(1);
  for (let crash = 0; crash < 5; crash += 1) {
    first.webContents.emit('render-process-gone', {}, { reason: crash === 0 ? 'clean-exit' : 'crashed' });
    counts.push(reloads());
  }
  await until(
    () => first.destroyed,
    (destroyed) => destroyed,
  );
  // A click on the icon in the dock shows the remaining window.
  standIn.app.emit('activate');
  return {
    reloads: counts,
    boxes: standIn.record.filter(
      ({ call, args }) => call === 'dialog.showMessageBox' && (args[0] as { type?: string }).type === 'error',
    ).length,
  };
}

async function playQuit(core: ReturnType<typeof coreOfWindow>): Promise<void> {
  const connection = await core.connections.create(
    JSON.parse(process.env['COOPER_TEST_CONNECTION'] ?? '{}') as Parameters<
      typeof core.connections.create
    >[0],
  );
  // The message of a library's exception may contain its input.
  const { auth } = JSON.parse(process.env['COOPER_TEST_CONNECTION'] ?? '{}') as {
    auth: { secretAccessKey: string };
  };
  const authorization = `AWS4-HMAC-SHA256 Credential=KEY/x, Signature=${auth.secretAccessKey}`;
  const surprise = new Error(`cannot sign with ${auth.secretAccessKey}`, { cause: auth });
  Object.assign(surprise, { request: { headers: { authorization }, options: { tries: [auth] } } });
  process.emit('uncaughtException', surprise);
  process.emit('unhandledRejection', surprise, Promise.resolve());
  const roots = await core.files.roots();
  const folderHandle = roots[0]?.handle ?? '';
  await core.transfers.download({
    connectionId: connection.id,
    bucket: 'photos',
    basePrefix: '',
    items: [{ kind: 'key', key: 'a' }],
    folderHandle,
    options: { onConflict: 'ask' },
  });
  await until(
    () => standIn.record,
    (record) => record.some(({ call, args }) => call === 'app.setBadgeCount' && args[0] === 1),
  );
  // Waits for the transfer's first request.
  await until(
    () => standIn.record,
    (record) => record.some(({ call }) => call === 'session.resolveProxy'),
  );
  report['background'] = await playBackground();
  standIn.boxAnswers.push(1);
  standIn.app.quit();
  await until(
    () => standIn.boxAnswers.length,
    (left) => left === 0,
  );
  report['stayed'] = !standIn.record.some(({ call }) => call === 'app.exit');
  report['jobsBefore'] = (await core.jobs.counts()).byState;
  standIn.boxAnswers.push(0);
  standIn.app.quit();
  report['exitStatus'] = await exited;
  finish(report);
}

/** Closes the last window while a transfer runs, then starts Cooper again. */
async function playBackground(): Promise<unknown> {
  standIn.boxAnswers.push(0);
  for (const window of standIn.BrowserWindow.all) if (!window.destroyed) window.close();
  await until(
    () => standIn.Tray.all.length,
    (count) => count > 0,
  );
  // A later run shows no explanation, so its prepared answer would go to the next box.
  standIn.boxAnswers.length = 0;
  const [tray] = standIn.Tray.all;
  const before = { hasTray: tray?.isDestroyed() === false, hasQuit: standIn.app.isQuitting };
  await askControl(dataDir);
  const isShown = standIn.BrowserWindow.all.some(({ destroyed }) => !destroyed);
  return { ...before, isShown, hasTrayThen: tray?.isDestroyed() === false };
}

function reloads(): number {
  return standIn.record.filter(({ call }) => call === 'window.reload').length;
}
