import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

export interface Desk {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
  /** Whether a file is there and can be run. */
  readonly canRun: (file: string) => boolean;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** An application window of a browser with a profile of its own, which ends with Cooper. */
  readonly ownWindow: boolean;
}

const chromiumNames = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
];

export function hasDisplay({ platform, env }: Pick<Desk, 'platform' | 'env'>): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY']);
}

/** How to show an address here: as an application window where a Chromium is found, else in the default browser; null where neither is there. */
export function openCommand(address: string, profileDir: string, desk: Desk): Command | null {
  if (!hasDisplay(desk)) return null;
  // Chromium does not run as root without giving up its sandbox.
  const chromium = desk.isRoot ? null : findChromium(desk);
  if (chromium !== null) {
    const args = [
      `--app=${address}`,
      `--user-data-dir=${profileDir}`,
      '--class=cooper',
      '--no-first-run',
      '--no-default-browser-check',
    ];
    return { file: chromium, args, ownWindow: true };
  }
  switch (desk.platform) {
    case 'darwin':
      return { file: '/usr/bin/open', args: [address], ownWindow: false };
    case 'win32':
      return { file: 'rundll32.exe', args: ['url.dll,FileProtocolHandler', address], ownWindow: false };
    default: {
      const file = findOnPath('xdg-open', desk);
      return file === null ? null : { file, args: [address], ownWindow: false };
    }
  }
}

function findChromium(desk: Desk): string | null {
  if (desk.platform === 'darwin') {
    const apps = ['Google Chrome', 'Microsoft Edge', 'Chromium'];
    return apps.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`).find(desk.canRun) ?? null;
  }
  if (desk.platform === 'win32') {
    const roots = [desk.env['ProgramFiles'], desk.env['ProgramFiles(x86)'], desk.env['LOCALAPPDATA']];
    const apps = [
      String.raw`Google\Chrome\Application\chrome.exe`,
      String.raw`Microsoft\Edge\Application\msedge.exe`,
    ];
    const files = roots.flatMap((root) => (root ? apps.map((app) => path.win32.join(root, app)) : []));
    return files.find(desk.canRun) ?? null;
  }
  for (const name of chromiumNames) {
    const file = findOnPath(name, desk);
    if (file !== null) return file;
  }
  return null;
}

function findOnPath(name: string, desk: Desk): string | null {
  const dirs = (desk.env['PATH'] ?? '').split(':').filter((dir) => dir.startsWith('/'));
  return dirs.map((dir) => path.posix.join(dir, name)).find(desk.canRun) ?? null;
}

export function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // Whatever the reason, it cannot be run.
  }
}

export function thisDesk(): Desk {
  return {
    platform: process.platform,
    env: process.env,
    isRoot: process.getuid?.() === 0,
    canRun,
  };
}

/** Starts the browser; returns the process that must end with Cooper, or null. */
export function open(command: Command): ChildProcess | null {
  const child = spawn(command.file, command.args, { stdio: 'ignore', detached: !command.ownWindow });
  // The printed address is what remains when the browser cannot be started.
  child.on('error', () => undefined);
  child.unref();
  return command.ownWindow ? child : null;
}
