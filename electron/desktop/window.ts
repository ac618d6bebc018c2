import path from 'node:path';
import { BrowserWindow, screen } from 'electron';
import { appAddress } from './origin.ts';
import { placeOnScreen, readPlace, smallest, writePlace, type Place } from './window-place.ts';

export interface WindowOptions {
  readonly preload: string;
  readonly dataDir: string;
  readonly onError: (message: string, thrown: unknown) => void;
}

/** Opens the window where it was left; it shows itself when its first picture is drawn. */
export function openMainWindow(options: WindowOptions): BrowserWindow {
  const placeFile = path.join(options.dataDir, 'window.json');
  const screens = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map((display) => display.workArea);
  const place = placeOnScreen(readPlace(placeFile), screens);
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
  window.webContents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit' || window.isDestroyed()) return;
    options.onError('The window crashed and is loaded again.', new Error(details.reason));
    window.reload();
  });
  window.loadURL(appAddress).catch((thrown: unknown) => {
    options.onError('The window could not be loaded.', thrown);
  });
  return window;
}

function placeOf(window: BrowserWindow): Place {
  const { x, y, width, height } = window.getNormalBounds();
  return { x, y, width, height, maximized: window.isMaximized() };
}
