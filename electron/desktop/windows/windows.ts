import { BrowserWindow, type WebContents } from 'electron';
import type { WindowCommand } from '../../../shared/commands.ts';
import { openMainWindow, type WindowOptions } from './window.ts';
import { commandChannel } from '../page/channels.ts';

export interface Windows {
  /** Opens another window, or the first one. */
  open(): void;
  /** Brings the window that was used last to the front, or opens one. */
  show(): void;
  /** Returns the focused window, or the one focused last; null if none is open. */
  current(): BrowserWindow | null;
  all(): readonly BrowserWindow[];
  isProgramWindow(contentsId: number): boolean;
  /** Closes the windows one after another; each asks about unsaved text. Returns false if the user keeps a window open. */
  closeAll(): Promise<boolean>;
  /** Sends a menu command to the focused window once its page listens. Opens a window if there is none. */
  sendCommand(command: WindowCommand): void;
  /** Called once the page of these contents listens to commands. */
  onPageListening(contentsId: number): void;
}

/** Creates the manager of the windows, which share one core. */
export function createWindows(
  options: Pick<WindowOptions, 'preload' | 'icon' | 'dataDir' | 'onError' | 'onSessionEnd'> & {
    /** Clears the tabs stored for a window number, so that a new window with this number does not restore them. */
    readonly forget: (number: number) => void;
    /** Called when a window has been opened. */
    readonly onOpen: () => void;
    /** Called when the user keeps a window that was about to close. */
    readonly onStay: () => void;
    /** Called after the user discarded unsaved text and its window was closed. */
    readonly onDiscarded: () => void;
  },
): Windows {
  const open = new Map<number, BrowserWindow>();
  /** The windows in the order of their use, the most recent last. */
  let used: BrowserWindow[] = [];
  const commands = new Map<BrowserWindow, PendingCommands>();
  /** Called when the user keeps a window with unsaved text. */
  let onKept: ((window: BrowserWindow) => void) | null = null;
  const current = (): BrowserWindow | null => used.findLast((window) => !window.isDestroyed()) ?? null;

  const openWindow = (): BrowserWindow => {
    const number = freeNumber(open);
    if (number !== 1) options.forget(number);
    const window = openMainWindow({
      ...options,
      number,
      beside: current(),
      onKept: (keptWindow) => {
        onKept?.(keptWindow);
        options.onStay();
      },
    });
    open.set(number, window);
    used.push(window);
    commands.set(window, new PendingCommands(window.webContents));
    options.onOpen();
    window.on('focus', () => {
      used = [...used.filter((other) => other !== window), window];
    });
    window.once('closed', () => {
      open.delete(number);
      commands.delete(window);
      used = used.filter((other) => other !== window);
    });
    return window;
  };

  const show = (): void => {
    const window = current();
    if (window === null) {
      openWindow();
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };

  return {
    open: () => {
      openWindow();
    },
    show,
    current,
    all: () => [...open.values()].filter((window) => !window.isDestroyed()),
    closeAll: async () => {
      // Looks again after each window: meanwhile, the user may have closed or opened others.
      for (;;) {
        const window = current();
        if (window === null) return true;
        const closed = Promise.withResolvers<boolean>();
        window.once('closed', () => {
          closed.resolve(true);
        });
        onKept = (keptWindow) => {
          if (keptWindow === window) closed.resolve(false);
        };
        window.close();
        if (!(await closed.promise)) return false;
      }
    },
    isProgramWindow: (contentsId) =>
      [...open.values()].some((window) => !window.isDestroyed() && window.webContents.id === contentsId),
    sendCommand: (command) => commands.get(current() ?? openWindow())?.send(command),
    onPageListening: (contentsId) => {
      for (const [window, pending] of commands)
        if (!window.isDestroyed() && window.webContents.id === contentsId) pending.flush();
    },
  };
}

function freeNumber(open: ReadonlyMap<number, unknown>): number {
  let number = 1;
  while (open.has(number)) number += 1;
  return number;
}

/** Returns true if a window of the program has focus. */
export function hasFocusedWindow(): boolean {
  return BrowserWindow.getFocusedWindow() !== null;
}

/**
 * Sends commands to one page. Holds them until the page listens, because Electron drops messages without a listener. Also holds
 * them during a reload.
 */
class PendingCommands {
  readonly #contents: WebContents;
  #isListening = false;
  #held: WindowCommand[] = [];

  constructor(contents: WebContents) {
    this.#contents = contents;
    contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) this.#isListening = false;
    });
    contents.on('render-process-gone', () => {
      this.#isListening = false;
    });
  }

  send(command: WindowCommand): void {
    if (this.#isListening) this.#contents.send(commandChannel, command);
    else this.#held.push(command);
  }

  /** Sends the held commands in order, now that the page listens. */
  flush(): void {
    this.#isListening = true;
    const held = this.#held;
    this.#held = [];
    for (const command of held) this.#contents.send(commandChannel, command);
  }
}
