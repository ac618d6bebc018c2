/**
 * Replaces the module `electron` where its binary is not available. Records the program's calls and lets a test emit Electron's
 * events. Contains nothing specific to Cooper.
 */
export { app } from './app.ts';
export { ipcMain, MessagePortMain } from './ipc.ts';
export { handlers, preventable, record, setup, type Preventable, type Recorded } from './record.ts';
export { autoUpdater, DownloadItem, net, protocol, session } from './session.ts';
export {
  boxAnswers,
  dialog,
  fileAnswers,
  liveNotifications,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  safeStorage,
  screen,
  shell,
  systemPreferences,
  Tray,
} from './system.ts';
export { BrowserWindow, WebContents, type Frame } from './window.ts';
