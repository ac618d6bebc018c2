/**
 * Replaces the module `electron` where its binary is not available: records the program's calls, and lets a test fire
 * Electron's events. It knows nothing of Cooper.
 */
import { EventEmitter } from 'node:events';
import http from 'node:http';
import type { MessagePort as NodePort } from 'node:worker_threads';

export interface Recorded {
  readonly what: string;
  readonly args: readonly unknown[];
}

export const record: Recorded[] = [];
const note = (what: string, ...args: unknown[]): void => {
  record.push({ what, args });
};

type Handler = (...args: never[]) => unknown;
/** Functions the program handed over, by the name of the method they were handed to. */
export const handlers = new Map<string, Handler>();
const keep =
  (name: string) =>
  (...args: unknown[]): void => {
    note(name);
    const handler = args.findLast((arg) => typeof arg === 'function');
    if (handler !== undefined) handlers.set(name, handler as Handler);
  };

const settings = JSON.parse(process.env['STAND_IN'] ?? '{}') as {
  readonly switches?: Readonly<Record<string, string>>;
  readonly storageBackend?: string;
  /** `refused`: the configured keyring is locked, absent, or the user denied access. */
  readonly keyring?: 'refused';
  readonly messageBoxAnswer?: number;
  /** A packaged program: where its resources lie. */
  readonly resourcesPath?: string;
  readonly version?: string;
  /** True if no window of the program has focus. */
  readonly unfocused?: boolean;
  /** The languages of the system, the best liked first. */
  readonly languages?: readonly string[];
  /** The accent colour: `rrggbbaa`, or `none` where asking for it fails. */
  readonly accent?: string;
};
if (settings.resourcesPath !== undefined) Object.assign(process, { resourcesPath: settings.resourcesPath });

class App extends EventEmitter {
  readonly isPackaged = settings.resourcesPath !== undefined;
  readonly commandLine = {
    getSwitchValue: (name: string): string => settings.switches?.[name] ?? '',
  };
  readonly paths = new Map<string, string>();
  setName(name: string): void {
    note('app.setName', name);
  }
  setPath(name: string, value: string): void {
    this.paths.set(name, value);
  }
  enableSandbox(): void {
    note('app.enableSandbox');
  }
  readonly #ready = Promise.withResolvers<void>();
  /** As in Electron: never before the program's entry module has been evaluated (electron/electron#40719). */
  whenReady(): Promise<void> {
    note('app.whenReady');
    return this.#ready.promise;
  }
  becomeReady(): void {
    this.#ready.resolve();
  }
  getPath(name: string): string {
    return this.paths.get(name) ?? '';
  }
  getAppPath(): string {
    return settings.resourcesPath ?? '';
  }
  getName(): string {
    return 'Cooper';
  }
  getPreferredSystemLanguages(): readonly string[] {
    return settings.languages ?? ['en-GB'];
  }
  getVersion(): string {
    return settings.version ?? '1.0.0';
  }
  setBadgeCount(count: number): void {
    note('app.setBadgeCount', count);
  }
  setLoginItemSettings(wanted: object): void {
    note('app.setLoginItemSettings', wanted);
  }
  isQuitting = false;
  /** As Electron does: `before-quit`, then every window closes and may stay, then `will-quit`. */
  quit(): void {
    note('app.quit');
    const asked = preventable();
    this.emit('before-quit', asked);
    if (asked.prevented) return;
    this.isQuitting = true;
    const hasStayed = BrowserWindow.all.some((window) => {
      if (!window.destroyed) window.close();
      return !window.destroyed;
    });
    this.isQuitting = !hasStayed;
    if (!hasStayed) this.emit('will-quit', preventable());
  }
  relaunch(): void {
    note('app.relaunch');
  }
  exit(status: number): void {
    note('app.exit', status);
    this.emit('stand-in-exit', status);
  }
}
export const app = new App();

export interface Preventable {
  prevented: boolean;
  preventDefault(): void;
}

export function preventable<T extends object>(fields?: T): Preventable & T {
  const event = {
    prevented: false,
    preventDefault: () => {
      event.prevented = true;
    },
    ...fields,
  } as Preventable & T;
  return event;
}

export interface Frame {
  url: string;
}

let lastContentsId = 0;
export class WebContents extends EventEmitter {
  readonly id: number;
  readonly mainFrame: Frame = { url: '' };
  windowOpenHandler: ((details: { url: string }) => { action: string }) | null = null;
  constructor() {
    super();
    lastContentsId += 1;
    this.id = lastContentsId;
    app.emit('web-contents-created', {}, this);
  }
  readonly sent: unknown[][] = [];
  send(channel: string, ...args: unknown[]): void {
    this.sent.push([channel, ...args]);
    note('webContents.send', channel, ...args);
  }
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.windowOpenHandler = handler;
  }
}

export class BrowserWindow extends EventEmitter {
  static readonly all: BrowserWindow[] = [];
  static getFocusedWindow(): BrowserWindow | null {
    return settings.unfocused === true ? null : (BrowserWindow.all.at(-1) ?? null);
  }
  readonly webContents: WebContents;
  constructor(options: object) {
    super();
    note('new BrowserWindow', options);
    this.webContents = new WebContents();
    BrowserWindow.all.push(this);
    app.emit('stand-in-window');
  }
  async loadURL(url: string): Promise<void> {
    note('window.loadURL', url);
    this.webContents.mainFrame.url = url;
    this.emit('ready-to-show');
    await Promise.resolve();
  }
  show(): void {
    note('window.show');
  }
  focus(): void {
    note('window.focus');
  }
  restore(): void {
    note('window.restore');
  }
  maximize(): void {
    note('window.maximize');
  }
  reload(): void {
    note('window.reload');
  }
  isMinimized(): boolean {
    return true;
  }
  isMaximized(): boolean {
    return false;
  }
  destroyed = false;
  isDestroyed(): boolean {
    return this.destroyed;
  }
  /** The page listens to `beforeunload` and prevents it. */
  hasUnsavedText = false;
  /** `close` comes before `beforeunload`; a page that prevents it keeps its window unless the program decides otherwise. */
  close(): void {
    const closing = preventable();
    this.emit('close', closing);
    if (closing.prevented) return;
    if (this.hasUnsavedText) {
      const unload = preventable();
      this.webContents.emit('will-prevent-unload', unload);
      if (!unload.prevented) return;
    }
    this.destroy();
  }
  destroy(): void {
    note('window.destroy');
    this.destroyed = true;
    this.emit('closed');
    // Electron says nothing of the last window while the program quits.
    if (!app.isQuitting && BrowserWindow.all.every(({ destroyed }) => destroyed))
      app.emit('window-all-closed');
  }
  setProgressBar(...args: unknown[]): void {
    note('window.setProgressBar', ...args);
  }
  getNormalBounds(): object {
    return { x: 40, y: 50, width: 900, height: 700 };
  }
}

/** Electron's port in the main process, over one of Node's. */
export class MessagePortMain extends EventEmitter {
  readonly #port: NodePort;
  closed = false;
  constructor(port: NodePort) {
    super();
    this.#port = port;
    port.on('close', () => this.emit('close'));
  }
  start(): void {
    this.#port.on('message', (data: unknown) => this.emit('message', { data, ports: [] }));
  }
  postMessage(data: unknown): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
    this.#port.postMessage(data);
  }
  close(): void {
    this.closed = true;
    this.#port.close();
  }
}

class IpcMain extends EventEmitter {
  readonly invokable = new Map<string, (event: unknown, ...args: unknown[]) => Promise<unknown>>();
  handle(channel: string, answer: (event: unknown, ...args: unknown[]) => Promise<unknown>): void {
    this.invokable.set(channel, answer);
  }
}
export const ipcMain = new IpcMain();

class Session extends EventEmitter {
  readonly protocol = { handle: keep('session.protocol.handle') };
  readonly webRequest = { onBeforeRequest: keep('session.webRequest.onBeforeRequest') };
  readonly setPermissionRequestHandler = keep('session.setPermissionRequestHandler');
  readonly setPermissionCheckHandler = keep('session.setPermissionCheckHandler');
  readonly setDevicePermissionHandler = keep('session.setDevicePermissionHandler');
  setSpellCheckerEnabled(on: boolean): void {
    note('session.setSpellCheckerEnabled', on);
  }
}
export const session = {
  defaultSession: new Session(),
  fromPartition: (name: string): object => ({ name }),
};

export const protocol = {
  registerSchemesAsPrivileged: (schemes: unknown): void => {
    note('protocol.registerSchemesAsPrivileged', schemes);
  },
};

const display = { workArea: { x: 0, y: 0, width: 1600, height: 900 } };
export const screen = { getPrimaryDisplay: () => display, getAllDisplays: () => [display] };

export const shell = {
  openExternal: async (url: string): Promise<void> => {
    note('shell.openExternal', url);
    await Promise.resolve();
  },
  showItemInFolder: (file: string): void => {
    note('shell.showItemInFolder', file);
  },
};

/** Which buttons are pressed, one box after the other; then what the settings say. */
export const boxAnswers: number[] = [];
export const dialog = {
  showErrorBox: (title: string, content: string): void => {
    note('dialog.showErrorBox', title, content);
  },
  showMessageBoxSync: (...args: object[]): number => {
    note('dialog.showMessageBoxSync', args.at(-1));
    return boxAnswers.shift() ?? 0;
  },
  showMessageBox: async (...args: object[]): Promise<{ response: number }> => {
    note('dialog.showMessageBox', args.at(-1));
    return await Promise.resolve({ response: boxAnswers.shift() ?? settings.messageBoxAnswer ?? 1 });
  },
};

export const Menu = {
  buildFromTemplate: (template: unknown): unknown => template,
  setApplicationMenu: (menu: unknown): void => {
    note('Menu.setApplicationMenu', menu);
  },
};

export class Notification extends EventEmitter {
  static isSupported(): boolean {
    return true;
  }
  constructor(options: object) {
    super();
    note('new Notification', options);
  }
  show(): void {
    note('notification.show');
  }
}

export const nativeTheme = Object.assign(new EventEmitter(), {
  themeSource: 'system',
  shouldUseDarkColors: false,
});

export const nativeImage = {
  createFromBitmap: (bitmap: Buffer, size: object): object => ({ bytes: bitmap.byteLength, ...size }),
};

class SystemPreferences extends EventEmitter {
  /** RGBA, as Electron has it. */
  accent = settings.accent ?? '';
  getAccentColor(): string {
    if (this.accent === 'none') throw new Error('There is no accent on this system.');
    return this.accent;
  }
  subscribeNotification(name: string, tell: () => void): number {
    note('systemPreferences.subscribeNotification', name);
    this.on(name, tell);
    return 1;
  }
  unsubscribeNotification(id: number): void {
    note('systemPreferences.unsubscribeNotification', id);
  }
}
export const systemPreferences = new SystemPreferences();
export const powerMonitor = new EventEmitter();
/** electron-updater sends it an event before it ends the program. */
export const autoUpdater = new EventEmitter();

interface NetRequestOptions {
  readonly protocol?: string;
  readonly hostname?: string;
  readonly port?: number | string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Implements Electron's requests on Node's: a redirect is emitted as an event, as with `redirect: 'manual'`. */
export const net = {
  request: (options: NetRequestOptions): EventEmitter => {
    const request = http.request({
      protocol: options.protocol ?? 'http:',
      hostname: options.hostname,
      port: options.port,
      path: options.path,
      method: options.method ?? 'GET',
      headers: { ...options.headers },
    });
    const outer = Object.assign(new EventEmitter(), {
      setHeader: (name: string, value: string) => request.setHeader(name, value),
      end: () => request.end(),
      abort: () => {
        request.destroy();
        outer.emit('abort');
      },
    });
    request.on('error', (error) => outer.emit('error', error));
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      const { location } = response.headers;
      if (status >= 300 && status < 400 && location !== undefined)
        outer.emit('redirect', status, 'GET', location);
      else outer.emit('response', response);
    });
    return outer;
  },
};

/** On Linux, a keyring that is configured may still not answer; Chromium then encrypts with a fixed key, marked `v10`. */
const hasKeyring = settings.storageBackend !== 'basic_text' && settings.keyring !== 'refused';
const keyMark = hasKeyring ? 'v11' : 'v10';

/** Reversed and marked: enough to tell whether the plain text reached a file. */
export const safeStorage = {
  getSelectedStorageBackend: () => settings.storageBackend ?? 'gnome_libsecret',
  // True without a keyring too: a password that everybody knows counts as encryption.
  isAsyncEncryptionAvailable: () => Promise.resolve(true),
  encryptStringAsync: (plain: string) =>
    Promise.resolve(Buffer.from(`${keyMark}${plain.split('').toReversed().join('')}`)),
  decryptStringAsync: (encrypted: Buffer) => {
    const text = encrypted.toString();
    if (text.startsWith('v11') && !hasKeyring)
      return Promise.reject(new Error('decryptStringAsync is temporarily unavailable. Please try again.'));
    const result = text.slice(keyMark.length).split('').toReversed().join('');
    return Promise.resolve({ result, shouldReEncrypt: !text.startsWith(keyMark) });
  },
};
