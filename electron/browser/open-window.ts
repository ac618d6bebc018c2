import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, readSync, realpathSync } from 'node:fs';
import path from 'node:path';

export interface System {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
  /** Returns true if the file exists and is executable. */
  readonly canRun: (file: string) => boolean;
  /** Returns the name of the snap that contains a program; null if none does. */
  readonly snapOf?: (file: string) => string | null;
  /** Returns the desktop file of the default browser, such as `firefox_firefox.desktop`; null if unknown. */
  readonly defaultBrowser?: () => string | null;
}

/** The browser that will show the window. */
export interface Browser {
  readonly file: string;
  readonly isAppWindow: boolean;
  /**
   * The browser's snap; null if it is not a snap. Snaps cannot read hidden folders, such as the data folder
   * (jupyter/notebook#5479).
   */
  readonly snap: string | null;
}

/** Returns the browser that `openCommand` would start; null if there is none. */
export function findBrowser(system: System): Browser | null {
  const command = openCommand('', '', system);
  if (command === null) return null;
  const { file, isAppWindow } = command;
  const snap = isAppWindow ? system.snapOf?.(file) : snapOfDesktopFile(system.defaultBrowser?.() ?? null);
  return { file, isAppWindow, snap: snap ?? null };
}

/**
 * Returns a folder whose files the browser can read. A snap can read only its own folder in the home folder, and has another
 * /tmp.
 */
export function folderFor(browser: Pick<Browser, 'snap'>, dataDir: string, home: string): string {
  return browser.snap === null ? dataDir : path.join(home, 'snap', browser.snap, 'common', 'cooper');
}

/**
 * Returns the snap of a desktop file. Only snapd uses names like SNAP_APP.desktop; others are `firefox.desktop` or
 * `org.mozilla.firefox.desktop`.
 */
export function snapOfDesktopFile(name: string | null): string | null {
  return /^([a-z0-9][a-z0-9-]*)_[A-Za-z0-9._-]+\.desktop$/.exec(name ?? '')?.[1] ?? null;
}

/**
 * Returns the name of the snap to which a program's path leads. A program may also be a script that starts a snap, as in Debian's
 * transitional packages.
 */
export function snapIn(realPath: string, beginning: string): string | null {
  const inPath = /^\/(?:var\/lib\/snapd\/)?snap\/(?:bin\/)?([a-z0-9-]+)/.exec(realPath);
  const inScript = beginning.startsWith('#!') ? /\/snap\/bin\/([a-z0-9-]+)/.exec(beginning) : null;
  return (inPath ?? inScript)?.[1] ?? null;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** True for an application window with its own browser profile. It is closed when Cooper ends. */
  readonly isAppWindow: boolean;
}

const chromiumNames = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
];

export function hasDisplay({ platform, env }: Pick<System, 'platform' | 'env'>): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY']);
}

/**
 * Returns the command that opens an address: in an application window if a Chromium is found, otherwise in the default browser.
 * Returns null without a display or a browser.
 */
export function openCommand(address: string, profileDir: string, system: System): Command | null {
  if (!hasDisplay(system)) return null;
  // As root, Chromium runs only without its sandbox.
  const chromium = system.isRoot ? null : findChromium(system);
  if (chromium !== null) {
    const args = [
      `--app=${address}`,
      `--user-data-dir=${profileDir}`,
      '--class=cooper',
      '--no-first-run',
      '--no-default-browser-check',
    ];
    return { file: chromium, args, isAppWindow: true };
  }
  switch (system.platform) {
    case 'darwin':
      return { file: '/usr/bin/open', args: [address], isAppWindow: false };
    case 'win32':
      return { file: 'rundll32.exe', args: ['url.dll,FileProtocolHandler', address], isAppWindow: false };
    default: {
      const file = findOnPath('xdg-open', system);
      return file === null ? null : { file, args: [address], isAppWindow: false };
    }
  }
}

function findChromium(system: System): string | null {
  if (system.platform === 'darwin') {
    const apps = ['Google Chrome', 'Microsoft Edge', 'Chromium'];
    return apps.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`).find(system.canRun) ?? null;
  }
  if (system.platform === 'win32') {
    const roots = [system.env['ProgramFiles'], system.env['ProgramFiles(x86)'], system.env['LOCALAPPDATA']];
    const apps = [
      String.raw`Google\Chrome\Application\chrome.exe`,
      String.raw`Microsoft\Edge\Application\msedge.exe`,
    ];
    const files = roots.flatMap((root) => (root ? apps.map((app) => path.win32.join(root, app)) : []));
    return files.find(system.canRun) ?? null;
  }
  const files = chromiumNames.values().map((name) => findOnPath(name, system));
  return files.find((file) => file !== null) ?? null;
}

function findOnPath(name: string, system: System): string | null {
  const dirs = (system.env['PATH'] ?? '').split(':').filter((dir) => dir.startsWith('/'));
  return dirs.map((dir) => path.posix.join(dir, name)).find(system.canRun) ?? null;
}

export function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // Any error means that the program cannot be run.
  }
}

export function thisSystem(): System {
  return {
    platform: process.platform,
    env: process.env,
    isRoot: process.getuid?.() === 0,
    canRun,
    snapOf,
    defaultBrowser,
  };
}

function snapOf(file: string): string | null {
  try {
    // The unresolved path is checked first, because all links in /snap/bin lead to /usr/bin/snap.
    return snapIn(file, '') ?? snapIn(realpathSync(file), beginningOf(file));
  } catch {
    return null; // The program was just removed or cannot be read, so it counts as no snap.
  }
}

function beginningOf(file: string): string {
  const fd = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(4096);
    return bytes.toString('latin1', 0, readSync(fd, bytes));
  } finally {
    closeSync(fd);
  }
}

/** Returns the desktop file that `xdg-open` uses for web pages. */
function defaultBrowser(): string | null {
  if (process.platform !== 'linux') return null;
  const xdgResult = spawnSync('xdg-settings', ['get', 'default-web-browser'], {
    encoding: 'utf8',
    timeout: 3000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return xdgResult.status === 0 ? xdgResult.stdout.trim() : null;
}

/** Starts the browser. Returns the process that must end with Cooper; null if there is none. */
export function open(command: Command): ChildProcess | null {
  const child = spawn(command.file, command.args, { stdio: 'ignore', detached: !command.isAppWindow });
  // If the browser cannot be started, the user can open the printed address.
  child.on('error', () => undefined);
  child.unref();
  return command.isAppWindow ? child : null;
}
