import { app, dialog, powerMonitor, type BrowserWindow } from 'electron';
import { text } from '../host/text.ts';

export interface QuitOptions {
  /** How many jobs are at work; they go on at the next start. */
  readonly activeJobs: () => number;
  readonly isAsked: () => boolean;
  readonly current: () => BrowserWindow | null;
  /** Brings a window back when the person stays after closing the last one. */
  readonly stay: () => void;
  /** Puts everything down; called once. */
  readonly close: () => Promise<void>;
}

export interface Quitting {
  /** Asks where there is something to ask; then puts everything down. false: the person stays. */
  prepare(): Promise<boolean>;
}

/** Quitting asks while jobs run, then waits until the core has put everything down, once. */
export function quitCleanly(options: QuitOptions): Quitting {
  let isDecided = false;
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => (closing ??= options.close());

  app.on('before-quit', (event) => {
    if (isDecided || options.activeJobs() === 0 || !options.isAsked()) return;
    event.preventDefault();
    void ask(options).then((leave) => {
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
  const quit = (): void => {
    // Whoever ends the program from outside cannot be asked; the jobs go on at the next start all the same.
    isDecided = true;
    app.quit();
  };
  process.on('SIGINT', quit).on('SIGTERM', quit).on('SIGHUP', quit);
  powerMonitor.on('shutdown', quit);

  return {
    prepare: async () => {
      if (options.activeJobs() > 0 && options.isAsked() && !(await ask(options))) return false;
      isDecided = true;
      await close();
      return true;
    },
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
