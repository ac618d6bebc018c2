import { app, dialog, powerMonitor, type BrowserWindow, type Event } from 'electron';
import { text } from '../host/text.ts';

export interface QuitOptions {
  /** Returns the number of running jobs. They continue at the next start. */
  readonly activeJobs: () => number;
  readonly needsConfirmation: () => boolean;
  readonly current: () => BrowserWindow | null;
  /** Opens a window again if the user cancels the quit after closing the last one. */
  readonly stay: () => void;
  /** Closes every window and asks about unsaved text. Resolves to false if the user keeps a window open. */
  readonly closeWindows: () => Promise<boolean>;
  /** Shuts everything down. Called once. */
  readonly close: () => Promise<void>;
}

export interface Quitting {
  /** Asks for confirmation if needed and closes the windows; the core keeps running. Returns false if the user cancels. */
  leave(): Promise<boolean>;
  /** Shuts the core down once. */
  shutDown(): Promise<void>;
  /** Reverts `leave`: opens a window, or restarts the program if the core is down. */
  undoLeave(isShutDown: boolean): void;
  /** Returns true while a quit is in progress. Closing the last window then neither quits nor keeps the program running. */
  isLeaving(): boolean;
  /** Cancels the quit, because the user kept a window with unsaved text. The next quit asks about running jobs again. */
  cancelQuit(): void;
  /** Continues a quit that waited for unsaved text, which the user has discarded. */
  resumeQuit(): void;
  /** Quits without a confirmation. */
  quitNow(): void;
  /**
   * Quits because the system ends the session. Delays the end of the session and asks about unsaved text, but not about running
   * jobs.
   */
  endSession(event?: Pick<Event, 'preventDefault'>): void;
}

/** Makes a quit ask for confirmation while jobs run, and wait until the core has shut down. */
export function quitCleanly(options: QuitOptions): Quitting {
  let isDecided = false;
  /**
   * True once a quit has started, until a window cancels it. Stored here, because Electron drops a quit that a window prevents.
   */
  let isQuitPending = false;
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => (closing ??= options.close());
  /** The open question about running jobs. A second quit waits for the same answer. */
  let asking: Promise<boolean> | null = null;
  const askOnce = (): Promise<boolean> =>
    (asking ??= ask(options).finally(() => {
      asking = null;
    }));

  app.on('before-quit', (event) => {
    if (isDecided || options.activeJobs() === 0 || !options.needsConfirmation()) {
      isQuitPending = true;
      return;
    }
    event.preventDefault();
    if (asking !== null) return;
    void askOnce().then((leave) => {
      if (leave) {
        isDecided = true;
        app.quit();
      } else {
        options.stay();
      }
      return leave;
    });
  });
  app.on('will-quit', (event) => {
    event.preventDefault();
    void close()
      .then(() => 0)
      .catch(() => 1)
      .then((status) => {
        app.exit(status);
        return status;
      });
  });
  let isLeaving = false;
  const quit = (): void => {
    // A signal or the end of the session cannot wait for a confirmation. Jobs continue at the next start.
    isDecided = true;
    app.quit();
  };
  process.on('SIGINT', quit).on('SIGTERM', quit).on('SIGHUP', quit);
  const endSession = (event?: Pick<Event, 'preventDefault'>): void => {
    event?.preventDefault();
    quit();
  };
  powerMonitor.on('shutdown', endSession);

  return {
    leave: async () => {
      if (options.activeJobs() > 0 && options.needsConfirmation() && !(await askOnce())) return false;
      isLeaving = true;
      try {
        isDecided = await options.closeWindows();
        return isDecided;
      } finally {
        isLeaving = isDecided;
      }
    },
    shutDown: close,
    undoLeave: (isShutDown) => {
      isLeaving = false;
      isDecided = false;
      if (isShutDown) {
        app.relaunch();
        app.exit(0);
      } else options.stay();
    },
    isLeaving: () => isLeaving || isQuitPending,
    cancelQuit: () => {
      isDecided = false;
      isQuitPending = false;
    },
    resumeQuit: () => {
      if (isQuitPending) app.quit();
    },
    quitNow: quit,
    endSession,
  };
}

async function ask(options: QuitOptions): Promise<boolean> {
  const box = {
    type: 'question' as const,
    title: text('quitTitle'),
    message: text('quitMessage', { count: options.activeJobs() }),
    detail: text('quitDetail'),
    buttons: [text('quitLeave'), text('quitStay')],
    defaultId: 0,
    cancelId: 1,
  };
  const window = options.current();
  const { response } = await (window === null
    ? dialog.showMessageBox(box)
    : dialog.showMessageBox(window, box));
  return response === 0;
}
