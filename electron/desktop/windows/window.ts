import path from 'node:path';
import {
  BrowserWindow,
  nativeTheme,
  screen,
  type ContextMenuParams,
  type Event,
  Menu,
  type MenuItemConstructorOptions,
  dialog,
} from 'electron';
import { appAddress } from '../page/origin.ts';
import { recoverWindow } from './recovery.ts';
import { offset, placeOnScreen, readPlace, minSize, writePlace, type Place } from './window-place.ts';
import { text } from '../../host/text.ts';

export interface WindowOptions extends UnsavedAnswers {
  readonly preload: string;
  /** The path of the window's icon. Needed on Linux, where the executable contains none. */
  readonly icon: string;
  readonly dataDir: string;
  /** The number of the window, starting at 1. Its tabs are stored under this number. */
  readonly number: number;
  /** The window from which this one was opened; null for none. The new window is placed next to it. */
  readonly beside: BrowserWindow | null;
  readonly onError: (message: string, thrown: unknown) => void;
  /**
   * Called on Windows when the user logs out or shuts down. Unless the event is prevented, the page cannot ask about unsaved
   * text.
   */
  readonly onSessionEnd: (event: Pick<Event, 'preventDefault'>) => void;
}

/** The background before the styles load, which avoids a white flash in dark mode. */
const backgrounds = { dark: '#1b1d21', light: '#ffffff' };

/** Opens a window at its last position. It becomes visible once its first frame is drawn. */
export function openMainWindow(options: WindowOptions): BrowserWindow {
  const placeFile = path.join(options.dataDir, 'window.json');
  const screens = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map((display) => display.workArea);
  const lastPlace = options.beside === null ? readPlace(placeFile) : offset(placeOf(options.beside));
  const place = placeOnScreen(lastPlace, screens);
  const window = new BrowserWindow({
    x: place.x,
    y: place.y,
    width: place.width,
    height: place.height,
    minWidth: minSize.width,
    minHeight: minSize.height,
    title: 'Cooper',
    ...(process.platform === 'linux' ? { icon: options.icon } : {}),
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
  window.once('ready-to-show', () => {
    // `maximize` shows the window, so calling it earlier would show an empty window.
    if (place.maximized) window.maximize();
    window.show();
  });
  window.on('close', () => {
    try {
      writePlace(placeFile, placeOf(window));
    } catch (thrown) {
      options.onError('The position of the window could not be stored.', thrown);
    }
  });
  recoverWindow(window, options.onError);
  offerTextMenu(window);
  askAboutUnsaved(window, options);
  window.on('query-session-end', options.onSessionEnd);
  const address = options.number === 1 ? appAddress : `${appAddress}?window=${String(options.number)}`;
  window.loadURL(address).catch((thrown: unknown) => {
    options.onError('The window could not be loaded.', thrown);
  });
  return window;
}

function placeOf(window: BrowserWindow): Place {
  const { x, y, width, height } = window.getNormalBounds();
  return { x, y, width, height, maximized: window.isMaximized() };
}

/** Returns the context menu for a text field or selected text; null if neither was clicked. */
function textMenu({
  isEditable,
  selectionText,
  editFlags,
}: ContextMenuParams): MenuItemConstructorOptions[] | null {
  const copy = { role: 'copy', label: text('menuCopy'), enabled: editFlags.canCopy } as const;
  if (!isEditable) return selectionText.trim() === '' ? null : [copy];
  return [
    { role: 'undo', label: text('menuUndo'), enabled: editFlags.canUndo },
    { role: 'redo', label: text('menuRedo'), enabled: editFlags.canRedo },
    { type: 'separator' },
    { role: 'cut', label: text('menuCut'), enabled: editFlags.canCut },
    copy,
    { role: 'paste', label: text('menuPaste'), enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', label: text('menuSelectAll'), enabled: editFlags.canSelectAll },
  ];
}

/** Shows a menu for text, which Electron does not have. The event fires only if the page shows no other menu. */
function offerTextMenu(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, clicked) => {
    const template = textMenu(clicked);
    if (template !== null) Menu.buildFromTemplate(template).popup({ window });
  });
}

/** Callbacks for the user's answer about unsaved text. */
interface UnsavedAnswers {
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
function askAboutUnsaved(window: BrowserWindow, { onKept, onDiscarded }: UnsavedAnswers): void {
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
