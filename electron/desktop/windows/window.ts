import path from 'node:path';
import { BrowserWindow, dialog, nativeTheme, screen, type Event } from 'electron';
import { text } from '../../host/text.ts';
import { mayReload } from './crash-policy.ts';
import { appAddress } from '../page/origin.ts';
import { offset, placeOnScreen, readPlace, smallest, writePlace, type Place } from './window-place.ts';

export interface WindowOptions {
  readonly preload: string;
  readonly dataDir: string;
  /** 1 for the first window. Its tabs are stored under this number. */
  readonly number: number;
  /** The window this one was opened from; it is placed next to it. */
  readonly beside: BrowserWindow | null;
  readonly onError: (message: string, thrown: unknown) => void;
  /** Windows: the user logs out or shuts down. Without a delay the page is ended without its question about unsaved text. */
  readonly onSessionEnd: (event: Pick<Event, 'preventDefault'>) => void;
  /** The user answered the question about unsaved text by keeping the window. */
  readonly onKept: (window: BrowserWindow) => void;
}

/** The window's background before its styles load: avoids a white flash in dark mode. */
const backgrounds = { dark: '#1b1d21', light: '#ffffff' };

/** Opens a window at the last position. It becomes visible once its first frame is drawn. */
export function openMainWindow(options: WindowOptions): BrowserWindow {
  const placeFile = path.join(options.dataDir, 'window.json');
  const screens = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map((display) => display.workArea);
  const left = options.beside === null ? readPlace(placeFile) : offset(placeOf(options.beside));
  const place = placeOnScreen(left, screens);
  const window = new BrowserWindow({
    x: place.x,
    y: place.y,
    width: place.width,
    height: place.height,
    minWidth: smallest.width,
    minHeight: smallest.height,
    title: 'Cooper',
    show: false,
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? backgrounds.dark : backgrounds.light,
    webPreferences: {
      preload: options.preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  });
  if (place.maximized) window.maximize();
  window.once('ready-to-show', () => {
    window.show();
  });
  window.on('close', () => {
    try {
      writePlace(placeFile, placeOf(window));
    } catch (thrown) {
      options.onError('The place of the window could not be kept.', thrown);
    }
  });
  reloadAfterCrash(window, options.onError);
  askAboutUnsaved(window, options.onKept);
  window.on('query-session-end', options.onSessionEnd);
  const address = options.number === 1 ? appAddress : `${appAddress}?window=${String(options.number)}`;
  window.loadURL(address).catch((thrown: unknown) => {
    options.onError('The window could not be loaded.', thrown);
  });
  return window;
}

/** Asks about unsaved text. Otherwise Electron silently keeps such a window open. */
function askAboutUnsaved(window: BrowserWindow, onKept: WindowOptions['onKept']): void {
  window.webContents.on('will-prevent-unload', (event) => {
    const response = dialog.showMessageBoxSync(window, {
      type: 'question',
      title: text('unsavedTitle'),
      message: text('unsavedTitle'),
      detail: text('unsavedDetail'),
      buttons: [text('unsavedStay'), text('unsavedDiscard')],
      defaultId: 0,
      cancelId: 0,
    });
    if (response === 1) event.preventDefault();
    else onKept(window);
  });
}

/** Reloads a crashed window. The core stores its tabs, so they are restored. */
function reloadAfterCrash(window: BrowserWindow, onError: WindowOptions['onError']): void {
  const crashedAtMs: number[] = [];
  window.webContents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit' || window.isDestroyed()) return;
    const nowMs = Date.now();
    const again = mayReload(crashedAtMs, nowMs);
    crashedAtMs.push(nowMs);
    onError(
      again ? 'The window crashed and is loaded again.' : 'The window keeps crashing.',
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

function placeOf(window: BrowserWindow): Place {
  const { x, y, width, height } = window.getNormalBounds();
  return { x, y, width, height, maximized: window.isMaximized() };
}
