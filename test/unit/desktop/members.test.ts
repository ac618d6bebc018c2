import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as standIn from '../../support/electron-stand-in/electron.ts';

/** The repository. These tests compare the uses of Electron and its stand-in with electron.d.ts of the pinned version. */
const root = fileURLToPath(new URL('../../../', import.meta.url));
const declared = declarations(readFileSync(path.join(root, 'node_modules/electron/electron.d.ts'), 'utf8'));

interface Declared {
  readonly parents: readonly string[];
  readonly members: Set<string>;
  readonly events: Set<string>;
}

/** Reads classes and interfaces by the layout of the generated file: two spaces before a type, four before its members. */
function declarations(text: string): ReadonlyMap<string, Declared> {
  const types = new Map<string, Declared>();
  let current: Declared | null = null;
  for (const line of text.split('\n')) {
    const opened = /^ {2}(?:class|interface) (\w+)(?: extends ([^{]+))? \{/.exec(line);
    if (opened !== null) {
      const [, name = '', parents = ''] = opened;
      const known = types.get(name);
      current = known ?? { parents: parents.split(',').map(bare), members: new Set(), events: new Set() };
      types.set(name, current);
    } else if (line === '  }') current = null;
    else if (current !== null) {
      const member = /^ {4}(?:static |readonly )*(\w+)\??[(:<]/.exec(line)?.[1];
      if (member !== undefined) current.members.add(member);
      const event = /^ {4}on\(event: '([\w-]+)'/.exec(line)?.[1];
      if (event !== undefined) current.events.add(event);
    }
  }
  return types;
}

function bare(parent: string): string {
  return parent.trim().replace(/^.*?\(?(\w+)\)?$/, '$1');
}

function has(type: string, kind: 'members' | 'events', name: string): boolean {
  const found = declared.get(type);
  if (found === undefined) return false;
  return found[kind].has(name) || found.parents.some((parent) => has(parent, kind, name));
}

/** Returns the type behind a name that a file imports from Electron. */
function typeOf(imported: string): string {
  return `${imported.charAt(0).toUpperCase()}${imported.slice(1)}`;
}

/** Variable names that have the same type in all sources, each with the import that the file must then have. */
const variables: Readonly<Record<string, readonly [type: string, imported: string]>> = {
  window: ['BrowserWindow', 'BrowserWindow'],
  webContents: ['WebContents', 'BrowserWindow'],
  contents: ['WebContents', 'WebContents'],
  notification: ['Notification', 'Notification'],
  tray: ['Tray', 'Tray'],
  target: ['Session', 'Session'],
  defaultSession: ['Session', 'session'],
};

interface Use {
  readonly file: string;
  readonly type: string;
  readonly name: string;
}

interface Source {
  readonly file: string;
  readonly code: string;
  readonly types: ReadonlyMap<string, string>;
}

/** Returns the sources of the desktop host without comments. Types no variables of the preload, whose `window` is that of the page. */
function sources(): readonly Source[] {
  const folder = path.join(root, 'electron/desktop');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/gu, '');
      const imported = /import (?:type )?\{([^}]+)\} from 'electron'/u.exec(code)?.[1] ?? '';
      const names = imported.split(',').map((name) => name.replace(/^\s*type\s/u, '').trim());
      const objects = names.filter((name) => name !== '').map((name) => [name, typeOf(name)] as const);
      const held = file.endsWith('preload.ts')
        ? []
        : Object.entries(variables)
            .filter(([, [, wanted]]) => names.includes(wanted))
            .map(([name, [type]]) => [name, type] as const);
      return { file, code, types: new Map([...objects, ...held]) };
    });
}

function uses(pattern: RegExp): readonly Use[] {
  return sources().flatMap(({ file, code, types }) =>
    [...code.matchAll(pattern)].flatMap(([, object = '', name = '']) => {
      const type = types.get(object);
      return type === undefined ? [] : [{ file, type, name }];
    }),
  );
}

const emitterMethods = new Set(['on', 'once', 'off', 'emit']);

describe('electron.d.ts of the pinned version', () => {
  test('declares every member that the desktop host uses', () => {
    const used = uses(/\b(\w+)\??\s*\.(?!(?:ts|json)\b)(\w+)\b/gu).filter(
      ({ name }) => !emitterMethods.has(name),
    );
    expect(used.length).toBeGreaterThan(50);
    expect(used.filter(({ type, name }) => !has(type, 'members', name))).toEqual([]);
  });

  test('declares every event that the desktop host listens to', () => {
    const used = uses(/\b(\w+)\??\s*\.(?:on|once|off)\(\s*'([\w-]+)'/gu).filter(
      ({ type }) => !type.startsWith('Ipc'),
    );
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter(({ type, name }) => !has(type, 'events', name))).toEqual([]);
  });

  test('has the members and events that Electron has, and no others', () => {
    expect(has('App', 'members', 'requestSingleInstanceLock')).toBe(true);
    expect(has('App', 'members', 'makeSingleInstance')).toBe(false);
    expect(has('BrowserWindow', 'events', 'query-session-end')).toBe(true);
    expect(has('BrowserWindow', 'events', 'no-such-event')).toBe(false);
  });
});

/** Returns the stand-in's object of a type, or null if the stand-in has no such type. */
function standInOf(type: string): object | null {
  const classes: Readonly<Record<string, object>> = {
    BrowserWindow: Object.assign(Object.create(standIn.BrowserWindow.prototype), standIn.BrowserWindow),
    WebContents: standIn.WebContents.prototype,
    Notification: standIn.Notification.prototype,
    Tray: standIn.Tray.prototype,
    Session: standIn.session.defaultSession,
  };
  const objects: Readonly<Record<string, unknown>> = standIn;
  const name = `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
  const found = classes[type] ?? objects[name] ?? objects[type];
  return typeof found === 'object' && found !== null ? found : null;
}

/** Types that only the preload uses. Tests pass other objects to the preload. */
const inPreload = new Set(['IpcRenderer', 'ContextBridge', 'WebUtils']);
/** Properties that Electron sets on each window, and static members. */
const ofInstances = new Set([
  'defaultSession',
  'webContents',
  'getFocusedWindow',
  'isSupported',
  'mainFrame',
  'id',
]);
/** Methods of the stand-in that only tests call. */
const controls = new Set(['becomeReady', 'download', 'finish', 'constructor']);

describe('the stand-in for Electron', () => {
  test('has every member that the desktop host uses', () => {
    const used = uses(/\b(\w+)\??\s*\.(?!(?:ts|json)\b)(\w+)\b/gu).filter(
      ({ type, name }) => !inPreload.has(type) && !ofInstances.has(name),
    );
    const lacking = used.filter(({ type, name }) => {
      const object = standInOf(type);
      return object === null || !(name in object);
    });
    expect(lacking).toEqual([]);
  });

  test.each([
    ['App', standIn.app],
    ['BrowserWindow', standIn.BrowserWindow.prototype],
    ['WebContents', standIn.WebContents.prototype],
    ['Session', standIn.session.defaultSession],
    ['DownloadItem', standIn.DownloadItem.prototype],
    ['Tray', standIn.Tray.prototype],
    ['AutoUpdater', standIn.autoUpdater],
  ])('has no method that Electron does not have: %s', (type, object) => {
    const standInObject =
      Object.getPrototypeOf(object) === Object.prototype ? object : prototypeWithMethods(object);
    const invented = Object.getOwnPropertyNames(standInObject).filter(
      (name) => !controls.has(name) && !has(type, 'members', name),
    );
    expect(invented).toEqual([]);
  });
});

function prototypeWithMethods(object: object): object {
  return Object.hasOwn(object, 'constructor') ? object : (Object.getPrototypeOf(object) as object);
}
