import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isWindowCommand, type WindowCommand } from '../../../shared/commands.ts';
import { filesHolding } from '../../support/files/files-holding.ts';
import { runDesktop, secret, type Recorded } from './stand-in.ts';

interface Life {
  readonly record: readonly Recorded[];
  readonly jobsAtStart: Readonly<Record<string, number>>;
  readonly jobsBefore: Readonly<Record<string, number>>;
  readonly secondStart: unknown;
  readonly background: unknown;
  readonly links: unknown;
  readonly windows: {
    readonly commands: readonly string[];
    readonly roles: readonly string[];
    readonly sent: unknown;
    readonly afterwards: number;
    readonly count: number;
  };
  readonly theme: string;
  readonly accents: readonly (string | null)[];
  readonly russian: readonly string[];
  readonly english: readonly string[];
  readonly troubles: number;
  readonly session: unknown;
  readonly unsaved: unknown;
  readonly crashes: unknown;
  readonly stayed: boolean;
  readonly exitStatus: number;
}

let dataDir: string;
let life: Life;
let next: Life;
const outputs: string[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'cooper-life-'));
  const run = async (): Promise<Life> => {
    const ran = await runDesktop({ dataDir, play: 'play-life.ts' });
    if (ran.report === null) throw new Error(ran.output);
    outputs.push(ran.output);
    return ran.report as unknown as Life;
  };
  life = await run();
  next = await run();
}, 120_000);
afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

const recorded = (call: string): readonly (readonly unknown[])[] =>
  life.record.filter((entry) => entry.call === call).map(({ args }) => args);

test('s3 links are held for the window, however they arrive, and other arguments are ignored', () => {
  expect(life.links).toEqual({
    started: [
      { bucket: 'photos', prefix: 'a%20b/', decodedPrefix: 'a b/' },
      { bucket: 'early', prefix: '', decodedPrefix: null },
    ],
    second: { bucket: 'second', prefix: 'x/', decodedPrefix: null },
    third: { bucket: 'third', prefix: '', decodedPrefix: null },
    prevented: true,
    left: null,
  });
  expect(recorded('shell.openExternal')).toEqual([]);
});

test("a menu sends its command to the focused window under the window's own names", () => {
  const { commands, sent, afterwards } = life.windows;
  const named: readonly (WindowCommand | 'newWindow')[] = [
    'back',
    'up',
    'openSettings',
    'openUpdates',
    'openAbout',
    'newWindow',
  ];
  expect(commands).toEqual(expect.arrayContaining([...named]));
  expect(commands.filter((command) => command !== 'newWindow' && !isWindowCommand(command))).toEqual([]);
  expect(sent).toEqual({
    first: [['cooper:command', 'newTab']],
    second: [['cooper:command', 'openSettings']],
  });
  expect(afterwards).toBe(2);
});

test('the menu contains no role that reloads the page, and Edit commands that act on objects', () => {
  expect(life.windows.roles).toContain('togglefullscreen');
  expect(life.windows.commands).toEqual(expect.arrayContaining(['copy', 'paste', 'undo', 'selectAll']));
  for (const role of ['reload', 'copy', 'paste']) expect(life.windows.roles).not.toContain(role);
});

test('the menus follow the language of the settings or system without a restart', () => {
  expect(life.russian.filter((label) => !/\p{Script=Cyrillic}/u.test(label))).toEqual([]);
  expect(life.english.filter((label) => !/^[\w …]+$/u.test(label))).toEqual([]);
});

test('several windows share one core, each with its own tabs', () => {
  expect(recorded('window.loadURL').slice(0, 2)).toEqual([['cooper://app/'], ['cooper://app/?window=2']]);
  expect(life.windows.count).toBe(2);
});

test("the system's accent colour and its changes reach the window, and invalid ones count as none", () => {
  expect(life.accents).toEqual([null, '#d13438', null, '#0078d4', null]);
});

test('a second start brings a minimised window to the front', () => {
  expect(recorded('app.requestSingleInstanceLock')).toHaveLength(1);
  expect(life.secondStart).toEqual({ isMinimized: false, isFocused: true });
});

test('a transfer continues after the last window closed, behind an icon that a second start replaces by a window', () => {
  expect(life.background).toEqual({ hasTray: true, hasQuit: false, isShown: true, hasTrayThen: false });
  expect(recorded('powerSaveBlocker.start').length).toBeGreaterThan(0);
});

test('a request to a service asks the system for its proxy', () => {
  expect(recorded('session.resolveProxy')).toContainEqual(['https://storage.example/']);
});

test('a start at login opens no window, and a second start opens one', async () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'cooper-hidden-'));
  const ran = await runDesktop({ dataDir: dir, play: 'play-hidden.ts', args: ['--hidden'] });
  rmSync(dir, { recursive: true, force: true });
  expect(ran.report).toMatchObject({ windowsAtStart: 0, windows: 1, hasTray: false });
});

test('the theme of the settings is applied to the program', () => {
  expect(life.theme).toBe('dark');
});

test('every uncaught error is logged, reported once, and ends nothing', () => {
  expect(life.troubles).toBe(1);
  const log = readFileSync(path.join(dataDir, 'cooper.log'), 'utf8');
  expect(log).toContain('first surprise');
  expect(log).toContain('second surprise');
});

test('a window with unsaved text asks before it closes', () => {
  expect(life.unsaved).toEqual([false, true]);
});

test('the end of the session is delayed while unsaved text is asked about', () => {
  expect(life.session).toEqual({ delayed: [true, true], isOpen: true });
});

test('a crashed window is reloaded three times a minute, then the user is asked', () => {
  expect(life.crashes).toEqual({ reloads: [0, 1, 2, 3, 3], boxes: 1 });
  expect(recorded('new BrowserWindow')).toHaveLength(5);
});

test('running transfers are shown on the icon, and quitting asks about them', () => {
  expect(recorded('app.setBadgeCount')).toContainEqual([1]);
  expect(recorded('window.setProgressBar').length).toBeGreaterThan(0);
  expect(life.stayed).toBe(true);
  expect(life.exitStatus).toBe(0);
  expect(recorded('dialog.showMessageBox').at(-1)).toMatchObject([
    { type: 'question', message: '1 transfer is running.' },
  ]);
});

test('an interrupted transfer resumes at the next start', () => {
  const active = Object.entries(next.jobsAtStart).filter(
    ([state]) => !['done', 'cancelled', 'paused', 'needs-attention'].includes(state),
  );
  expect(active.reduce((sum, [, count]) => sum + count, 0)).toBe(1);
});

test('no file but the encrypted one, and no output, contains a secret after all this', () => {
  expect(filesHolding(dataDir, secret)).toEqual([]);
  // At least two of the uncaught errors named a secret and were logged.
  const log = readFileSync(path.join(dataDir, 'cooper.log'), 'utf8');
  expect(log.match(/cannot sign with/g)?.length).toBeGreaterThanOrEqual(2);
  // There is no memory dump next to the log either, which would contain every secret.
  const dumps = /\.(?:dmp|core|heapsnapshot|heapprofile)$|^core(?:\.\d+)?$|^report\..*\.json$/;
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
  expect(names.filter((name) => dumps.test(path.basename(name)))).toEqual([]);
  expect(outputs.join('')).not.toContain(secret);
  // Checks that the search can find text: the database contains the connection's other fields.
  const database = ['cooper.db', 'cooper.db-wal']
    .map((name) => path.join(dataDir, name))
    .filter((file) => existsSync(file));
  expect(database.some((file) => readFileSync(file).includes('storage.example'))).toBe(true);
});
