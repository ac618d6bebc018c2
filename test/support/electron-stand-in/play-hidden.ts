/** Simulates a start without a window, as at login, and then a second start. */
import { askControl } from '../../../electron/host/control.ts';
import { finish, until } from './core-of-window.ts';
import * as standIn from './electron.ts';

const dist = new URL(process.env['COOPER_TEST_DIST'] ?? '../../../dist/desktop/', import.meta.url);
const dataDir = process.env['COOPER_TEST_DATA'] ?? '';
await import(new URL('main.js', dist).href);
standIn.app.becomeReady();
await until(
  () => standIn.Tray.all.length,
  (count) => count > 0,
);
const windowsAtStart = standIn.BrowserWindow.all.length;
await until(
  () => askControl(dataDir),
  (response) => response !== null,
);
finish({
  windowsAtStart,
  windows: standIn.BrowserWindow.all.length,
  hasTray: standIn.Tray.all.some((tray) => !tray.isDestroyed()),
});
