import { dialog, type BrowserWindow } from 'electron';
import { text } from '../../host/text.ts';

/** Callbacks for the user's answer about unsaved text. */
export interface UnsavedAnswers {
  /** Called when the user keeps the window and its text. */
  readonly onKept: (window: BrowserWindow) => void;
  /** Called when the user discards the text: the window is closed, and a quit that waited for it may continue. */
  readonly onDiscarded: (window: BrowserWindow) => void;
}

/**
 * Asks about unsaved text when a window is about to close. Without a listener, Electron would silently keep the window open.
 *
 * The window stays open meanwhile, because a synchronous box would block the main process and so every transfer. Further attempts
 * to close the window open no second box.
 */
export function askAboutUnsaved(window: BrowserWindow, { onKept, onDiscarded }: UnsavedAnswers): void {
  let isAsking = false;
  window.webContents.on('will-prevent-unload', () => {
    if (isAsking) return;
    isAsking = true;
    void ask(window).then((mayClose) => {
      isAsking = false;
      if (mayClose) {
        // `close` would not work, because the page would prevent it again.
        if (!window.isDestroyed()) window.destroy();
        onDiscarded(window);
      } else onKept(window);
      return mayClose;
    });
  });
}

async function ask(window: BrowserWindow): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    title: text('unsavedTitle'),
    message: text('unsavedTitle'),
    detail: text('unsavedDetail'),
    buttons: [text('unsavedStay'), text('unsavedDiscard')],
    defaultId: 0,
    cancelId: 0,
  });
  return response === 1;
}
