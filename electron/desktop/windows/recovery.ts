import { dialog, type BrowserWindow } from 'electron';
import { text } from '../../host/text.ts';

const withinMs = 60_000;
const maxReloads = 3;

/** Returns true if a crashed window may reload. It may not after several crashes within a minute. */
export function mayReload(crashedAtMs: readonly number[], nowMs: number): boolean {
  return crashedAtMs.filter((atMs) => nowMs - atMs < withinMs).length < maxReloads;
}

type OnError = (message: string, thrown: unknown) => void;

/**
 * Reloads a crashed window, and asks about one that does not respond. The core stores the window's tabs, so they are restored.
 */
export function recoverWindow(window: BrowserWindow, onError: OnError): void {
  reloadAfterCrash(window, onError);
  askWhenUnresponsive(window, onError);
}

function reloadAfterCrash(window: BrowserWindow, onError: OnError): void {
  const crashedAtMs: number[] = [];
  window.webContents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit' || window.isDestroyed()) return;
    const nowMs = Date.now();
    const again = mayReload(crashedAtMs, nowMs);
    crashedAtMs.push(nowMs);
    onError(
      again ? 'The window crashed and is reloaded.' : 'The window keeps crashing.',
      new Error(details.reason),
    );
    if (again) window.reload();
    else void askWhetherToReload(window);
  });
}

async function askWhetherToReload(window: BrowserWindow): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    title: text('windowCrashingTitle'),
    message: text('windowCrashingTitle'),
    detail: text('windowCrashingDetail'),
    buttons: [text('windowCrashingReload'), text('windowCrashingClose')],
    defaultId: 0,
    cancelId: 1,
  });
  if (window.isDestroyed()) return;
  if (response === 0) window.reload();
  else window.destroy();
}

/** Offers to reload a page that hangs. Closes the question if the page responds again. */
function askWhenUnresponsive(window: BrowserWindow, onError: OnError): void {
  let asking: AbortController | null = null;
  window.on('responsive', () => asking?.abort());
  window.on('unresponsive', () => {
    if (asking !== null) return;
    const withdrawn = (asking = new AbortController());
    void dialog
      .showMessageBox(window, {
        type: 'warning',
        title: text('windowHangsTitle'),
        message: text('windowHangsTitle'),
        detail: text('windowHangsDetail'),
        buttons: [text('windowHangsWait'), text('windowCrashingReload')],
        defaultId: 0,
        cancelId: 0,
        signal: withdrawn.signal,
      })
      .then(({ response }) => {
        asking = null;
        if (response !== 1 || withdrawn.signal.aborted || window.isDestroyed()) return response;
        onError('The window did not respond and is reloaded.', new Error('unresponsive'));
        // The handler of `render-process-gone` then reloads the window. A direct reload would wait for the hanging page.
        window.webContents.forcefullyCrashRenderer();
        return response;
      });
  });
}
