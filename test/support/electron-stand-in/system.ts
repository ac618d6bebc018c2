import { EventEmitter } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { setFlagsFromString } from 'node:v8';
import { note, setup } from './record.ts';

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
  openPath: async (file: string): Promise<string> => {
    note('shell.openPath', file);
    return await Promise.resolve('');
  },
  trashItem: async (file: string): Promise<void> => {
    note('shell.trashItem', file);
    await Promise.resolve();
  },
};

/** The buttons to press in the next message boxes, in order. Afterwards the setup's answer applies. */
export const boxAnswers: number[] = [];
/** The user's choices in the next file dialogs, in order. [] cancels a dialog. */
export const fileAnswers: string[][] = [];

function chosen(call: string, args: readonly object[]): readonly string[] {
  note(call, args.at(-1));
  return fileAnswers.shift() ?? [];
}

export const dialog = {
  showErrorBox: (title: string, content: string): void => {
    note('dialog.showErrorBox', title, content);
  },
  showMessageBox: async (...args: object[]): Promise<{ response: number }> => {
    note('dialog.showMessageBox', args.at(-1));
    return await Promise.resolve({ response: boxAnswers.shift() ?? setup.messageBoxAnswer ?? 1 });
  },
  showOpenDialog: async (...args: object[]): Promise<object> => {
    const filePaths = chosen('dialog.showOpenDialog', args);
    return await Promise.resolve({ canceled: filePaths.length === 0, filePaths });
  },
  showSaveDialog: async (...args: object[]): Promise<object> => {
    const [filePath = ''] = chosen('dialog.showSaveDialog', args);
    return await Promise.resolve({ canceled: filePath === '', filePath });
  },
};

interface BuiltMenu {
  readonly template: unknown;
  popup(options: unknown): void;
}

export const Menu = {
  /** Returns the template itself, so that tests can read it. */
  buildFromTemplate: (template: object): BuiltMenu =>
    Object.assign(template, {
      template,
      popup: (options: unknown): void => note('menu.popup', template, options),
    }),
  setApplicationMenu: (menu: unknown): void => {
    note('Menu.setApplicationMenu', menu);
  },
};

const shownNotices: WeakRef<Notification>[] = [];

/** A notification. As in Electron, it is garbage collected with its events if the program keeps no reference. */
export class Notification extends EventEmitter {
  static isSupported(): boolean {
    return true;
  }
  constructor(options: object) {
    super();
    note('new Notification', options);
    shownNotices.push(new WeakRef(this));
  }
  show(): void {
    note('notification.show');
  }
}

/** Runs the garbage collector, and returns the notifications that still exist, oldest first. */
export function liveNotifications(): readonly Notification[] {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return shownNotices.map((ref) => ref.deref()).filter((ref) => ref !== undefined);
}

export class Tray extends EventEmitter {
  static readonly all: Tray[] = [];
  destroyed = false;
  constructor(image: unknown) {
    super();
    note('new Tray', image);
    Tray.all.push(this);
  }
  setToolTip(text: string): void {
    note('tray.setToolTip', text);
  }
  setContextMenu(menu: unknown): void {
    note('tray.setContextMenu', menu);
  }
  destroy(): void {
    note('tray.destroy');
    this.destroyed = true;
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }
}

const blockers = new Set<number>();
let lastBlocker = 0;
export const powerSaveBlocker = {
  start: (kind: string): number => {
    note('powerSaveBlocker.start', kind);
    lastBlocker += 1;
    blockers.add(lastBlocker);
    return lastBlocker;
  },
  stop: (id: number): boolean => {
    note('powerSaveBlocker.stop', id);
    return blockers.delete(id);
  },
  isStarted: (id: number): boolean => blockers.has(id),
};

export const nativeTheme = Object.assign(new EventEmitter(), {
  themeSource: 'system',
  shouldUseDarkColors: false,
});

interface Image {
  readonly bytes: number;
  isEmpty(): boolean;
  setTemplateImage(on: boolean): void;
}

export const nativeImage = {
  /** Returns an empty image for a missing file, as in Electron. */
  createFromPath: (file: string): Image & { readonly of: string } => ({
    bytes: existsSync(file) ? statSync(file).size : 0,
    of: file,
    isEmpty: () => !existsSync(file),
    setTemplateImage: () => undefined,
  }),
  createFromBitmap: (bitmap: Buffer, size: object): Image => ({
    bytes: bitmap.byteLength,
    isEmpty: () => false,
    setTemplateImage: () => undefined,
    ...size,
  }),
};

class SystemPreferences extends EventEmitter {
  /** The accent colour as RGBA, as in Electron. */
  accent = setup.accent ?? '';
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

/** False if no keyring is configured, or if it does not respond. Chromium then encrypts with a fixed key, marked `v10`. */
const hasKeyring = setup.storageBackend !== 'basic_text' && setup.keyring === undefined;
const keyMark = hasKeyring ? 'v11' : 'v10';

/** “Encrypts” by reversing and marking a text, which is enough to check that no plain text reaches a file. */
export const safeStorage = {
  getSelectedStorageBackend: () => setup.storageBackend ?? 'gnome_libsecret',
  // True also without a keyring, since Electron counts the fixed key as encryption. False while the keyring is locked.
  isAsyncEncryptionAvailable: () => Promise.resolve(setup.keyring !== 'locked'),
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
