import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { app } from './app.ts';
import { note, preventable, setup, windows } from './record.ts';

export interface Frame {
  url: string;
}

interface DragItem {
  readonly file: string;
  readonly files: readonly string[];
  readonly icon: { isEmpty(): boolean };
}

let lastContentsId = 0;
export class WebContents extends EventEmitter {
  readonly id: number;
  readonly mainFrame: Frame = { url: '' };
  windowOpenHandler: ((details: { url: string }) => { action: string }) | null = null;
  /** False until the page has loaded. Messages sent before are lost, as in Electron. */
  isLoaded = false;
  constructor() {
    super();
    lastContentsId += 1;
    this.id = lastContentsId;
    app.emit('web-contents-created', {}, this);
  }
  readonly sent: unknown[][] = [];
  send(channel: string, ...args: unknown[]): void {
    note(this.isLoaded ? 'webContents.send' : 'a lost message', channel, ...args);
    if (this.isLoaded) this.sent.push([channel, ...args]);
  }
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.windowOpenHandler = handler;
  }
  /**
   * Refuses and ignores the same calls as Electron (`WebContents::StartDrag` in electron_api_web_contents.cc). Files that do not
   * exist cannot be dragged, and are recorded separately.
   */
  startDrag({ file, files, icon }: Partial<DragItem>): void {
    const dragged = files ?? (file === undefined ? [] : [file]);
    if (icon === undefined) throw new Error("'icon' parameter is required");
    if (icon.isEmpty()) {
      note('a drag without an icon');
      return;
    }
    if (dragged.length === 0) throw new Error("Must specify either 'file' or 'files' option");
    const missing = dragged.filter((file) => !existsSync(file));
    if (missing.length > 0) note('a drag of missing files', missing);
    else note('webContents.startDrag', { files: dragged });
  }
  undo(): void {
    note('webContents.undo');
  }
  redo(): void {
    note('webContents.redo');
  }
  cut(): void {
    note('webContents.cut');
  }
  copy(): void {
    note('webContents.copy');
  }
  paste(): void {
    note('webContents.paste');
  }
  selectAll(): void {
    note('webContents.selectAll');
  }
  forcefullyCrashRenderer(): void {
    note('webContents.forcefullyCrashRenderer');
    this.isLoaded = false;
    this.emit('render-process-gone', {}, { reason: 'crashed' });
  }
}

let focused: BrowserWindow | null = null;
function setFocused(window: BrowserWindow): void {
  focused = window;
}

export class BrowserWindow extends EventEmitter {
  static readonly all = windows as BrowserWindow[];
  static getFocusedWindow(): BrowserWindow | null {
    return setup.unfocused === true ? null : focused;
  }
  readonly webContents: WebContents;
  visible: boolean;
  minimized = false;
  maximized = false;
  constructor(options: { readonly show?: boolean }) {
    super();
    note('new BrowserWindow', options);
    this.visible = options.show !== false;
    this.webContents = new WebContents();
    windows.push(this);
    app.emit('stand-in-window');
  }
  /** Loads the page. Its first frame is drawn after parsing, in a later iteration of the event loop. */
  async loadURL(url: string): Promise<void> {
    note('window.loadURL', url);
    this.webContents.mainFrame.url = url;
    await this.#load();
  }
  async #load(): Promise<void> {
    this.webContents.isLoaded = false;
    this.webContents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false });
    await nextTurn();
    if (this.destroyed) return;
    this.webContents.isLoaded = true;
    this.webContents.emit('dom-ready');
    this.emit('ready-to-show');
    this.webContents.emit('did-finish-load');
  }
  reload(): void {
    note('window.reload');
    void this.#load();
  }
  show(): void {
    note('window.show');
    this.visible = true;
    this.focus();
  }
  focus(): void {
    note('window.focus');
    if (focused === this || this.minimized) return;
    focused?.emit('blur');
    if (focused !== null) app.emit('browser-window-blur');
    setFocused(this);
    this.emit('focus');
  }
  minimize(): void {
    this.minimized = true;
    if (focused === this) focused = null;
    this.emit('blur');
  }
  restore(): void {
    note('window.restore');
    this.minimized = false;
  }
  /** Shows the window too, as Electron does. */
  maximize(): void {
    note('window.maximize', { isLoaded: this.webContents.isLoaded });
    this.maximized = true;
    this.visible = true;
  }
  isVisible(): boolean {
    return this.visible;
  }
  isMinimized(): boolean {
    return this.minimized;
  }
  isMaximized(): boolean {
    return this.maximized;
  }
  destroyed = false;
  isDestroyed(): boolean {
    return this.destroyed;
  }
  /** True if the page prevents `beforeunload`. */
  hasUnsavedText = false;
  /**
   * Emits `close`, then `beforeunload`. If the page prevents unloading, its window stays open unless the program decides
   * otherwise. Throws for a closed window, as Electron does.
   */
  close(): void {
    if (this.destroyed) throw new TypeError('Object has been destroyed');
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
  /** Closes without `close` and without `beforeunload`. */
  destroy(): void {
    note('window.destroy');
    this.destroyed = true;
    if (focused === this) focused = null;
    this.emit('closed');
    // Electron does not emit `window-all-closed` while the program quits.
    if (!app.isQuitting && windows.every(({ destroyed }) => destroyed)) app.emit('window-all-closed');
  }
  setProgressBar(...args: unknown[]): void {
    note('window.setProgressBar', ...args);
  }
  setOverlayIcon(...args: unknown[]): void {
    note('window.setOverlayIcon', ...args);
  }
  getNormalBounds(): object {
    return { x: 40, y: 50, width: 900, height: 700 };
  }
}
